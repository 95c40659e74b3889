import type { CodeBlock } from "../blocks";
import { terminatorWrites } from "../liveness";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { readsParameters, rolesOf } from "../../flatten/roles";

/** The bytes of a launch's parameters, as the kernel finds them. */
export type Parameters = DataView;

/**
 * What is the same in every thread of a launch and at any time: made of parameters and numbers alone, by
 * instructions whose result is written in one place.
 */
export class FixedValues {
  /** Null where a register is written in several places, or only where a guard holds. */
  private readonly written = new Map<number, ProgramInstruction | null>();
  private readonly keys = new Map<number, string | undefined>();

  /** `assumed`: loads whose number is that of an operand. */
  constructor(
    blocks: readonly CodeBlock[],
    private readonly assumed: ReadonlyMap<ProgramInstruction, ProgramOperand>,
  ) {
    for (const { instructions, terminator } of blocks) {
      for (const instruction of instructions)
        for (const register of rolesOf(instruction).writes) this.note(register, instruction);
      for (const register of terminatorWrites(terminator)) this.written.set(register, null);
    }
  }

  private note(register: number, instruction: ProgramInstruction): void {
    const isOnly = !this.written.has(register) && instruction.guard === undefined;
    this.written.set(register, isOnly ? instruction : null);
  }

  /** How an operand is made, in a form that is equal for equal values; undefined where it is not fixed. */
  keyOf(operand: ProgramOperand | undefined): string | undefined {
    switch (operand?.kind) {
      case "integer":
        return `${operand.value}`;
      case "float":
        return `f${operand.size}:${operand.bits}`;
      case "place":
        return operand.space === "global" ? `@${operand.symbol}+${operand.offset}` : undefined;
      case "register":
        return this.keyOfRegister(operand.register);
      default:
        return undefined;
    }
  }

  private keyOfRegister(register: number): string | undefined {
    if (this.keys.has(register)) return this.keys.get(register);
    // A register that depends on itself is another one in each round of its loop.
    this.keys.set(register, undefined);
    const made = this.written.get(register);
    const number = made ? this.assumed.get(made) : undefined;
    const key = made && number === undefined ? this.keyOfResult(made) : this.keyOf(number);
    this.keys.set(register, key);
    return key;
  }

  private keyOfResult(instruction: ProgramInstruction): string | undefined {
    const { opcode, modifiers } = instruction.matched.instruction;
    const name = [opcode, ...modifiers].join(".");
    const offset = parameterOffset(instruction);
    if (offset !== undefined) return `${name}[${offset}]`;
    const { traits } = instruction.matched;
    if (traits.runs !== "lanes" || traits.access !== undefined || !traits.result) return undefined;
    const keys = instruction.operands.slice(1).map((operand) => this.keyOf(operand));
    return keys.includes(undefined) ? undefined : `${name}(${keys.join(",")})`;
  }

  /** A whole number of 32 bits in a launch, sign extended; undefined where it is not known. */
  valueOf(operand: ProgramOperand | undefined, parameters: Parameters): number | undefined {
    if (operand?.kind === "integer") return Number(BigInt.asIntN(32, operand.value));
    if (operand?.kind !== "register" || this.keyOfRegister(operand.register) === undefined) return undefined;
    const made = this.written.get(operand.register);
    const number = made ? this.assumed.get(made) : undefined;
    if (number !== undefined) return this.valueOf(number, parameters);
    return made ? this.resultOf(made, parameters) : undefined;
  }

  private resultOf(instruction: ProgramInstruction, parameters: Parameters): number | undefined {
    const { types, instruction: written, carry } = instruction.matched;
    const { type } = types;
    if (type === undefined || type.bits > 32 || type.count !== 1 || carry) return undefined;
    const offset = parameterOffset(instruction);
    if (type.bits < 32 && (offset !== undefined || written.opcode !== "mov")) return undefined;
    if (offset !== undefined) return parameters.getInt32(offset, true);
    const [first, second] = instruction.operands.slice(1).map((each) => this.valueOf(each, parameters));
    if (first === undefined) return undefined;
    if (written.opcode === "mov") return first;
    if (second === undefined || !["add", "sub"].includes(written.opcode)) return undefined;
    return (written.opcode === "add" ? first + second : first - second) | 0;
  }
}

/** Where a load from the kernel's own parameters reads, in bytes; undefined of any other instruction. */
function parameterOffset(instruction: ProgramInstruction): number | undefined {
  if (instruction.matched.traits.access !== "load" || !readsParameters(instruction)) return undefined;
  const [result, address] = instruction.operands;
  if (result?.kind !== "register" || address?.kind !== "address") return undefined;
  return address.base.kind === "place" ? address.base.offset + address.offset : undefined;
}

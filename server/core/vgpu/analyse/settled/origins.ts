import type { CodeBlock } from "../blocks";
import { terminatorWrites } from "../liveness";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { readsParameters, rolesOf } from "../../flatten/roles";

const addressBits = 64;

/**
 * Which of a kernel's parameters an address may be made of. Only numbers of 64 bits can be one: indices of 32
 * bits that are widened lead nowhere by themselves.
 */
export class Origins {
  private readonly written = new Map<number, ProgramInstruction[]>();
  /** Registers that something writes which is not followed. */
  private readonly unknown = new Set<number>();

  constructor(blocks: readonly CodeBlock[]) {
    for (const { instructions, terminator } of blocks) {
      for (const instruction of instructions)
        for (const register of rolesOf(instruction).writes) {
          const known = this.written.get(register);
          if (known === undefined) this.written.set(register, [instruction]);
          else known.push(instruction);
        }
      for (const register of terminatorWrites(terminator)) this.unknown.add(register);
    }
  }

  /** Offsets of the parameters, in bytes; undefined where the address may come from anywhere else. */
  of(address: ProgramOperand | undefined): ReadonlySet<number> | undefined {
    if (address?.kind !== "address" || address.base.kind !== "register") return undefined;
    const found = new Set<number>();
    const seen = new Set<number>();
    const open = [address.base.register];
    for (let register = open.pop(); register !== undefined; register = open.pop()) {
      if (seen.has(register)) continue;
      seen.add(register);
      if (this.unknown.has(register)) return undefined;
      for (const instruction of this.written.get(register) ?? []) {
        const parameter = parameterOf(instruction);
        if (parameter !== undefined) found.add(parameter);
        else if (isOfAddresses(instruction)) open.push(...rolesOf(instruction).reads);
        else if (!isNarrow(instruction) || isPut(instruction)) return undefined;
      }
    }
    return found;
  }
}

function parameterOf({ matched, operands }: ProgramInstruction): number | undefined {
  const [, address] = operands;
  if (matched.traits.access !== "load" || address?.kind !== "address") return undefined;
  const { base, offset } = address;
  return base.kind === "place" && base.space === "param" ? base.offset + offset : undefined;
}

/** Arithmetic whose result is as wide as an address, of registers that are, or may be. */
function isOfAddresses(instruction: ProgramInstruction): boolean {
  const { traits } = instruction.matched;
  const isArithmetic = traits.runs === "lanes" && traits.access === undefined && !isPut(instruction);
  return isArithmetic && !isNarrow(instruction);
}

/** Put together of halves, or taken apart. */
function isPut({ operands }: ProgramInstruction): boolean {
  return operands.some(({ kind }) => kind === "vector" || kind === "pair");
}

/**
 * What no address comes of: a load or a result of at most 32 bits, and a product or a conversion of such. The
 * names of PTX tell: the type of `mul.wide.s32` and the last one of `cvt.s64.s32` are those of what goes in.
 */
function isNarrow(instruction: ProgramInstruction): boolean {
  const { opcode, modifiers } = instruction.matched.instruction;
  // What a product of 32 bits is added to may be an address.
  if (opcode === "mad") return false;
  const bits = Number(/\d+$/.exec(modifiers.findLast((each) => /^[a-z]+\d+$/.test(each)) ?? "")?.[0] ?? "0");
  return bits > 0 && bits < addressBits && !readsParameters(instruction);
}

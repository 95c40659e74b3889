import type { ProgramInstruction, ProgramOperand } from "./program";

/** True for what is done for a whole warp at once; false for what runs lane by lane. */
export function isWarpWide(instruction: ProgramInstruction): boolean {
  const { traits } = instruction.matched;
  if (traits.access === "load" && readsParameters(instruction)) return false;
  return traits.runs === "warp";
}

/**
 * True for a load from the kernel's own parameters: the same value in every lane, known before the launch.
 */
export function readsParameters(instruction: ProgramInstruction): boolean {
  const address = instruction.operands[1];
  return address?.kind === "address" && address.base.kind === "place" && address.base.space === "param";
}

function collect(operand: ProgramOperand, into: number[]): void {
  switch (operand.kind) {
    case "register":
    case "negated":
      into.push(operand.register);
      break;
    case "address":
      collect(operand.base, into);
      break;
    case "vector":
    case "list":
      for (const element of operand.elements) collect(element, into);
      break;
    case "pair":
      collect(operand.first, into);
      collect(operand.second, into);
      break;
    default:
      break;
  }
}

/** The condition code is written by the instructions with .cc. */
function addCarry({ matched, operands }: ProgramInstruction, writes: number[], reads: number[]): void {
  const code = operands.at(-1);
  if (code?.kind !== "register") return;
  if (matched.modifiers["out"]) writes.push(code.register);
  if (matched.carry?.takes) reads.push(code.register);
}

/** Registers that an instruction writes and reads. */
export interface Roles {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
}

const knownRoles = new WeakMap<ProgramInstruction, Roles>();

/**
 * Registers that an instruction writes and reads. A guarded instruction keeps lanes of its results, so it
 * reads them as well.
 */
export function rolesOf(instruction: ProgramInstruction): Roles {
  const known = knownRoles.get(instruction);
  if (known) return known;
  const roles = findRoles(instruction);
  knownRoles.set(instruction, roles);
  return roles;
}

function findRoles(instruction: ProgramInstruction): Roles {
  const { traits, carry } = instruction.matched;
  const writes: number[] = [];
  const reads: number[] = [];
  const count = instruction.operands.length - (carry ? 1 : 0);
  for (let index = 0; index < count; index += 1) {
    const operand = instruction.operands[index];
    if (operand) collect(operand, traits.result && index === 0 ? writes : reads);
  }
  if (traits.accumulates) reads.push(...writes);
  if (carry) addCarry(instruction, writes, reads);
  if (instruction.guard) reads.push(instruction.guard.register, ...writes);
  return { writes, reads };
}

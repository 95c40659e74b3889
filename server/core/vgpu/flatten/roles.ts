import type { ProgramInstruction, ProgramOperand } from "./program";

/**
 * Families that run lane by lane without touching memory or other lanes; all others are one call of a library
 * function a warp.
 */
const warpWide: ReadonlySet<string> = new Set([
  "phase-barrier-change",
  "phase-barrier-arrive",
  "phase-barrier-wait",
  "phase-barrier-count",
  "phase-barrier-copies",
  "load",
  "store",
  "atomic",
  "copy-async",
  "load-matrix",
  "store-matrix",
  "move-matrix",
  "matrix-multiply",
  "matrix-multiply-sparse",
  "load-fragment",
  "store-fragment",
  "multiply-fragments",
  "shuffle",
  "vote",
  "match",
  "reduce-warp",
  "elect",
  "active-mask",
  "warp-sync",
  "nothing",
  "barrier",
  "barrier-reduction",
  "stack-reset",
  "frame-enter",
  "frame-leave",
  "stack-allocate",
  "stack-save",
  "stack-restore",
  "system-call",
  "texture-fetch",
  "texture-query",
  "surface-load",
  "surface-store",
]);

const withoutResult: ReadonlySet<string> = new Set([
  "store",
  "store-fragment",
  "store-matrix",
  "phase-barrier-change",
  "phase-barrier-copies",
  "copy-async",
  "warp-sync",
  "nothing",
  "branch",
  "branch-table",
  "barrier",
  "return",
  "exit",
  "trap",
  "stack-reset",
  "frame-leave",
  "stack-restore",
  "call-procedure",
  "return-procedure",
  "surface-store",
]);

/** True for what is done for a whole warp at once; false for what runs lane by lane. */
export function isWarpWide(instruction: ProgramInstruction): boolean {
  const { family } = instruction.matched;
  if (family === "load" && readsParameters(instruction)) return false;
  return warpWide.has(family);
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

/** The condition code is read by the opcodes that end in c and written by those with .cc. */
function addCarry({ matched, operands }: ProgramInstruction, writes: number[], reads: number[]): void {
  const code = operands.at(-1);
  if (code?.kind !== "register") return;
  if (matched.modifiers["out"]) writes.push(code.register);
  if (matched.instruction.opcode.endsWith("c")) reads.push(code.register);
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
  const {
    family,
    instruction: { opcode },
  } = instruction.matched;
  const hasResult = !withoutResult.has(family) && !(family === "atomic" && opcode === "red");
  const writes: number[] = [];
  const reads: number[] = [];
  const count = instruction.operands.length - (family === "carry" ? 1 : 0);
  for (let index = 0; index < count; index += 1) {
    const operand = instruction.operands[index];
    if (operand) collect(operand, hasResult && index === 0 ? writes : reads);
  }
  if (family === "carry") addCarry(instruction, writes, reads);
  if (instruction.guard) reads.push(instruction.guard.register, ...writes);
  return { writes, reads };
}

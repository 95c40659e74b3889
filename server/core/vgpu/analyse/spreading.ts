import { type PtxType, types } from "../ptx/types";
import { isSharedSpace } from "../ptx/spaces";
import type { CodeBlock } from "./blocks";
import type { ProgramInstruction, ProgramOperand } from "../flatten/program";
import { readsOf } from "./spinning";

/** Operations whose order does not matter for what is in memory at the end. */
const commutative: ReadonlySet<string> = new Set(["add", "and", "or", "xor", "min", "max"]);
const integers: ReadonlySet<PtxType> = new Set([
  ...[types.u32, types.s32, types.b32],
  ...[types.u64, types.s64, types.b64],
]);
const clocks = /^%(clock|globaltimer|envreg)/;

/**
 * True when blocks of threads may run at the same time in several threads of the host with the same result:
 * no clock, no text printed, and atomics on memory that blocks share are integer reductions (PTX ISA section
 * 9.7.13.6) whose result nothing reads. Everything else about blocks that touch the same bytes is a race, on
 * a GPU too. Kernels whose threads may wait for each other are not asked about here.
 */
export function canSpread(blocks: readonly CodeBlock[]): boolean {
  const read = readsOf(blocks);
  return blocks.every(({ instructions, last }) =>
    [...instructions, ...(last ? [last] : [])].every((instruction) => isSafe(instruction, read)),
  );
}

function isSafe({ matched, operands }: ProgramInstruction, read: ReadonlySet<number>): boolean {
  const { traits, modifiers, types: named } = matched;
  if (traits.asksHost || operands.some(readsClock)) return false;
  if (traits.access !== "update" || isSharedSpace(modifiers["space"])) return true;
  const [result] = operands;
  const unused =
    !traits.result || result?.kind === "sink" || (result?.kind === "register" && !read.has(result.register));
  return (
    unused &&
    commutative.has(modifiers["operation"] ?? "") &&
    named.type !== undefined &&
    integers.has(named.type)
  );
}

function readsClock(operand: ProgramOperand): boolean {
  return operand.kind === "special" && clocks.test(operand.name);
}

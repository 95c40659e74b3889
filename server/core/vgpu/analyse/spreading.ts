import type { CodeBlock } from "./blocks";
import type { ProgramInstruction, ProgramOperand } from "../flatten/program";
import { readsOf } from "./spinning";

/** Operations whose order does not matter for what is in memory at the end. */
const commutative: ReadonlySet<string> = new Set(["add", "and", "or", "xor", "min", "max"]);
const integers: ReadonlySet<string> = new Set(["u32", "s32", "u64", "s64", "b32", "b64"]);
/**
 * Families through which a thread talks to the host: in the order of the blocks, and texture and surface
 * objects, which only one thread knows.
 */
const ordered: ReadonlySet<string> = new Set([
  "system-call",
  "texture-fetch",
  "texture-query",
  "surface-load",
  "surface-store",
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
  const {
    family,
    instruction: { opcode },
    modifiers,
  } = matched;
  if (ordered.has(family) || operands.some(readsClock)) return false;
  if (family !== "atomic" || modifiers["space"]?.startsWith("shared")) return true;
  const [result] = operands;
  const unused =
    opcode === "red" ||
    result?.kind === "sink" ||
    (result?.kind === "register" && !read.has(result.register));
  return unused && commutative.has(modifiers["operation"] ?? "") && integers.has(modifiers["type"] ?? "");
}

function readsClock(operand: ProgramOperand): boolean {
  return operand.kind === "special" && clocks.test(operand.name);
}

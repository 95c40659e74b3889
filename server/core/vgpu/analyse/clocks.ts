import type { CodeBlock } from "./blocks";
import type { ProgramInstruction } from "../flatten/program";

/**
 * Clocks (PTX ISA section 10, %clock and %globaltimer) count warp instructions. Reading one takes as long as
 * this many others, about the cycles that it takes on a GPU: a loop that only waits for time to pass does not
 * have to be run round for each cycle.
 */
const readingTime = 32;

const clocks: ReadonlySet<string> = new Set([
  "%clock",
  "%clock_hi",
  "%clock64",
  "%globaltimer",
  "%globaltimer_lo",
  "%globaltimer_hi",
]);

export function isClock(name: string): boolean {
  return clocks.has(name);
}

function readsClock({ operands }: ProgramInstruction): boolean {
  for (const operand of operands) if (operand.kind === "special" && isClock(operand.name)) return true;
  return false;
}

function timeOf(instruction: ProgramInstruction): number {
  return readsClock(instruction) ? readingTime : 1;
}

/**
 * Time that one run of a block takes, in warp instructions; at least one. It is spent when the block starts.
 */
export function blockTime({ instructions, last }: CodeBlock): number {
  let time = last ? 1 : 0;
  for (const instruction of instructions) time += timeOf(instruction);
  return Math.max(1, time);
}

/** For each instruction that reads a clock, how much of its block's time is still to come behind it. */
export function timesLeft(blocks: readonly CodeBlock[]): ReadonlyMap<ProgramInstruction, number> {
  const left = new Map<ProgramInstruction, number>();
  for (const block of blocks) {
    if (!block.instructions.some(readsClock)) continue;
    let rest = blockTime(block);
    for (const instruction of block.instructions) {
      rest -= timeOf(instruction);
      if (readsClock(instruction)) left.set(instruction, rest);
    }
  }
  return left;
}

import { at } from "../../base/known";
import type { Instruction } from "../instruction";
import { type CodeBlock, codeBlocks } from "./flow";

/** That an instruction waits for others: it issues no earlier than their scoreboard is free. */
interface Wait {
  /** Index of the instruction that waits. */
  readonly waiter: number;
  readonly scoreboard: number;
  /**
   * Indices of the instructions whose end it may wait for, ascending. Empty where an earlier instruction has
   * waited for all of them, or where they stand before a call or an indirect branch that is not followed.
   */
  readonly producers: readonly number[];
}

/** For each scoreboard the instructions that may have taken it and that nothing has waited for since. */
type Pending = readonly ReadonlySet<number>[];

const scoreboardCount = 6;

/** What every wait of a code section is for, on all ways through it. */
export function waitsOf(code: readonly Instruction[]): readonly Wait[] {
  const blocks = codeBlocks(code);
  const entries = entryStates(code, blocks);
  const waits: Wait[] = [];
  for (const [number, block] of blocks.entries())
    run(code, block, at(entries, number), (wait) => waits.push(wait));
  return waits;
}

/** What is pending where a block begins: grown until nothing changes. */
function entryStates(code: readonly Instruction[], blocks: readonly CodeBlock[]): readonly Pending[] {
  const entries = blocks.map(() => nothing());
  const waiting = new Set(blocks.keys());
  for (const number of waiting) {
    waiting.delete(number);
    const block = at(blocks, number);
    const left = run(code, block, at(entries, number), () => undefined);
    for (const next of block.next) if (joined(at(entries, next), left)) waiting.add(next);
  }
  return entries;
}

function nothing(): Set<number>[] {
  return Array.from({ length: scoreboardCount }, () => new Set<number>());
}

/** Goes through a block; gives what is pending behind it. */
function run(
  code: readonly Instruction[],
  { start, end }: CodeBlock,
  entry: Pending,
  tell: (wait: Wait) => void,
): Pending {
  const pending = entry.map((each) => new Set(each));
  for (let index = start; index < end; index += 1) {
    const { control } = at(code, index);
    for (const scoreboard of control.waits) {
      const producers = [...at(pending, scoreboard)].sort((a, b) => a - b);
      tell({ waiter: index, scoreboard, producers });
      at(pending, scoreboard).clear();
    }
    for (const scoreboard of [control.written, control.read])
      if (scoreboard !== undefined) at(pending, scoreboard).add(index);
  }
  return pending;
}

/** Adds to what is pending at an entry; true when that was news. */
function joined(entry: Set<number>[], more: Pending): boolean {
  let isNews = false;
  for (const [scoreboard, producers] of more.entries()) {
    const known = at(entry, scoreboard);
    for (const producer of producers) {
      isNews ||= !known.has(producer);
      known.add(producer);
    }
  }
  return isNews;
}

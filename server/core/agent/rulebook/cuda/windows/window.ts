import type { SyntaxNode } from "../../../../language/tree";
import { waveOf } from "../../../../timing/bound";
import { type Counts, countsOf, targetGpu } from "../../evidence";
import type { RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { accessesIn, type PointSpace } from "../points/point-space";
import { type Place, type Reach, reachIn } from "./reach";

/** Sectors of global memory that the points' work loads. */
export interface Reuse {
  /** Sectors that a block loads, for the first time and again. */
  readonly value: number;
  readonly fresh: number;
  readonly again: number;
}

/** How much of what a block loads it has loaded before. */
export function reuseIn(input: RuleInput, { statements }: PointSpace): Reuse {
  const counts = statements.map((node) => countsOf(input, node));
  const sum = (of: (one: Counts) => number): number => counts.reduce((total, one) => total + of(one), 0);
  const value = sum((one) => one.globalLoadSectors);
  const again = sum((one) => one.loadReuse?.sameBlock.reduce((total, count) => total + count, 0) ?? 0);
  return { value, again, fresh: Math.max(1, value - again) };
}

/** A load of an array at several places around the point. */
export function windowLoad(view: KernelView, space: PointSpace): SyntaxNode | undefined {
  const place = reachIn(view, space);
  const seen = new Map<string, string>();
  for (const { node, parameter, indexNode, loads } of accessesIn(view, space.statements)) {
    const reached = indexNode === undefined ? undefined : place(indexNode);
    if (!loads || reached === undefined || !followsPoint(reached)) continue;
    const text = JSON.stringify([...reached]);
    const before = seen.get(parameter) ?? text;
    if (before !== text || [...reached.values()].some(isWide)) return node;
    seen.set(parameter, text);
  }
  return undefined;
}

function followsPoint(parts: Place): boolean {
  const all = [...parts.values()];
  return parts.get("")?.across === 1 && all.some((part) => part.down === 1);
}

function isWide({ low, high }: Reach): boolean {
  return low.constant !== high.constant || low.terms.join() !== high.terms.join();
}

/**
 * Blocks of the kernel's launches, where a GPU holds those of each launch at the same time. A launch then
 * takes as long as one of its blocks: where a thread has several outputs, as many times fewer blocks have any
 * work, and each takes longer. Undefined where blocks wait for others, or launches are not known.
 */
export function blocksOfOneRound(input: RuleInput, { kernel }: KernelView): number | undefined {
  const { launches = [] } = input;
  const own = launches.filter(({ kernel: name }) => name === undefined || name.includes(kernel.facts.name));
  const gpu = targetGpu(input);
  const most = Math.max(0, ...own.map(({ blocks }) => blocks));
  return most > 0 && own.every((launch) => launch.blocks <= waveOf(launch, gpu)) ? most : undefined;
}

/** Why several outputs a thread gain nothing there. */
export function oneRoundText(blocks: number): string {
  return `the GPU holds all ${blocks} blocks at once: with several outputs a thread some would have no work, the others more; a larger shape may gain`;
}

import { at } from "../../base/known";
import type { FlowEdge } from "./ways";

/**
 * A loop of the machine code: its blocks lie together, from the target of a branch back up to that branch.
 */
export interface Loop {
  readonly first: number;
  readonly last: number;
  /** Indices of the edges that lead into it from outside. */
  readonly entries: readonly number[];
  /** Indices of the edges that lead out of it. */
  readonly exits: readonly number[];
  /** The innermost loop around it. */
  readonly parent?: Loop;
}

/** All loops, outer ones before those within them. */
export function loopsOf(edges: readonly FlowEdge[]): readonly Loop[] {
  const ends = new Map<number, number>();
  for (const { from, to, isOtherWay } of edges)
    if (to >= 0 && to <= from && isOtherWay !== true) ends.set(to, Math.max(from, ends.get(to) ?? 0));
  const loops: Loop[] = [];
  const spans = [...ends].sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd);
  for (const [first, last] of spans) {
    const isWithin = (block: number): boolean => block >= first && block <= last;
    const crossing = (isInward: boolean): number[] =>
      [...edges.keys()].filter((edge) => {
        const { from, to, isOtherWay } = at(edges, edge);
        return isOtherWay !== true && isWithin(to) === isInward && isWithin(from) === !isInward;
      });
    const parent = loops.findLast((each) => each.first <= first && each.last >= last);
    loops.push({
      first,
      last,
      entries: crossing(true),
      exits: crossing(false),
      ...(parent ? { parent } : {}),
    });
  }
  return loops;
}

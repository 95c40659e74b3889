import { at } from "../../base/known";
import type { CodeBlock } from "../../vgpu/analyse/blocks";
import { successorsOf } from "../../vgpu/analyse/liveness";
import type { FlowGraph } from "../follow/graph";

/** Which round a loop with barriers is in: the present one or its first, or one more. */
interface LoopRound {
  readonly from: "present" | "first";
  readonly more: 0 | 1;
}

/** A block that is reached without a barrier in between, and the rounds of loops that are then run. */
export interface Reached {
  readonly block: number;
  readonly rounds: ReadonlyMap<number, LoopRound>;
}

export function isBarrier({ terminator }: CodeBlock): boolean {
  return terminator.kind === "barrier";
}

/** The loops that have a barrier in each round or in some, by their headers. */
export function barrierLoops(blocks: readonly CodeBlock[], graph: FlowGraph): ReadonlySet<number> {
  const found = [...graph.loops].filter(([, loop]) =>
    [...loop.blocks].some((block) => isBarrier(at(blocks, block))),
  );
  return new Set(found.map(([header]) => header));
}

/**
 * What threads run between two barriers: from the kernel's start and from behind each barrier, all blocks up
 * to the next. Undefined where a loop may go round twice in between.
 */
export function intervalsOf(
  blocks: readonly CodeBlock[],
  graph: FlowGraph,
): readonly (readonly Reached[])[] | undefined {
  const loops = barrierLoops(blocks, graph);
  const intervals: (readonly Reached[])[] = [];
  const starts = [at(graph.order, 0)];
  const edges = graph.order.flatMap((block) => {
    const { terminator } = at(blocks, block);
    return terminator.kind === "barrier" ? [{ from: block, to: terminator.next }] : [];
  });
  const present = new Map([...loops].map((header) => [header, { from: "present", more: 0 } as LoopRound]));
  const walks = [
    ...starts.map((block) => ({ block, rounds: present })),
    ...edges.map(({ from, to }) => along(graph, loops, { from, to, rounds: present })),
  ];
  for (const start of walks) {
    const reached = start === undefined ? undefined : reachedFrom(blocks, graph, loops, start);
    if (reached === undefined) return undefined;
    intervals.push(reached);
  }
  return intervals;
}

function reachedFrom(
  blocks: readonly CodeBlock[],
  graph: FlowGraph,
  loops: ReadonlySet<number>,
  start: Reached,
): readonly Reached[] | undefined {
  const found = new Map<string, Reached>();
  const pending = [start];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const key = `${each.block} ${JSON.stringify([...each.rounds])}`;
    if (found.has(key)) continue;
    found.set(key, each);
    const code = at(blocks, each.block);
    if (isBarrier(code)) continue;
    for (const to of successorsOf(code.terminator)) {
      const next = along(graph, loops, { from: each.block, to, rounds: each.rounds });
      if (next === undefined) return undefined;
      pending.push(next);
    }
  }
  return [...found.values()];
}

/** Goes along an edge: into the first round of a loop, or into the next one. */
function along(
  { loops: all }: FlowGraph,
  loops: ReadonlySet<number>,
  { from, to, rounds }: { readonly from: number; readonly to: number; readonly rounds: Reached["rounds"] },
): Reached | undefined {
  if (!loops.has(to)) return { block: to, rounds };
  const isBack = all.get(to)?.blocks.has(from) === true;
  const before = rounds.get(to);
  if (isBack && before?.more !== 0) return undefined;
  const round: LoopRound =
    isBack && before !== undefined ? { from: before.from, more: 1 } : { from: "first", more: 0 };
  return { block: to, rounds: new Map([...rounds, [to, round]]) };
}

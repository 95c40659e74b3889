import type { KernelMachineCode } from "../../../cubin/index";
import type { FlowEdge } from "../../counts/ways";

/**
 * Blocks of machine code at whose end all warps of a block of threads have to go the same way, because the
 * barriers that may follow are others on one way than on the other: a barrier waits for all of them.
 */
export function waysOfAllWarps(code: KernelMachineCode, edges: readonly FlowEdge[]): ReadonlySet<number> {
  const barriers = code.blocks.flatMap(({ start, end }, block) =>
    code.instructions.slice(start, end).some(({ operation }) => operation.name === "BAR") ? [block] : [],
  );
  if (barriers.length === 0) return new Set();
  const next = new Map<number, number[]>();
  for (const { from, to, isOtherWay } of edges)
    if (to >= 0 && isOtherWay !== true) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Set<number>();
  for (const [block, ways] of next) {
    const leaves = edges.some(({ from, to }) => from === block && to < 0);
    if (ways.length + Number(leaves) < 2) continue;
    const firsts = ways.map((way) => firstBarriers(way, { next, barriers, branch: block }));
    if (leaves) firsts.push("");
    if (firsts.some((each) => each !== firsts[0])) found.add(block);
  }
  return found;
}

/** The barriers that are reached from a block before another one and before the branch comes again. */
function firstBarriers(
  from: number,
  {
    next,
    barriers,
    branch,
  }: {
    readonly next: ReadonlyMap<number, readonly number[]>;
    readonly barriers: readonly number[];
    readonly branch: number;
  },
): string {
  const reached = new Set([from]);
  const first: number[] = [];
  for (const block of reached) {
    if (barriers.includes(block)) first.push(block);
    else if (block !== branch) for (const way of next.get(block) ?? []) reached.add(way);
  }
  return first.sort((a, b) => a - b).join(" ");
}

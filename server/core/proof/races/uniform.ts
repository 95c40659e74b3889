import { at } from "../../base/known";
import type { CodeBlock } from "../../vgpu/analyse/blocks";
import { successorsOf } from "../../vgpu/analyse/liveness";
import type { Condition } from "../decide/condition";
import { symbolsOf } from "../decide/form";
import type { Symbols } from "../decide/symbols";
import type { FlowGraph } from "../follow/graph";
import { isBarrier } from "./intervals";

/**
 * A branch that threads of a block may take differently though a barrier stands on one way alone; undefined
 * where all threads come to all barriers together, but for those that have ended.
 */
export function dividedBranch(
  blocks: readonly CodeBlock[],
  graph: FlowGraph,
  isUniform: (block: number) => boolean,
): number | undefined {
  const after = postdominators(blocks, graph);
  return graph.order.find((block) => {
    const { terminator } = at(blocks, block);
    if (terminator.kind === "table") return true;
    if (terminator.kind !== "branch" || isUniform(block)) return false;
    const ways = successorsOf(terminator);
    const meets = after.get(block) ?? new Set<number>();
    const between = ways.flatMap((way) => [...region(blocks, way, meets)]);
    if (!between.some((each) => isBarrier(at(blocks, each)))) return false;
    // Threads of a way that meets no barrier any more end on it, and nobody waits for them.
    return !ways.some(
      (way) => ![...region(blocks, way, new Set())].some((each) => isBarrier(at(blocks, each))),
    );
  });
}

/** Blocks that are reached without passing some. */
function region(blocks: readonly CodeBlock[], start: number, ends: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = [start];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    if (ends.has(block) || found.has(block)) continue;
    found.add(block);
    pending.push(...successorsOf(at(blocks, block).terminator));
  }
  return found;
}

/** For each block the others that every way from it to an end leads through. */
function postdominators(
  blocks: readonly CodeBlock[],
  { order }: FlowGraph,
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, ReadonlySet<number>>(order.map((block) => [block, new Set(order)]));
  for (let changed = true; changed;) {
    changed = false;
    for (const block of [...order].reverse()) {
      const sets = successorsOf(at(blocks, block).terminator).map(
        (to) => new Set([to, ...(found.get(to) ?? [])]),
      );
      const [first = new Set<number>(), ...others] = sets;
      const common = new Set([...first].filter((each) => others.every((other) => other.has(each))));
      if (common.size === found.get(block)?.size) continue;
      found.set(block, common);
      changed = true;
    }
  }
  return found;
}

/** Whether a condition is the same for all threads of a block that are in the same rounds of some loops. */
export function isUniformCondition(
  symbols: Symbols,
  condition: Condition,
  loops: ReadonlySet<number>,
): boolean {
  if (condition.kind === "unknown") return false;
  if (condition.kind !== "not-negative")
    return condition.of.every((each) => isUniformCondition(symbols, each, loops));
  return [...symbolsOf(condition.form)].every((symbol) => {
    const { isUniform, counts } = symbols.of(symbol);
    return isUniform === true || (counts !== undefined && loops.has(counts));
  });
}

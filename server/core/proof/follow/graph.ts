import { at, mustGet } from "../../base/known";
import type { CodeBlock } from "../../vgpu/analyse/blocks";
import { successorsOf } from "../../vgpu/analyse/liveness";

/** A loop: the block that all its rounds begin with, and the blocks of a round. */
interface Loop {
  readonly header: number;
  readonly blocks: ReadonlySet<number>;
}

/** The blocks that control reaches, each after those before it but for rounds of loops, and the loops. */
export interface FlowGraph {
  readonly order: readonly number[];
  readonly loops: ReadonlyMap<number, Loop>;
}

/** The flow of a kernel; undefined where a loop has two beginnings. */
export function flowGraph(blocks: readonly CodeBlock[], entry: number): FlowGraph | undefined {
  const order = reversePostorder(blocks, entry);
  const position = new Map(order.map((block, index) => [block, index]));
  const dominators = dominatorsOf(blocks, order, position);
  const loops = new Map<number, Loop>();
  for (const from of order)
    for (const to of successorsOf(at(blocks, from).terminator)) {
      if (mustGet(position, to) > mustGet(position, from)) continue;
      if (!dominators.get(from)?.has(to)) return undefined;
      const body = bodyOf(blocks, order, { from, to });
      const before = loops.get(to)?.blocks ?? new Set<number>();
      loops.set(to, { header: to, blocks: new Set([...before, ...body]) });
    }
  return { order, loops };
}

function reversePostorder(blocks: readonly CodeBlock[], entry: number): readonly number[] {
  const seen = new Set([entry]);
  const order: number[] = [];
  const open = [{ block: entry, next: [...successorsOf(at(blocks, entry).terminator)] }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const to = top.next.pop();
    if (to === undefined) {
      order.push(top.block);
      open.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      open.push({ block: to, next: [...successorsOf(at(blocks, to).terminator)] });
    }
  }
  return order.reverse();
}

/** For each block those through which every way to it leads, itself among them. */
function dominatorsOf(
  blocks: readonly CodeBlock[],
  order: readonly number[],
  position: ReadonlyMap<number, number>,
): ReadonlyMap<number, ReadonlySet<number>> {
  const before = predecessorsOf(blocks, order);
  const found = new Map<number, ReadonlySet<number>>();
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order) {
      const known = (before.get(block) ?? []).flatMap((each) => found.get(each) ?? []);
      const [first = new Set<number>(), ...others] = known;
      const common =
        position.get(block) === 0 ? [] : [...first].filter((each) => others.every((o) => o.has(each)));
      const next = new Set([...common, block]);
      if (next.size === found.get(block)?.size) continue;
      found.set(block, next);
      changed = true;
    }
  }
  return found;
}

function predecessorsOf(
  blocks: readonly CodeBlock[],
  order: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const before = new Map<number, number[]>();
  for (const from of order)
    for (const to of successorsOf(at(blocks, from).terminator))
      before.set(to, [...(before.get(to) ?? []), from]);
  return before;
}

/** The blocks from which the end of a round is reached without its beginning. */
function bodyOf(
  blocks: readonly CodeBlock[],
  order: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlySet<number> {
  const before = predecessorsOf(blocks, order);
  const body = new Set([to]);
  const pending = [from];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    if (body.has(block)) continue;
    body.add(block);
    pending.push(...(before.get(block) ?? []));
  }
  return body;
}

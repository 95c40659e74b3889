import { at, mustGet } from "../base/known";
import type { CodeBlock, Split, Terminator } from "./analyse/blocks";
import { successorsOf } from "./analyse/liveness";
import { strongComponents } from "./flatten/strong-components";

/**
 * Numbers blocks so that what meets again does so in a block with a higher number than all that lead to it,
 * and a loop's blocks stand together: after a divergence the lanes with the lowest block run next, and so
 * come together there (G. Diamos et al., "SIMD re-convergence at thread frontiers", 2011). Compilers mostly
 * write code in such an order, but put what rarely runs behind the rest: lanes that go there would else run
 * all that follows alone. Blocks that stand in order keep their numbers; the last one, where the kernel ends,
 * stays last.
 */
export function inOrderOfMeeting(split: Split): Split {
  const { blocks, pointers } = split;
  const last = blocks.length - 1;
  const ways = blocks.map(({ terminator }) => successorsOf(terminator));
  const order = [...orderOf([...blocks.keys()].slice(0, last), ways), last];
  if (order.every((block, number) => block === number)) return split;
  const numbers = new Int32Array(blocks.length);
  for (const [number, block] of order.entries()) numbers[block] = number;
  const renumber = (block: number): number => at(numbers, block);
  return {
    blocks: order.map((block) => renumbered(at(blocks, block), renumber)),
    pointers: new Map(
      [...pointers].map(([key, list]) => [
        key,
        list.map(({ number, block }) => ({ number, block: renumber(block) })),
      ]),
    ),
  };
}

/** Loops within more loops than these, which no compiler writes, keep their order. */
const deepestLoop = 64;

/** Blocks in order, loops as a whole; `among`: ascending. */
function orderOf(
  among: readonly number[],
  ways: readonly (readonly number[])[],
  depth = 0,
): readonly number[] {
  if (among.length < 2 || depth > deepestLoop) return among;
  const isAmong = new Set(among);
  const within = (block: number): readonly number[] => at(ways, block).filter((to) => isAmong.has(to));
  const groups = strongComponents(among, within).map((group) => group.toSorted((a, b) => a - b));
  const groupOf = new Map(groups.flatMap((group, index) => group.map((block) => [block, index] as const)));
  const entries = new Map<number, number>();
  const leadsTo = groups.map(() => new Set<number>());
  const waitsFor = groups.map(() => 0);
  for (const from of among)
    for (const to of within(from)) {
      const [own, other] = [mustGet(groupOf, from), mustGet(groupOf, to)];
      if (own === other || at(leadsTo, own).has(other)) continue;
      at(leadsTo, own).add(other);
      waitsFor[other] = at(waitsFor, other) + 1;
      if (!entries.has(other)) entries.set(other, to);
    }
  const order: number[] = [];
  const ready = new Set([...groups.keys()].filter((index) => waitsFor[index] === 0));
  while (ready.size > 0) {
    const index = [...ready].reduce((one, other) =>
      at(at(groups, one), 0) < at(at(groups, other), 0) ? one : other,
    );
    ready.delete(index);
    const group = at(groups, index);
    const header = entries.get(index) ?? at(group, 0);
    const rest = group.filter((block) => block !== header);
    order.push(header, ...orderOf(rest, ways, depth + 1));
    for (const next of at(leadsTo, index)) {
      waitsFor[next] = at(waitsFor, next) - 1;
      if (at(waitsFor, next) === 0) ready.add(next);
    }
  }
  return order;
}

function renumbered(block: CodeBlock, renumber: (block: number) => number): CodeBlock {
  const { resumes } = block;
  return {
    ...block,
    terminator: renumberedEnd(block.terminator, renumber),
    ...(resumes === undefined ? {} : { resumes: renumber(resumes) }),
  };
}

function renumberedEnd(terminator: Terminator, renumber: (block: number) => number): Terminator {
  switch (terminator.kind) {
    case "jump":
      return { ...terminator, target: renumber(terminator.target) };
    case "branch":
      return {
        ...terminator,
        taken: renumber(terminator.taken),
        otherwise: renumber(terminator.otherwise),
      };
    case "table":
      return { ...terminator, targets: terminator.targets.map(renumber) };
    case "pause":
    case "barrier":
      return { ...terminator, next: renumber(terminator.next) };
    case "call":
      return {
        ...terminator,
        next: renumber(terminator.next),
        ...(terminator.target === undefined ? {} : { target: renumber(terminator.target) }),
      };
    default:
      return terminator;
  }
}

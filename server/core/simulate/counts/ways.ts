import { at } from "../../base/known";
import type { KernelMachineCode, PlacedInstruction } from "../../cubin/index";
import { isGuarded } from "./groups";

/** A way from one block of machine code to another, or out of the kernel or function (`to` -1). */
export interface FlowEdge {
  readonly from: number;
  readonly to: number;
  /**
   * No branch: where lanes of a warp have gone different ways, it comes here from the end of the first one to
   * run the second.
   */
  readonly isOtherWay?: true;
}

/** Where lanes part: indices of the edges along which a warp comes to the one way and then to the other. */
export interface Parting {
  /** The first block of the way that is run second. */
  readonly to: number;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** All ways through the code that runs, and which blocks call which. */
export interface FlowGraph {
  readonly edges: readonly FlowEdge[];
  /** By the block that ends in a call: the first block of what it calls. Control comes back behind it. */
  readonly calls: ReadonlyMap<number, number>;
}

/** More ways than these are not solved for: the matrix grows with the square of their number. */
export const mostEdges = 420;
const bytesOfOne = 16;
const ends = /^(?:EXIT|RET)$/;
/** Lanes wait here for those that went another way. */
const endOfWay = "BSYNC";

/** The partings of all branches, by the block to which the second way leads. */
export function partingsOf(edges: readonly FlowEdge[]): readonly Parting[] {
  const indices = [...edges.keys()];
  const isBranch = (edge: number): boolean => at(edges, edge).isOtherWay !== true;
  const seconds = new Set(edges.filter(({ isOtherWay }) => isOtherWay).map(({ to }) => to));
  return [...seconds].map((to) => {
    const into = indices.filter((edge) => at(edges, edge).to === to);
    const branches = new Set(into.filter(isBranch).map((edge) => at(edges, edge).from));
    return {
      to,
      first: indices.filter((edge) => {
        const { from, to: target } = at(edges, edge);
        return isBranch(edge) && branches.has(from) && target !== to;
      }),
      second: into.filter((edge) => !isBranch(edge)),
    };
  });
}

/** What fills up the code behind its last exit is left out. */
export function flowGraph(code: KernelMachineCode): FlowGraph {
  const { blocks } = code;
  const starts = new Map(blocks.map(({ start }, block) => [start, block]));
  const calls = new Map<number, number>();
  for (const block of blocks.keys()) {
    const { called } = lastOf(code, block);
    const entry = called === undefined ? undefined : starts.get(called / bytesOfOne);
    if (entry !== undefined) calls.set(block, entry);
  }
  const runs = new Set([0]);
  for (const block of runs) {
    for (const next of at(blocks, block).next) runs.add(next);
    const entry = calls.get(block);
    if (entry !== undefined) runs.add(entry);
  }
  const edges = [...runs].sort((a, b) => a - b).flatMap((from) => waysFrom(code, from));
  const others = edges.length > mostEdges ? [] : otherWays(code, runs);
  return { edges: edges.length + others.length > mostEdges ? edges : [...edges, ...others], calls };
}

/** A block that ends in an exit with a guard may be left there. */
function waysFrom(code: KernelMachineCode, from: number): readonly FlowEdge[] {
  const { next } = at(code.blocks, from);
  const last = lastOf(code, from);
  const leaves = next.length === 0 || (ends.test(last.operation.name) && isGuarded(last));
  const ways = [...new Set(next)].map((to) => ({ from, to }));
  return leaves ? [...ways, { from, to: -1 }] : ways;
}

/** The ways along which a warp runs what its other lanes have left to do. */
function otherWays(code: KernelMachineCode, runs: ReadonlySet<number>): readonly FlowEdge[] {
  const all = [...waysWithin(code, runs), ...waysBehindExits(code, runs)];
  return [...new Map(all.map((each) => [`${each.from} ${each.to}`, each])).values()];
}

/**
 * Between the instruction that opens a stretch of different ways and the place from which lanes go on
 * together: from each end of a way to the later target of each branch.
 */
function* waysWithin(code: KernelMachineCode, runs: ReadonlySet<number>): Generator<FlowEdge> {
  for (const within of stretches(code, runs)) {
    const isWithin = new Set(within);
    const last = within.filter((block) => lastOf(code, block).operation.name === endOfWay);
    for (const branch of within) {
      const { next } = at(code.blocks, branch);
      const other = Math.max(...next);
      if (next.length < 2 || other <= branch || !isWithin.has(other) || last.includes(other)) continue;
      for (const from of last) yield { from, to: other, isOtherWay: true };
    }
  }
}

/**
 * Where both ways of a branch lead to exits of their own, lanes never go on together: when those of one way
 * have ended the warp runs the other.
 */
function* waysBehindExits(code: KernelMachineCode, runs: ReadonlySet<number>): Generator<FlowEdge> {
  const exits = [...runs].filter((block) => lastOf(code, block).operation.name === "EXIT");
  if (exits.length < 2) return;
  for (const branch of runs) {
    const { next } = at(code.blocks, branch);
    const other = Math.max(...next);
    if (next.length < 2 || other <= branch) continue;
    const [ofOne, ofOther] = [behind(code, Math.min(...next)), behind(code, other)];
    if ([...ofOne].some((block) => ofOther.has(block))) continue;
    for (const from of exits) if (ofOne.has(from)) yield { from, to: other, isOtherWay: true };
  }
}

/** A block and all that can be reached from it. */
function behind({ blocks }: KernelMachineCode, first: number): ReadonlySet<number> {
  const found = new Set([first]);
  for (const block of found) for (const next of at(blocks, block).next) found.add(next);
  return found;
}

/** The blocks of each stretch in which lanes may go different ways. */
function* stretches(code: KernelMachineCode, runs: ReadonlySet<number>): Generator<readonly number[]> {
  const { blocks, instructions } = code;
  const starts = new Map(blocks.map(({ start }, block) => [start, block]));
  const all = [...runs].sort((a, b) => a - b);
  for (const opening of all)
    for (const { together } of instructions.slice(at(blocks, opening).start, at(blocks, opening).end)) {
      const behind = together === undefined ? undefined : starts.get(together / bytesOfOne);
      if (behind !== undefined) yield all.filter((block) => block >= opening && block < behind);
    }
}

function lastOf({ blocks, instructions }: KernelMachineCode, block: number): PlacedInstruction {
  return at(instructions, at(blocks, block).end - 1);
}

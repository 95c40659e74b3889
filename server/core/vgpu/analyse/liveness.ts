import { at } from "../../base/known";
import { invariant } from "../../base/assert";
import type { CodeBlock, Terminator } from "./blocks";
import { type Roles, rolesOf } from "../flatten/roles";

/** Registers live at the start and end of each block, as bit sets. */
export interface Liveness {
  readonly liveIn: readonly Uint32Array[];
  readonly liveOut: readonly Uint32Array[];
}

export function hasBit(set: Uint32Array, bit: number): boolean {
  return ((set[bit >> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

function addBit(set: Uint32Array, bit: number): void {
  set[bit >> 5] = (set[bit >> 5] ?? 0) | (1 << (bit & 31));
}

function removeBit(set: Uint32Array, bit: number): void {
  set[bit >> 5] = (set[bit >> 5] ?? 0) & ~(1 << (bit & 31));
}

export function successorsOf(terminator: Terminator): readonly number[] {
  switch (terminator.kind) {
    case "jump":
      return [terminator.target];
    case "branch":
      return [terminator.taken, terminator.otherwise];
    case "table":
      return terminator.targets;
    case "pause":
    case "barrier":
      return [terminator.next];
    // Procedures share no registers but those that a call names, so that the way through the function called
    // does not matter.
    case "call":
      return [terminator.next];
    default:
      return [];
  }
}

/** Registers that a terminator reads. */
export function terminatorReads(terminator: Terminator): readonly number[] {
  if (terminator.kind === "branch") return [terminator.register];
  if (terminator.kind === "table")
    return terminator.index.kind === "register" ? [terminator.index.register] : [];
  return terminator.kind === "barrier" || terminator.kind === "call" || terminator.kind === "return"
    ? rolesOf(terminator.instruction).reads
    : [];
}

/** Registers that a terminator writes: the result of a barrier reduction. */
export function terminatorWrites(terminator: Terminator): readonly number[] {
  return terminator.kind === "barrier" ? rolesOf(terminator.instruction).writes : [];
}

/**
 * The usual backward data flow to a fixed point; only blocks behind which something has changed are looked at
 * again.
 */
export function analyzeLiveness(blocks: readonly CodeBlock[], registerCount: number): Liveness {
  const words = (registerCount + 31) >> 5;
  const uses = blocks.map(() => new Uint32Array(words));
  const kills = blocks.map(() => new Uint32Array(words));
  for (const [index, { instructions, terminator }] of blocks.entries()) {
    const [use, kill] = [uses[index], kills[index]];
    if (!use || !kill) continue;
    addRoles(use, kill, { writes: terminatorWrites(terminator), reads: terminatorReads(terminator) });
    for (let at = instructions.length - 1; at >= 0; at -= 1) {
      const instruction = instructions[at];
      if (instruction) addRoles(use, kill, rolesOf(instruction));
    }
  }
  return solve(blocks, uses, kills);
}

/** Goes back over an instruction: what it writes is not needed before it, what it reads is. */
function addRoles(use: Uint32Array, kill: Uint32Array, { writes, reads }: Roles): void {
  for (const register of writes) {
    addBit(kill, register);
    removeBit(use, register);
  }
  for (const register of reads) addBit(use, register);
}

/** What a block needs of its own, and what it overwrites; what is live at its start and end. */
interface BlockSets {
  readonly use: Uint32Array;
  readonly kill: Uint32Array;
  readonly into: Uint32Array;
  readonly out: Uint32Array;
}

function solve(
  blocks: readonly CodeBlock[],
  uses: readonly Uint32Array[],
  kills: readonly Uint32Array[],
): Liveness {
  const liveIn = uses.map((use) => use.slice());
  const liveOut = uses.map((use) => new Uint32Array(use.length));
  const setsOf = (index: number): BlockSets => {
    const [use, kill, into, out] = [uses[index], kills[index], liveIn[index], liveOut[index]];
    invariant(use && kill && into && out, "each block has its sets");
    return { use, kill, into, out };
  };
  const { after, before, order, rank } = flowOf(blocks);
  const isDue = new Uint8Array(blocks.length).fill(1);
  const update = (index: number): boolean => {
    const sets = setsOf(index);
    for (const successor of at(after, index)) addAll(sets.out, liveIn[successor]);
    return addThrough(sets);
  };
  for (let again = true; again;) {
    again = false;
    for (const index of order) {
      if (isDue[index] === 0) continue;
      isDue[index] = 0;
      if (!update(index)) continue;
      for (const predecessor of at(before, index)) {
        isDue[predecessor] = 1;
        if (at(rank, predecessor) <= at(rank, index)) again = true;
      }
    }
  }
  return { liveIn, liveOut };
}

/** Where control goes from each block and where it comes from; the order to look at them, and their ranks. */
function flowOf(blocks: readonly CodeBlock[]): {
  readonly after: readonly (readonly number[])[];
  readonly before: readonly (readonly number[])[];
  readonly order: readonly number[];
  readonly rank: Int32Array;
} {
  const after = blocks.map(({ terminator }) => successorsOf(terminator));
  const before = blocks.map((): number[] => []);
  after.forEach((successors, index) => {
    for (const successor of successors) before[successor]?.push(index);
  });
  const order = postorder(after);
  const rank = new Int32Array(blocks.length);
  order.forEach((block, at) => {
    rank[block] = at;
  });
  return { after, before, order, rank };
}

function addAll(target: Uint32Array, source: Uint32Array | undefined): void {
  if (source)
    for (let word = 0; word < target.length; word += 1)
      target[word] = (target[word] ?? 0) | (source[word] ?? 0);
}

/** What is live at a block's start from what is live at its end; true when that has grown. */
function addThrough({ into, out, use, kill }: BlockSets): boolean {
  let hasGrown = false;
  for (let word = 0; word < into.length; word += 1) {
    const next = ((use[word] ?? 0) | ((out[word] ?? 0) & ~(kill[word] ?? 0))) >>> 0;
    if (next === into[word]) continue;
    into[word] = next;
    hasGrown = true;
  }
  return hasGrown;
}

/**
 * All blocks, those that control goes to before those that it comes from, but for loops: a chain of any order
 * is solved in one pass.
 */
function postorder(after: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const isSeen = new Uint8Array(after.length);
  for (let start = 0; start < after.length; start += 1) {
    if (isSeen[start] === 1) continue;
    isSeen[start] = 1;
    const path = [{ block: start, next: 0 }];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const successor = after[visit.block]?.[visit.next];
      visit.next += 1;
      if (successor === undefined) {
        order.push(visit.block);
        path.pop();
      } else if (isSeen[successor] === 0) {
        isSeen[successor] = 1;
        path.push({ block: successor, next: 0 });
      }
    }
  }
  return order;
}

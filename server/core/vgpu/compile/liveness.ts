import type { CodeBlock, Terminator } from "./blocks";
import { rolesOf } from "./roles";

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
    case "jump": return [terminator.target];
    case "branch": return [terminator.taken, terminator.otherwise];
    case "table": return terminator.targets;
    case "barrier": return [terminator.next];
    // Procedures share no registers but those that a call names, so that the way through the function called does not matter.
    case "call": return [terminator.next];
    default: return [];
  }
}

/** Registers that a terminator reads. */
export function terminatorReads(terminator: Terminator): readonly number[] {
  if (terminator.kind === "branch") return [terminator.register];
  if (terminator.kind === "table") return terminator.index.kind === "register" ? [terminator.index.register] : [];
  return terminator.kind === "barrier" || terminator.kind === "call" || terminator.kind === "return" ? rolesOf(terminator.instruction).reads : [];
}

/** Registers that a terminator writes: the result of a barrier reduction. */
export function terminatorWrites(terminator: Terminator): readonly number[] {
  return terminator.kind === "barrier" ? rolesOf(terminator.instruction).writes : [];
}

/** The usual backward data flow to a fixed point. */
export function analyzeLiveness(blocks: readonly CodeBlock[], registerCount: number): Liveness {
  const words = (registerCount + 31) >> 5;
  const uses = blocks.map(() => new Uint32Array(words));
  const kills = blocks.map(() => new Uint32Array(words));
  for (const [index, { instructions, terminator }] of blocks.entries()) {
    const [use, kill] = [uses[index], kills[index]];
    if (!use || !kill) continue;
    const write = (register: number): void => { addBit(kill, register); removeBit(use, register); };
    terminatorWrites(terminator).forEach(write);
    for (const register of terminatorReads(terminator)) addBit(use, register);
    for (const instruction of [...instructions].reverse()) {
      const { writes, reads } = rolesOf(instruction);
      writes.forEach(write);
      for (const register of reads) addBit(use, register);
    }
  }
  return solve(blocks, uses, kills);
}

function solve(blocks: readonly CodeBlock[], uses: readonly Uint32Array[], kills: readonly Uint32Array[]): Liveness {
  const liveIn = uses.map((use) => use.slice());
  const liveOut = uses.map((use) => new Uint32Array(use.length));
  for (let changed = true; changed; ) {
    changed = false;
    for (let index = blocks.length - 1; index >= 0; index -= 1) {
      const [block, out, into, use, kill] = [blocks[index], liveOut[index], liveIn[index], uses[index], kills[index]];
      if (!block || !out || !into || !use || !kill) continue;
      for (const successor of successorsOf(block.terminator)) {
        const other = liveIn[successor];
        for (let word = 0; word < out.length; word += 1) out[word] = (out[word] ?? 0) | (other?.[word] ?? 0);
      }
      for (let word = 0; word < into.length; word += 1) {
        const next = (use[word] ?? 0) | ((out[word] ?? 0) & ~(kill[word] ?? 0));
        if (next >>> 0 === into[word]) continue;
        into[word] = next;
        changed = true;
      }
    }
  }
  return { liveIn, liveOut };
}

import type { AnchorGroup, MachineAnchor } from "../counts/groups";
import type { MachineCounts } from "../counts/block-counts";
import { at, known } from "../../base/known";
import type { KernelMachineCode, PlacedInstruction } from "../../cubin/index";
import type { Executed, ExecutedAccess, ExecutedInstruction } from "../../timing/execution/executed";
import { isFragmentLoad, spaceOf } from "../counts/anchors";
import { areLanesJoined } from "../counts/joined-atomics";
import { type CacheRoom, localServedBy, reuseOfAll, type Served, servedBy } from "../traffic";

/** What one memory instruction of a warp does on average. */
export interface AccessCost {
  readonly space: "global" | "shared" | "local";
  readonly direction: "load" | "store" | "atomic" | "copy";
  /** Share of its executions that ask for anything: its guard holds. */
  readonly active: number;
  /** Bytes of one lane. */
  readonly width: number;
  /** Of one request: sectors of global or local memory, and the lines of 128 bytes they lie in. */
  readonly sectors: number;
  readonly lines: number;
  /** Passes through shared memory. */
  readonly wavefronts: number;
  /** Of a store: share of the sectors that it writes in part. */
  readonly partial: number;
  /** Of a store: share of its sectors that nothing fills, so that DRAM is read before it is written. */
  readonly unfilled: number;
  /** Lanes with one address, of an atomic. */
  readonly passes: number;
  /** Distinct sectors that atomics of the whole launch go to. */
  readonly spread: number;
  /** Atomics of floats. */
  readonly isFloat: boolean;
  /** Shares of the sectors that the first level and that DRAM serve. */
  readonly firstLevel: number;
  readonly memory: number;
  /** Share of the sectors for which DRAM is waited for, whoever asked it. */
  readonly awaited: number;
}

/** What is known of the accesses that stand behind one machine instruction. */
interface Behaviour {
  readonly accesses: readonly ExecutedInstruction[];
  readonly active: number;
  /** Machine instructions for one of PTX. */
  readonly split: number;
}

const sectorsOfLine = 4;
const bytesOfVector = 16;
const bytesOfBank = 4;

/** Whether the first level can answer. Stores go through it, those to local memory too. */
export function isNear({ direction }: Pick<AccessCost, "direction">): boolean {
  return direction === "load" || direction === "copy";
}

/** Passes through shared memory without conflicts: 8 bytes a lane go by half warps, 16 by quarters. */
export function leastWavefronts(width: number): number {
  return Math.max(1, width / bytesOfBank);
}

/** Costs of the machine code's memory instructions, by index. */
export function accessCosts(
  executed: Executed,
  code: KernelMachineCode,
  counts: MachineCounts,
  room: CacheRoom,
): ReadonlyMap<number, AccessCost> {
  const costs = new Map<number, AccessCost>();
  const local = localServedBy(code.localBytes, executed, room);
  for (const group of counts.groups) {
    const active = activeShare(group, counts, executed.warps);
    const costFor = (accesses: readonly ExecutedInstruction[]): AccessCost => {
      const split = Math.max(1, group.machine.length / group.ptx.length);
      const counted = costOf({ accesses, active, split }, executed, room);
      return counted.space === "local" ? { ...counted, ...local } : counted;
    };
    const accesses = group.ptx.map(({ instruction }) => instruction).filter(({ access }) => access);
    if (accesses.length === 0) continue;
    const ofAll = costFor(accesses);
    const isPaired = accesses.length > 1 && standsForEachOther(group);
    for (const [position, anchor] of group.machine.entries()) {
      const own = at(group.ptx, isPaired ? position : 0).instruction;
      const cost = isPaired && requestsOf(own) > 0 ? costFor([own]) : ofAll;
      costs.set(anchor.index, ofMachine(cost, code, anchor));
    }
  }
  for (const [index, instruction] of code.instructions.entries())
    if (!costs.has(index) && unmatched(instruction)) costs.set(index, coalesced(instruction, local));
  return costs;
}

/**
 * As many of the same width in both forms, in the same order: each is the one at its place. Of the copies of
 * an unrolled loop the first brings in what the others find.
 */
function standsForEachOther({ ptx, machine, isOfLine }: AnchorGroup): boolean {
  const isSame = machine.every(({ amount }, position) => amount === ptx[position]?.amount);
  return isOfLine && ptx.length === machine.length && isSame;
}

/** With what the machine code says of its own: the width of a lane, and whether lanes share an atomic. */
function ofMachine(cost: AccessCost, code: KernelMachineCode, anchor: MachineAnchor): AccessCost {
  const { width } = at(code.instructions, anchor.index);
  const isJoined = cost.direction === "atomic" && areLanesJoined(code, anchor);
  return { ...cost, width: width > 0 ? width : cost.width, passes: isJoined ? 1 : cost.passes };
}

/** Requests that were made, of those that the machine code would make if every guard held. */
function activeShare({ ptx, machine }: AnchorGroup, counts: MachineCounts, warps: number): number {
  const asked = ptx.reduce((sum, { amount, instruction }) => sum + amount * requestsOf(instruction), 0);
  const run = machine.reduce((sum, { amount, block }) => sum + amount * at(counts.blocks, block), 0);
  return run === 0 || ptx.some(({ amount }) => amount === 0)
    ? 1
    : Math.min(1, asked / Math.max(1, warps) / run);
}

function requestsOf({ access }: ExecutedInstruction): number {
  if (access === undefined) return 0;
  return Math.max(access.globalRequests, access.sharedRequests, access.localRequests);
}

function costOf({ accesses, active, split }: Behaviour, executed: Executed, room: CacheRoom): AccessCost {
  const total = (read: (access: ExecutedAccess) => number): number =>
    accesses.reduce((sum, { access }) => sum + (access ? read(access) : 0), 0);
  const first = at(accesses, 0);
  const requests = accesses.reduce((sum, each) => sum + requestsOf(each), 0);
  // One instruction loads the matrices for which PTX has one access each.
  const executions = accesses.reduce((sum, each) => sum + each.executions, 0);
  const made = isFragmentLoad(first) ? executions * split : requests;
  const perRequest = (read: (access: ExecutedAccess) => number): number => total(read) / Math.max(1, made);
  const isCopy = first.opcode === "cp";
  const { access, bytes: width, isFloat } = known(first.access, "the access of a memory instruction");
  const direction = isCopy ? "copy" : access;
  // Copies of 16 bytes pass by the first level, narrower ones fill it.
  const isNearby = direction === "load" || (isCopy && width < bytesOfVector);
  const reuse = reuseOfAll(accesses);
  const served = servedBy(reuse, executed, room, !isNearby);
  const [sectors, ideal] = [perRequest(sectorsOf), perRequest(({ idealSectors }) => idealSectors)];
  return {
    space: isCopy ? "global" : known(spaceOf(first), "the memory that an anchor went to"),
    direction,
    active,
    width: Math.min(bytesOfVector, (width * requests) / Math.max(1, made)),
    sectors,
    lines: Math.max(
      1,
      perRequest(({ lines, localSectors }) => lines + localSectors / sectorsOfLine),
    ),
    partial: direction === "store" ? partialShare(sectors, ideal) : 0,
    unfilled:
      direction === "store"
        ? partialShare(
            reuse.first,
            total(({ idealSectors }) => idealSectors),
          )
        : 0,
    wavefronts: perRequest(({ wavefronts }) => wavefronts),
    passes: Math.max(
      1,
      perRequest(({ globalPasses, sharedPasses }) => globalPasses + sharedPasses),
    ),
    spread: reuse.first < sectors ? spreadBehind(accesses, executed) : Math.max(1, reuse.first),
    isFloat: isFloat === true,
    ...served,
  };
}

/**
 * Distinct sectors of atomics that go to sectors which others have touched before, as to the next member of
 * a structure: each sector is counted where it was touched first. They are those of atomics that move as many
 * in as many requests.
 */
function spreadBehind(accesses: readonly ExecutedInstruction[], { instructions }: Executed): number {
  const alike = instructions.filter((other) => accesses.some((one) => isAlike(one, other)));
  return Math.max(1, ...alike.map(({ access }) => access?.reuse?.first ?? 0));
}

function isAlike({ access }: ExecutedInstruction, { access: other }: ExecutedInstruction): boolean {
  if (access === undefined || other?.access !== access.access) return false;
  return sectorsOf(access) === sectorsOf(other) && access.globalRequests === other.globalRequests;
}

function sectorsOf({ sectors, localSectors }: ExecutedAccess): number {
  return sectors + localSectors;
}

/**
 * Of the sectors that a store touches, those that it does not fill: none where they are as many as the bytes
 * need, two where the bytes begin within one and end within another, all where lanes are apart.
 */
function partialShare(sectors: number, ideal: number): number {
  return sectors === 0 ? 0 : Math.min(1, Math.max(0, 2 * (1 - ideal / sectors)));
}

/** Accesses that PTX does not have: registers kept in local memory, and what no anchor stands for. */
function unmatched({ operation }: PlacedInstruction): boolean {
  return /^(?:load|store|atomic)-(?:global|shared|local|generic)$|^async-copy$/.test(operation.class);
}

/** A coalesced access: local memory is interleaved, so that it always is one. */
function coalesced({ operation, width }: PlacedInstruction, local: Served): AccessCost {
  const [direction = "load", place = "global"] = operation.class.split("-");
  const bytes = Math.max(4, width);
  const space = place === "shared" || place === "local" ? place : "global";
  const isCopy = operation.class === "async-copy";
  return {
    space: isCopy ? "global" : space,
    direction: isCopy ? "copy" : (direction as AccessCost["direction"]),
    active: operation.name === "LDGDEPBAR" ? 0 : 1,
    width: bytes,
    sectors: bytes,
    lines: bytes / sectorsOfLine,
    wavefronts: bytes / sectorsOfLine,
    partial: 0,
    unfilled: 0,
    passes: 1,
    spread: 1,
    isFloat: false,
    ...(space === "local" ? local : { firstLevel: 0, memory: 0, awaited: 0 }),
  };
}

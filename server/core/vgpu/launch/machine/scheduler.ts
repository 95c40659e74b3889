import { barrierKinds, blockStates, lanes, pcFlags, staticLayout, warpLayout, warpTurns } from "../../layout";
import { joinRequests, writeResult } from "./barrier-requests";
import { advanceEpoch, blocksLeft, lastWarp, liveWarps } from "./block-state";
import type { Machine } from "./machine";
import { failApart, failGathering, failOperands, failUnreached } from "../findings/stuck";
import type { LaunchRequest } from "./types";
import { bitCount } from "../../numbers";

/** Instructions that run before the host is asked whether to go on. */
export const slice = 50_000;

/**
 * "waiting": every thread of the block at work that can run waits for something that only other blocks can
 * do.
 */
export type RangeResult = "completed" | "budget" | "stopped" | "waiting";

/**
 * Slices after which other blocks get a turn too, when threads may wait for each other in ways that do not
 * show.
 */
const firstTurn = 64;
const leastTurn = 2;

/** What bounds the work of one launch. */
export class Limits {
  /** Warp-level instructions run so far, here, and left for the whole launch. */
  used = 0;
  remaining: number;

  constructor(private readonly request: Pick<LaunchRequest, "instructionBudget" | "shouldStop" | "share">) {
    this.remaining = request.instructionBudget;
  }

  spend(instructions: number): void {
    this.used += instructions;
    this.remaining = this.request.share
      ? this.request.share.spend(instructions)
      : this.remaining - instructions;
  }

  shouldStop(): boolean {
    return this.request.shouldStop?.() ?? false;
  }
}

/** One warp's request at a barrier. */
interface Waiting {
  /** Linear address. */
  readonly warp: number;
  readonly id: number;
  readonly count: number;
  readonly kind: number;
}

/**
 * Runs blocks of threads on a machine. The machine's own code takes them through their ordinary barriers;
 * what is left for the host are named, partial and arriving barriers, reductions (PTX ISA section 9.7.13.1),
 * the limits, and to say what is wrong when nothing can run any more.
 */
export class BlockScheduler {
  private turn = firstTurn;

  constructor(
    private readonly machine: Machine,
    private readonly limits: Limits,
  ) {}

  /** Runs the machine's range of blocks until it ends or the block at work waits. */
  run(): RangeResult {
    const { machine, limits } = this;
    const canWait = machine.layout.slots > 1;
    let [slices, block] = [0, -1];
    for (;;) {
      if (limits.remaining <= 0) return "budget";
      const gift = Math.min(slice, limits.remaining);
      machine.refuel(gift);
      const state = machine.runBlocks();
      limits.spend(gift - machine.remainingFuel());
      if (state === blockStates.finished) return "completed";
      if (limits.shouldStop()) return "stopped";
      if (state === blockStates.stuck) failGathering(machine, lastWarp(machine));
      this.openBarriers(state === blockStates.barrier);
      if (state === blockStates.spinning) return "waiting";
      if (!canWait) continue;
      const left = blocksLeft(machine);
      slices = left === block ? slices + 1 : 0;
      block = left;
      if (slices < this.turn) continue;
      this.turn = Math.max(leastTurn, this.turn >> 1);
      return "waiting";
    }
  }

  /** All warps that wait, after a look at those that the host has to look after. */
  private waiting(): Waiting[] {
    const { machine } = this;
    const { view } = machine;
    const found: Waiting[] = [];
    for (let index = 0; index < machine.layout.warpCount; index += 1) {
      const warp = machine.warpAt(index);
      const turn = view.getInt32(warp + warpLayout.turn, true);
      if (turn !== warpTurns.waits && turn !== warpTurns.asks) continue;
      const read = (offset: number): number => view.getInt32(warp + offset, true);
      const request = {
        warp,
        id: read(warpLayout.barrierId),
        count: read(warpLayout.barrierCount),
        kind: read(warpLayout.barrierKind),
      };
      if (turn === warpTurns.asks) this.check(request);
      found.push(request);
    }
    return found;
  }

  private check({ warp, id, count }: Waiting): void {
    const { view } = this.machine;
    const [active, live] = [
      view.getInt32(warp + warpLayout.active, true),
      view.getInt32(warp + warpLayout.live, true),
    ];
    // Only lanes at the lowest place are active, so that others that live are elsewhere, perhaps at a barrier
    // too.
    if (active !== live && !joinRequests(this.machine, warp)) failApart(this.machine, warp);
    if (id < 0 || id > 15)
      failOperands(this.machine, warp, `waits at barrier ${id}, which does not exist (0 to 15 do)`);
    if (count !== -1 && (count <= 0 || count % lanes !== 0)) {
      failOperands(
        this.machine,
        warp,
        `waits at barrier ${id} for ${count} threads, which is no multiple of 32`,
      );
    }
  }

  /**
   * Opens every barrier that all expected threads have reached. When nothing else can run, one has to open:
   * else the block is stuck.
   */
  private openBarriers(nothingRuns: boolean): void {
    let opened = false;
    const waiting: Waiting[] = [];
    const missed: { readonly first: Waiting; readonly present: number; readonly expected: number }[] = [];
    for (const request of this.waiting()) {
      if (request.kind !== barrierKinds.arrive) waiting.push(request);
      else {
        this.arrived(request.id, this.arrived(request.id) + lanes);
        this.machine.sanitizer.order?.arrive(request.warp, request.id);
        this.release(request.warp);
        opened = true;
      }
    }
    for (const id of new Set(waiting.map((request) => request.id))) {
      const group = waiting.filter((request) => request.id === id);
      const count = group[0]?.count ?? -1;
      const present = group.length * lanes + this.arrived(id);
      // Without a count all threads of the block that have not exited take part.
      const expected = count === -1 ? liveWarps(this.machine) * lanes : count;
      const [first] = group;
      if (present < expected && first) missed.push({ first, present, expected });
      if (present < expected) continue;
      opened = true;
      // A barrier that fewer threads open than wait at it has opened more than once.
      const each = count === -1 ? group.length : Math.max(1, (count - this.arrived(id)) / lanes);
      for (let at = 0; at < group.length; at += each)
        this.machine.sanitizer.order?.meet(
          group.slice(at, at + each).map(({ warp }) => warp),
          id,
          count === -1,
        );
      this.arrived(id, 0);
      this.reduce(group);
      for (const { warp } of group) this.release(warp);
    }
    const [stuck] = missed;
    if (nothingRuns && !opened && stuck) failUnreached(this.machine, { ...stuck.first, ...stuck });
  }

  /** Threads that have arrived at a barrier without waiting; a second argument sets the number. */
  private arrived(id: number, value?: number): number {
    const at = this.machine.base + staticLayout.arrived + 4 * id;
    if (value !== undefined) this.machine.view.setInt32(at, value, true);
    return this.machine.view.getInt32(at, true);
  }

  /**
   * Results of barrier reductions over the predicates of all threads that take part in one; warps that wait
   * without a reduction get none.
   */
  private reduce(waiting: readonly Waiting[]): void {
    const group = waiting.filter(({ kind }) => kind >= barrierKinds.and);
    const [first] = group;
    if (!first) return;
    const { view } = this.machine;
    const read = (warp: number, offset: number): number => view.getInt32(warp + offset, true);
    const bits = group.map(({ warp }) => ({
      set: read(warp, warpLayout.barrierBits),
      live: read(warp, warpLayout.live),
    }));
    const total = bits.reduce((sum, { set }) => sum + bitCount(set), 0);
    const all = bits.every(({ set, live }) => (set & live) === live);
    const value =
      first.kind === barrierKinds.popc ? total : (first.kind === barrierKinds.and ? all : total > 0) ? -1 : 0;
    for (const { warp } of group) writeResult(this.machine, warp, value);
  }

  private release(warp: number): void {
    const { machine } = this;
    const { view } = machine;
    for (let lane = 0; lane < lanes; lane += 1) {
      const place = warp + warpLayout.lanePc + 4 * lane;
      const value = view.getInt32(place, true);
      if (value !== pcFlags.exited) view.setInt32(place, value & ~pcFlags.barrier, true);
    }
    machine.resume(warp);
    view.setInt32(warp + warpLayout.turn, warpTurns.runs, true);
    view.setInt32(warp + warpLayout.spun, 0, true);
    advanceEpoch(machine);
  }
}

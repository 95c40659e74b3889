import { invariant } from "../../../base/assert";
import { barrierKinds, blockStates, lanes, pcFlags, staticLayout, warpLayout, warpTurns } from "../../layout";
import { bitCount } from "../../numbers";
import { failApart, failGathering, failOperands, failUnreached } from "../findings/stuck";
import { joinRequests, writeResult } from "../state/barrier-requests";
import { advanceEpoch, blocksLeft, lastWarp, liveWarps } from "../state/block-state";
import type { LaunchRequest } from "../state/types";
import type { Machine } from "./machine";

/** Instructions that run before the host checks the limits. */
const slice = 50_000;
/** The same where distances of reuse have to be as if warps ran side by side. */
const shortSlice = 400;

/**
 * "waiting": every runnable thread of the current block waits for something that only other blocks can do.
 */
export type RangeResult = "completed" | "budget" | "stopped" | "waiting";

/**
 * Slices after which other blocks get a turn, for threads that wait for each other in ways that the analysis
 * does not see. Halved at each use down to the least.
 */
const firstTurn = 64;
const leastTurn = 2;
/** The first turn where waiting threads are to try many times. */
const longTurn = 256;

/** The instruction budget and the cancellation of one launch. */
export class Limits {
  /** Warp-level instructions that this thread has run. */
  used = 0;
  /** Warp-level instructions left for the whole launch. */
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
interface BarrierRequest {
  /** Linear address. */
  readonly warp: number;
  readonly id: number;
  /** Threads that open the barrier; -1: all of the block that have not exited. */
  readonly count: number;
  readonly kind: number;
}

/** Warps that wait at one barrier: at least one, all with the same count. */
interface BarrierGroup {
  readonly first: BarrierRequest;
  readonly requests: readonly BarrierRequest[];
  /** Threads that are there, those that arrived without waiting included, and threads that open it. */
  readonly present: number;
  readonly expected: number;
}

/**
 * Runs the blocks of a machine's range. Generated code opens ordinary block-wide barriers itself. The host
 * opens named, partial and arriving barriers and reductions (PTX ISA section 9.7.13.1), enforces the limits,
 * and reports what is wrong when nothing can run.
 */
export class BlockScheduler {
  private turn: number;

  constructor(
    private readonly machine: Machine,
    private readonly limits: Limits,
  ) {
    this.turn = machine.state.request.order === "descending" ? longTurn : firstTurn;
  }

  /** Runs the range until it ends or the current block waits for others. */
  run(): RangeResult {
    const { state } = this.machine;
    const own = state.clusters.in(state.slot);
    if (own) own.stage = "runs";
    const canWait = state.plan.slots > 1;
    let [slices, block] = [0, -1];
    for (;;) {
      const ended = this.runSlice();
      if (ended !== undefined) return ended;
      if (!canWait) continue;
      const left = blocksLeft(state);
      slices = left === block ? slices + 1 : 0;
      block = left;
      if (slices < this.turn) continue;
      this.turn = Math.max(leastTurn, this.turn >> 1);
      return "waiting";
    }
  }

  /** Runs one slice and opens barriers; undefined while the range can go on. */
  private runSlice(): RangeResult | undefined {
    const { machine, limits } = this;
    const { state } = machine;
    if (limits.remaining <= 0) return "budget";
    const amount = Math.min(state.request.executed === true ? shortSlice : slice, limits.remaining);
    machine.fuel.fill(amount);
    const result = machine.runBlocks();
    limits.spend(amount - machine.fuel.remaining);
    if (result === blockStates.finished) return "completed";
    if (limits.shouldStop()) return "stopped";
    if (result === blockStates.stuck) failGathering(machine.state, lastWarp(machine.state));
    const isWaiting = this.openBarriers(result === blockStates.barrier);
    return isWaiting || result === blockStates.spinning ? "waiting" : undefined;
  }

  /** All warps that wait at a barrier. Fails on an invalid request. */
  private waiting(): BarrierRequest[] {
    const { state } = this.machine;
    const { view } = state;
    const found: BarrierRequest[] = [];
    for (let index = 0; index < state.plan.warpCount; index += 1) {
      const warp = state.warpAt(index);
      const turn = view.getInt32(warp + warpLayout.turn, true);
      if (turn !== warpTurns.waits && turn !== warpTurns.asks) continue;
      const read = (offset: number): number => view.getInt32(warp + offset, true);
      if (turn === warpTurns.asks) this.check(warp);
      found.push({
        warp,
        id: read(warpLayout.barrierId),
        count: read(warpLayout.barrierCount),
        kind: read(warpLayout.barrierKind),
      });
    }
    return found;
  }

  private check(warp: number): void {
    const { state } = this.machine;
    const read = (offset: number): number => state.view.getInt32(warp + offset, true);
    const [id, count] = [read(warpLayout.barrierId), read(warpLayout.barrierCount)];
    // Only the lanes with the lowest program counter are active; the other live lanes may wait at a barrier
    // too.
    const isDivergent = read(warpLayout.active) !== read(warpLayout.live);
    if (isDivergent && !joinRequests(state, warp)) failApart(state, warp);
    if (id < 0 || id > 15)
      failOperands(state, warp, `waits at barrier ${id}, which does not exist (0 to 15 do)`);
    if (count !== -1 && (count <= 0 || count % lanes !== 0)) {
      failOperands(state, warp, `waits at barrier ${id} for ${count} threads, which is no multiple of 32`);
    }
  }

  /**
   * Opens every barrier that all expected threads have reached. `nothingRuns`: no warp can run, so the block
   * is stuck unless a barrier opens. True: its threads wait for other blocks of the cluster.
   */
  private openBarriers(nothingRuns: boolean): boolean {
    const all = this.waiting();
    const requests = all.filter(({ kind }) => kind >= barrierKinds.sync);
    const ofCluster = all.filter(({ kind }) => kind < barrierKinds.sync);
    const passed = ofCluster.filter((request) => this.machine.cluster.meets(request));
    for (const { warp } of passed) this.release(warp);
    const arriving = requests.filter(({ kind }) => kind === barrierKinds.arrive);
    for (const { warp, id } of arriving) this.arrive(warp, id);
    const groups = this.groupsOf(requests.filter(({ kind }) => kind !== barrierKinds.arrive));
    const complete = groups.filter(({ present, expected }) => present >= expected);
    for (const group of complete) this.open(group);
    const stuck = groups.find(({ present, expected }) => present < expected);
    if (!nothingRuns || arriving.length + complete.length + passed.length > 0) return false;
    if (ofCluster.length > 0) return true;
    if (stuck) failUnreached(this.machine.state, { ...stuck.first, ...stuck });
    return false;
  }

  /** Groups waiting warps by barrier. */
  private groupsOf(waiting: readonly BarrierRequest[]): readonly BarrierGroup[] {
    const { state } = this.machine;
    return [...new Set(waiting.map(({ id }) => id))].map((id) => {
      const requests = waiting.filter((request) => request.id === id);
      const [first] = requests;
      invariant(first, "a group has a request");
      const { count } = first;
      return {
        first,
        requests,
        present: requests.length * lanes + this.arrived(id),
        expected: count === -1 ? liveWarps(state) * lanes : count,
      };
    });
  }

  /** A warp arrives at a barrier and goes on (`barrier.arrive`). */
  private arrive(warp: number, id: number): void {
    this.setArrived(id, this.arrived(id) + lanes);
    this.machine.sanitizer.order?.arrive(warp, id);
    this.release(warp);
  }

  private open({ first: { id, count }, requests }: BarrierGroup): void {
    // More warps than the barrier's count: it has opened several times.
    const each = count === -1 ? requests.length : Math.max(1, (count - this.arrived(id)) / lanes);
    for (let at = 0; at < requests.length; at += each)
      this.machine.sanitizer.order?.meet(
        requests.slice(at, at + each).map(({ warp }) => warp),
        id,
        count === -1,
      );
    this.setArrived(id, 0);
    this.reduce(requests);
    for (const { warp } of requests) this.release(warp);
  }

  /** Threads that have arrived at a barrier without waiting. */
  private arrived(id: number): number {
    const { base, view } = this.machine.state;
    return view.getInt32(base + staticLayout.arrived + 4 * id, true);
  }

  private setArrived(id: number, value: number): void {
    const { base, view } = this.machine.state;
    view.setInt32(base + staticLayout.arrived + 4 * id, value, true);
  }

  /** Writes the result of a barrier reduction (`barrier.red`) to the warps that asked for one. */
  private reduce(waiting: readonly BarrierRequest[]): void {
    const { state } = this.machine;
    const group = waiting.filter(({ kind }) => kind >= barrierKinds.and);
    const [first] = group;
    if (!first) return;
    const { view } = state;
    const bits = group.map(({ warp }) => ({
      set: view.getInt32(warp + warpLayout.barrierBits, true),
      live: view.getInt32(warp + warpLayout.live, true),
    }));
    const value = reductionOf(first.kind, bits);
    for (const { warp } of group) writeResult(state, warp, value);
  }

  /** Lets a warp run again. */
  private release(warp: number): void {
    const { machine } = this;
    const { view } = machine.state;
    for (let lane = 0; lane < lanes; lane += 1) {
      const place = warp + warpLayout.lanePc + 4 * lane;
      const value = view.getInt32(place, true);
      if (value !== pcFlags.exited) view.setInt32(place, value & ~pcFlags.barrier, true);
    }
    machine.resume(warp);
    view.setInt32(warp + warpLayout.turn, warpTurns.runs, true);
    view.setInt32(warp + warpLayout.spun, 0, true);
    advanceEpoch(machine.state);
  }
}

/** Result of a reduction: a count, or a predicate as 0 or -1. `set`: lanes whose predicate holds. */
function reductionOf(
  kind: number,
  warps: readonly { readonly set: number; readonly live: number }[],
): number {
  const total = warps.reduce((sum, { set }) => sum + bitCount(set), 0);
  if (kind === barrierKinds.popc) return total;
  const isTrue =
    kind === barrierKinds.and ? warps.every(({ set, live }) => (set & live) === live) : total > 0;
  return isTrue ? -1 : 0;
}

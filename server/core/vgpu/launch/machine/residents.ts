import { invariant } from "../../../base/assert";
import { staticLayout, warpLayout } from "../../layout";
import { Deadlock } from "../findings/deadlock";
import { FaultError } from "../findings/faults";
import { threadText } from "../findings/findings";
import { WaitingThreads } from "../findings/waiting-threads";
import { beginBlocks, lastWarp, takeBlocks } from "../state/block-state";
import { callersOf, lanesOf, lineOf, partyOf, placeOf } from "../state/lane-places";
import { Slots } from "../state/slots";
import type { Machine } from "./machine";
import { BlockScheduler, type Limits, type RangeResult } from "./scheduler";

/** Blocks given to generated code at once; the limits are checked on the way. */
const mostBlocksAtOnce = 1 << 30;

export type LaunchResult = Exclude<RangeResult, "waiting">;

/**
 * Runs the blocks of a launch in the order of their numbers, or the other way round, one at a time while none
 * waits for another. When all threads of a block only wait, the next blocks start beside it, up to as many as
 * the modelled GPU holds; from then on the resident blocks take turns.
 */
export class Residents {
  private readonly scheduler: BlockScheduler;
  private readonly slots: Slots;
  private readonly deadlock: Deadlock;
  /** Slots that hold a block, in the order of their turns, and slots that are free again. */
  private readonly resident: number[] = [0];
  private readonly free: number[] = [];
  /** The first block, the next one to start, and the end (exclusive). */
  private first = 0;
  private next = 0;
  private end = 0;
  /** Blocks to start before the resident ones get another turn. */
  private burst: number;

  constructor(
    private readonly machine: Machine,
    limits: Limits,
  ) {
    const { state, clock } = machine;
    this.scheduler = new BlockScheduler(machine, limits);
    this.slots = new Slots(state);
    this.deadlock = new Deadlock(state, this.slots, clock);
    this.burst = state.request.cooperative ? Infinity : 0;
  }

  /** Runs the blocks [from, end). Throws a FaultError when a thread faults. */
  run(from: number, end: number): LaunchResult {
    this.first = from;
    this.next = from;
    this.end = end;
    if (from >= end) return "completed";
    this.begin();
    this.startRest();
    for (let waited = 0, turn = 0; this.resident.length > 0;) {
      turn %= this.resident.length;
      const slot = this.resident[turn];
      invariant(slot !== undefined, "a turn belongs to a resident block");
      this.slots.enter(slot);
      const result = this.scheduler.run();
      if (result === "budget" || result === "stopped") return result;
      if (result === "completed") {
        waited = 0;
        this.endBlock(turn);
        continue;
      }
      this.next -= takeBlocks(this.machine.state);
      waited = this.machine.cluster.open() ? 0 : waited + 1;
      turn += 1;
      if (waited >= this.resident.length) {
        waited = 0;
        if (this.canStart) this.burst = Math.max(this.burst, this.resident.length);
        else if (!this.runGridBefore() && this.deadlock.isCertain(this.resident)) this.fail();
      }
      if (this.burst > 0 && this.canStart) turn = this.start();
    }
    this.resident.push(...this.free.splice(0, 1));
    return "completed";
  }

  private get canStart(): boolean {
    const { plan, clusters } = this.machine.state;
    return this.next < this.end && this.resident.length + clusters.size <= plan.slots;
  }

  /** A block has ended: others get its place, of clusters when a whole one has. */
  private endBlock(turn: number): void {
    const { state, cluster } = this.machine;
    const { clusters } = state;
    cluster.end();
    clusters.end(state.slot);
    if (clusters.size === 1 && this.next < this.end) return this.begin();
    this.free.push(...this.resident.splice(turn, 1));
    if (clusters.size === 1) return;
    cluster.open();
    if (this.resident.length === 0 && this.canStart) this.start();
  }

  /** Runs the grid that this one's threads wait for; false where there is none any more. */
  private runGridBefore(): boolean {
    const { view, base, request } = this.machine.state;
    if (view.getInt32(base + staticLayout.gridBefore, true) === 0) return false;
    request.gridBefore?.();
    this.machine.state.view.setInt32(base + staticLayout.gridBefore, 0, true);
    return true;
  }

  /** Gives the current slot blocks to run: all that are left while it is the only one, else one. */
  private begin(): void {
    const { state } = this.machine;
    const { clusters } = state;
    const isDescending = state.request.order === "descending";
    const isSingle = this.resident.length > 1 || isDescending || clusters.isUsed;
    const count = isSingle ? 1 : Math.min(mostBlocksAtOnce, this.end - this.next);
    const number = isDescending ? this.first + this.end - 1 - this.next : this.next;
    if (clusters.isUsed) clusters.begin(state.slot, number);
    beginBlocks(state, clusters.placeOf(number), count);
    this.next += count;
  }

  /** Starts the next block, or the next cluster, in slots of its own; returns its first turn. */
  private start(): number {
    this.startOne();
    this.startRest();
    return this.resident.length - this.machine.state.clusters.size;
  }

  /** Starts the other blocks of the cluster whose first one has just been started. */
  private startRest(): void {
    for (let left = this.machine.state.clusters.size - 1; left > 0; left -= 1) this.startOne();
  }

  private startOne(): void {
    const slot = this.free.pop() ?? this.resident.length + this.free.length;
    this.burst -= 1;
    this.resident.push(slot);
    this.slots.enter(slot);
    this.begin();
  }

  /** Ends the launch with the deadlock of all resident blocks. */
  private fail(): never {
    const { state } = this.machine;
    const warp = lastWarp(state);
    const [lane = 0] = lanesOf(state.view.getInt32(warp + warpLayout.active, true));
    const own = placeOf(state, warp, lane);
    const callers = callersOf(state, own);
    const waiting = new WaitingThreads(own);
    for (const slot of this.resident) {
      this.slots.enter(slot);
      waiting.add(state);
    }
    const { text, party } = waiting.others();
    const at = own.what === undefined ? "" : ` at ${own.what}`;
    throw new FaultError({
      kind: "deadlock",
      message: `deadlock: ${threadText(own.thread, own.block)} waits${at} for what no thread will do any more${callers}${text}${this.otherBlocks()}`,
      ...lineOf(own),
      block: own.block,
      thread: own.thread,
      ...(party ? { other: partyOf(party) } : {}),
    });
  }

  /** What a deadlock's message says about the blocks that are not resident. */
  private otherBlocks(): string {
    const ended = this.next - this.first - this.resident.length;
    const left = this.end - this.next;
    const endedText = ended === 0 ? "" : `; ${ended} ${ended === 1 ? "block has" : "blocks have"} ended`;
    const leftText =
      left > 0 ? `; ${left} blocks have no place beside the ${this.resident.length} that wait` : "";
    return `${endedText}${leftText}`;
  }
}

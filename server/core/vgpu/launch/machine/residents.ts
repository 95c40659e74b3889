import { warpLayout } from "../../layout";
import { beginBlocks, lastWarp, takeBlocks } from "./block-state";
import { Deadlock } from "../findings/deadlock";
import { FaultError } from "../findings/faults";
import { threadText } from "../findings/findings";
import { callersOf, lanesOf, partyOf, placeOf } from "./lane-places";
import type { Machine } from "./machine";
import { BlockScheduler, type Limits, type RangeResult } from "./scheduler";
import { Slots } from "./slots";
import type { Triple } from "./types";
import { WaitingThreads } from "../findings/waiting-threads";

/** Blocks given to the generated code in one go; it asks about the limits on the way. */
const mostBlocksAtOnce = 1 << 30;

export type LaunchResult = Exclude<RangeResult, "waiting">;

/**
 * Runs the blocks of a launch in the order of their numbers, one at a time as long as none waits for another.
 * When all threads of a block only wait, the next blocks start beside it, up to as many as the modelled GPU
 * holds; from then on the resident blocks take turns.
 */
export class Residents {
  private readonly scheduler: BlockScheduler;
  private readonly slots: Slots;
  private readonly deadlock: Deadlock;
  /** Slots with a block, in the order of their turns, and those that are free again. */
  private readonly resident: number[] = [0];
  private readonly free: number[] = [];
  /** The first block, the one to start next, and where they end. */
  private first = 0;
  private next = 0;
  private end = 0;
  /** Blocks to start without waiting for the resident ones to have a turn. */
  private burst: number;

  constructor(
    private readonly machine: Machine,
    limits: Limits,
  ) {
    this.scheduler = new BlockScheduler(machine, limits);
    this.slots = new Slots(machine);
    this.deadlock = new Deadlock(machine, this.slots);
    this.burst = machine.request.cooperative ? Infinity : 0;
  }

  /**
   * Runs the blocks with these numbers, from inclusive to exclusive. Throws a FaultError when a thread does
   * what it must not.
   */
  run(from: number, end: number): LaunchResult {
    this.first = from;
    this.next = from;
    this.end = end;
    if (from >= end) return "completed";
    this.begin();
    for (let waited = 0, turn = 0; this.resident.length > 0;) {
      turn %= this.resident.length;
      this.slots.enter(this.resident[turn] ?? 0);
      const result = this.scheduler.run();
      if (result === "budget" || result === "stopped") return result;
      if (result === "completed") {
        waited = 0;
        if (this.next < end) this.begin();
        else this.free.push(...this.resident.splice(turn, 1));
        continue;
      }
      this.next -= takeBlocks(this.machine);
      waited += 1;
      turn += 1;
      if (waited >= this.resident.length) {
        waited = 0;
        if (this.canStart) this.burst = Math.max(this.burst, this.resident.length);
        else if (this.deadlock.isCertain(this.resident)) this.fail();
      }
      if (this.burst > 0 && this.canStart) turn = this.start();
    }
    this.resident.push(...this.free.splice(0, 1));
    return "completed";
  }

  private get canStart(): boolean {
    return this.next < this.end && this.resident.length < this.machine.layout.slots;
  }

  /** Gives the slot at work blocks to run: all that are left while it is alone, else one. */
  private begin(): void {
    const count = this.resident.length > 1 ? 1 : Math.min(mostBlocksAtOnce, this.end - this.next);
    const [width, height] = this.machine.request.grid;
    const first: Triple = [
      this.next % width,
      Math.floor(this.next / width) % height,
      Math.floor(this.next / (width * height)),
    ];
    beginBlocks(this.machine, first, count);
    this.next += count;
  }

  /** Starts the next block in a slot of its own; returns its turn. */
  private start(): number {
    const slot = this.free.pop() ?? this.resident.length;
    this.burst -= 1;
    this.resident.push(slot);
    this.slots.enter(slot);
    this.begin();
    return this.resident.length - 1;
  }

  private fail(): never {
    const { machine } = this;
    const warp = lastWarp(machine);
    const { view } = machine;
    const own = placeOf(machine, warp, lanesOf(view.getInt32(warp + warpLayout.active, true))[0] ?? 0);
    const { block, thread, what, file, line } = own;
    const callers = callersOf(machine, own);
    const waiting = new WaitingThreads(own);
    for (const slot of this.resident) {
      this.slots.enter(slot);
      waiting.add(machine);
    }
    const { text, party } = waiting.others();
    const count = this.next - this.first - this.resident.length;
    const ended = count === 0 ? "" : `; ${count} ${count === 1 ? "block has" : "blocks have"} ended`;
    const noPlace =
      this.next < this.end
        ? `; ${this.end - this.next} blocks have no place beside the ${this.resident.length} that wait`
        : "";
    throw new FaultError({
      kind: "deadlock",
      message: `deadlock: ${threadText(thread, block)} waits${what === undefined ? "" : ` at ${what}`} for what no thread will do any more${callers}${text}${ended}${noPlace}`,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      block,
      thread,
      ...(party ? { other: partyOf(party) } : {}),
    });
  }
}

import { at } from "../../base/known";
import type { Arrivals } from "./arrivals";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import type { Levels } from "./levels";
import type { MemorySystem } from "./memory-system";
import type { StallReason, StallTable } from "./stalls";
import { units } from "./units";
import { openBarrier, type WarpState } from "./warp";
import type { Step } from "./warp-program";

/** What the four sub-cores of a multiprocessor have in common. */
export interface Common {
  readonly timing: ArchitectureTiming;
  readonly memory: MemorySystem;
  readonly levels: Levels;
  readonly arrivals: Arrivals;
  readonly stalls: StallTable;
}

/**
 * One sub-core: of its warps it issues one instruction a clock. The warp that issued last goes on while it
 * can, then the oldest one that is ready has its turn.
 */
export class Issuer {
  /** Clocks that each unit was busy. */
  readonly unitClocks = new Float64Array(units.length);
  private readonly warps: WarpState[] = [];
  private latest: WarpState | undefined;
  private readonly unitFree = new Float64Array(units.length);
  /** When the last memory instructions left the queue, and which of these comes next. */
  private readonly accepted: number[];
  private nextAccepted = 0;
  private addressFree = 0;

  constructor(private readonly common: Common) {
    this.accepted = new Array<number>(common.timing.memory.requestsPerSubCore).fill(0);
  }

  add(warp: WarpState): void {
    this.warps.push(warp);
  }

  get residentWarps(): number {
    return this.warps.length;
  }

  /** Issues an instruction if one can; gives its warp, which has ended when it has no further step. */
  issue(clock: number): WarpState | undefined {
    const warp = this.select(clock);
    if (warp === undefined) return undefined;
    const step = warp.step;
    if (step === undefined) return undefined;
    this.explain(warp, step, clock);
    this.latest = warp;
    this.perform(warp, step, clock);
    warp.issued = clock;
    warp.ready = clock + step.stall;
    if (warp.walk.advance()) warp.ready = Math.max(warp.ready, clock + this.common.timing.latency.branch);
    warp.renew();
    if (warp.step === undefined) this.warps.splice(this.warps.indexOf(warp), 1);
    return warp;
  }

  /** The first clock at or after one at which something may issue; infinite without runnable warps. */
  nextAt(clock: number): number {
    let next = Infinity;
    for (const warp of this.warps) {
      const from = this.earliest(warp);
      if (from <= clock) return clock;
      if (from < next) next = from;
    }
    return Math.ceil(next);
  }

  private select(clock: number): WarpState | undefined {
    const { latest } = this;
    if (latest?.step !== undefined && this.earliest(latest) <= clock) return latest;
    for (const warp of this.warps) if (this.earliest(warp) <= clock) return warp;
    return undefined;
  }

  private earliest(warp: WarpState): number {
    const { step } = warp;
    if (step === undefined || warp.atBarrier) return Infinity;
    let from = warp.free;
    for (const { unit } of step.use.busy) {
      const free = at(this.unitFree, unit);
      if (free > from) from = free;
    }
    if (step.access === undefined) return from;
    return Math.max(from, at(this.accepted, this.nextAccepted));
  }

  private perform(warp: WarpState, step: Step, clock: number): void {
    this.common.stalls.issues[step.index] = (this.common.stalls.issues[step.index] ?? 0) + 1;
    for (const { unit, clocks } of step.use.busy) {
      this.unitFree[unit] = Math.max(clock, at(this.unitFree, unit)) + clocks;
      this.unitClocks[unit] = at(this.unitClocks, unit) + clocks;
    }
    if (step.isBarrier) {
      warp.atBarrier = true;
      warp.resident.waiting.push(warp);
      openBarrier(warp.resident, this.common.arrivals.at(clock) + this.common.timing.latency.barrier);
      return;
    }
    if (step.closesGroup) {
      warp.boards.take(step, { read: clock, done: warp.boards.copiesUntil });
      return;
    }
    if (step.access !== undefined) this.request(warp, step, clock);
    else warp.boards.take(step, { read: clock, done: clock + step.use.latency });
  }

  private request(warp: WarpState, step: Step, clock: number): void {
    const { memory, levels, timing } = this.common;
    const { access } = step;
    if (access === undefined) return;
    if (!warp.walk.asks(step.index, access.active)) {
      warp.boards.take(step, { read: clock + 1, done: clock + timing.latency.operandRead });
      return;
    }
    const { addressCyclesPerSubCore, subCorePassCycles } = timing.memory;
    const from = Math.max(clock, this.addressFree);
    const passes = access.space === "shared" ? access.wavefronts * subCorePassCycles : 0;
    this.addressFree = from + Math.max(addressCyclesPerSubCore, passes);
    const left = from + addressCyclesPerSubCore;
    const times = memory.access(access, left, levels.next(step.index, access));
    this.accepted[this.nextAccepted] = times.accepted;
    this.nextAccepted = (this.nextAccepted + 1) % this.accepted.length;
    if (access.direction === "copy") warp.boards.copiesUntil = Math.max(warp.boards.copiesUntil, times.done);
    warp.boards.take(step, times);
  }

  /** Books the clocks since the warp's last issue by what held it up, one cause after the other. */
  private explain(warp: WarpState, step: Step, clock: number): void {
    const { stalls } = this.common;
    let booked = warp.issued + 1;
    const book = (until: number, reason: StallReason, index = step.index): number => {
      const clocks = Math.min(until, clock) - booked;
      if (clocks <= 0) return 0;
      stalls.add(index, reason, clocks);
      booked += clocks;
      return clocks;
    };
    book(warp.barrierUntil, "barrier", warp.latestIndex);
    book(warp.ready, "fixed");
    for (const board of step.waits) {
      const { until, producer, kind } = at(warp.boards.taken, board);
      const clocks = book(until, kind);
      if (clocks > 0) stalls.addWait(step.index, producer, clocks);
    }
    if (step.atMost !== undefined) {
      const clocks = book(warp.boards.untilAtMost(step.atMost), "memory");
      if (clocks > 0)
        stalls.addWait(step.index, at(warp.boards.taken, step.atMost.scoreboard).producer, clocks);
    }
    for (const { unit } of step.use.busy) book(at(this.unitFree, unit), "unit");
    if (step.access !== undefined) book(at(this.accepted, this.nextAccepted), "queue");
    book(clock, "notSelected");
    warp.latestIndex = step.index;
  }
}

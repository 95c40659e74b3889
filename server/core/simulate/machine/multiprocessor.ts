import { at } from "../../base/known";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import { Arrivals } from "./arrivals";
import { BlockStarts } from "./block-starts";
import { BlockWays } from "./ways/block-ways";
import { type Common, Issuer } from "./issuer";
import { Levels } from "./levels";
import { MemorySystem, type MemoryShares, type MemoryWork } from "./memory-system";
import { type StallReason, stallReasons, StallTable } from "./stalls";
import { Turns } from "./ways/turns";
import { type Unit, units } from "./units";
import { openBarrier, type ResidentBlock, WarpState } from "./warp";
import type { WarpProgram } from "./warp-program";
import { walkedShare } from "./ways/walked-share";

/** What one multiprocessor does of a launch. */
interface MultiprocessorWork {
  readonly program: WarpProgram;
  readonly timing: ArchitectureTiming;
  readonly shares: MemoryShares;
  readonly warpsPerBlock: number;
  readonly residentBlocks: number;
  /** Blocks that it runs altogether. */
  readonly blocks: number;
  /** Blocks of the whole launch. */
  readonly allBlocks: number;
  /** Clocks between the starts of two blocks: those of all multiprocessors are handed out one by one. */
  readonly blockInterval: number;
  /** Instructions of the machine code. */
  readonly size: number;
  /** Issues after which the rest is extrapolated. */
  readonly budget: number;
}

/** One stretch of a multiprocessor's time. */
interface TimelineEntry {
  /** Clocks from the start. */
  readonly from: number;
  readonly clocks: number;
  readonly issued: number;
  /** Warp clocks by reason, booked when the warp issues again. */
  readonly stalls: Readonly<Record<StallReason, number>>;
}

export interface MultiprocessorTime {
  /** Clocks for all of its blocks, extrapolated where `simulatedShare` is below one. */
  readonly clocks: number;
  /** Of the instructions. */
  readonly simulatedShare: number;
  /**
   * Instructions issued over those that the counts give, of further blocks of the launch as well where its
   * own are no average; 1 where not all was simulated.
   */
  readonly walked: number;
  readonly simulatedClocks: number;
  readonly issues: number;
  readonly stalls: StallTable;
  readonly memory: MemoryWork;
  /** Clocks that each unit of the four sub-cores was busy. */
  readonly unitClocks: ReadonlyMap<Unit, number>;
  readonly timeline: readonly TimelineEntry[];
}

const subCores = 4;
const lanes = 32;
const timelineEntries = 64;

/** Runs the blocks of one multiprocessor, a few of them for many. */
export function simulateMultiprocessor(work: MultiprocessorWork): MultiprocessorTime {
  const stalls = new StallTable(work.size);
  const memory = new MemorySystem(work.timing, work.shares);
  const arrivals = new Arrivals(lanes / work.timing.rates.barrier);
  const common: Common = { timing: work.timing, memory, levels: new Levels(), arrivals, stalls };
  const issuers = Array.from({ length: subCores }, () => new Issuer(common));
  const run = new Run(work, issuers, stalls);
  run.simulate();
  const all = work.blocks * work.warpsPerBlock * Math.max(1, work.program.length);
  const simulatedShare = run.hasEnded ? 1 : Math.min(1, run.issues / all);
  const unitClocks = new Map(
    units.map((unit, n) => [unit, issuers.reduce((sum, issuer) => sum + at(issuer.unitClocks, n), 0)]),
  );
  return {
    clocks: run.hasEnded
      ? Math.max(run.clock, memory.settled)
      : run.clock + (all - run.issues) / run.steadyRate(),
    simulatedShare,
    walked: run.hasEnded ? walkedShare(work, run.turns, run.issues) : 1,
    simulatedClocks: run.clock,
    issues: run.issues,
    stalls,
    memory: memory.work,
    unitClocks,
    timeline: run.timeline(),
  };
}

/** What had happened at some clock. */
interface Sample {
  readonly issues: number;
  /** Warp clocks by reason. */
  readonly stalls: Float64Array;
}

/** The clock and the blocks of a simulation. */
class Run {
  clock = 0;
  issues = 0;
  private readonly starts: BlockStarts;
  private resident = 0;
  /** Issues at each so many clocks; the interval doubles when the list is full. */
  private samples: Sample[] = [];
  private interval = 256;
  readonly turns: Turns;

  constructor(
    private readonly work: MultiprocessorWork,
    private readonly issuers: readonly Issuer[],
    private readonly stalls: StallTable,
  ) {
    this.turns = new Turns(work.program);
    this.starts = new BlockStarts(work.blockInterval);
  }

  get hasEnded(): boolean {
    return this.resident === 0;
  }

  simulate(): void {
    const { residentBlocks, blocks, budget } = this.work;
    for (let n = 0; n < Math.min(residentBlocks, blocks); n += 1) this.startBlock();
    while (this.resident > 0 && this.issues < budget) {
      let next = Infinity;
      for (const issuer of this.issuers) {
        const ended = issuer.issue(this.clock);
        if (ended !== undefined) this.issues += 1;
        if (ended?.step === undefined && ended !== undefined) this.warpEnded(ended);
        next = Math.min(next, issuer.nextAt(this.clock + 1));
      }
      this.note();
      this.clock = next === Infinity ? this.clock + 1 : next;
    }
  }

  /** Instructions a clock over the later half of what was simulated. */
  steadyRate(): number {
    const half = at([...this.samples, this.sample()], this.samples.length >> 1).issues;
    const clocks = this.clock - (this.samples.length >> 1) * this.interval;
    return Math.max(1e-3, (this.issues - half) / Math.max(1, clocks));
  }

  timeline(): readonly TimelineEntry[] {
    const ends = [...this.samples.slice(1), this.sample()];
    return this.samples.map((start, n) => {
      const end = at(ends, n);
      const from = n * this.interval;
      const stalls = stallReasons.map((reason, place) => [
        reason,
        at(end.stalls, place) - at(start.stalls, place),
      ]);
      return {
        ...{ from, clocks: Math.min(this.interval, Math.max(1, this.clock - from)) },
        issued: end.issues - start.issues,
        stalls: Object.fromEntries(stalls) as Record<StallReason, number>,
      };
    });
  }

  private sample(): Sample {
    return { issues: this.issues, stalls: this.stalls.totals.slice() };
  }

  private note(): void {
    while (this.samples.length * this.interval <= this.clock) this.samples.push(this.sample());
    if (this.samples.length <= timelineEntries) return;
    this.samples = this.samples.filter((_, n) => n % 2 === 0);
    this.interval *= 2;
  }

  private startBlock(): void {
    const { program, warpsPerBlock, timing } = this.work;
    const before = this.starts.count;
    const start = this.starts.begin(this.clock);
    const block: ResidentBlock = {
      ...{ warps: warpsPerBlock, waiting: [] },
      ways: new BlockWays(this.turns, program.blocks.length),
    };
    const { blockStartCycles, blockWarpCycles, warpStartCycles } = timing.launch;
    const first = start + (before === 0 ? 0 : blockStartCycles + blockWarpCycles * warpsPerBlock);
    for (let n = 0; n < warpsPerBlock; n += 1) {
      const warp = new WarpState(program, block, this.turns);
      warp.ready = first + n * warpStartCycles;
      warp.issued = warp.ready;
      warp.renew();
      at(this.issuers, (before * warpsPerBlock + n) % subCores).add(warp);
    }
    this.resident += 1;
  }

  private warpEnded({ resident }: WarpState): void {
    resident.warps -= 1;
    if (resident.warps > 0) {
      openBarrier(resident, this.clock + this.work.timing.latency.barrier);
      return;
    }
    this.resident -= 1;
    if (this.starts.count < this.work.blocks) this.startBlock();
  }
}

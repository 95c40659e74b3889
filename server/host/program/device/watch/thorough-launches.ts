import { type KernelCounters, scaledCounters } from "../../../../core/timing/counters";
import type { DeviceLaunch } from "../launch-checks";

/** Launches of one kernel in one shape. */
interface Row {
  count: number;
  /** The last that was counted, with the instructions of its warps. */
  known?: { readonly counters: KernelCounters; readonly warpInstructions: number };
}

/**
 * Which launches of a program are counted and watched by detectors, and which only run: a program of a
 * thousand steps would take minutes, and its steps show the same. All are, until so many instructions have
 * been spent; then of a kernel in one shape the 1st, 2nd, 4th, 8th and so on.
 */
export class ThoroughLaunches {
  /** Launches that only ran, and others. */
  private plain = 0;
  private thorough = 0;
  private spent = 0;
  private readonly rows = new Map<string, Row>();

  /** `allowance`: warp-level instructions; all launches are thorough when left out. */
  constructor(private readonly allowance = Infinity) {}

  /** Call once for each launch. */
  isNext(launch: DeviceLaunch): boolean {
    const row = this.rowOf(launch);
    row.count += 1;
    const isThorough = this.spent < this.allowance || Number.isInteger(Math.log2(row.count));
    if (isThorough) this.thorough += 1;
    else this.plain += 1;
    return isThorough;
  }

  /** Takes over what a launch has counted. */
  learn(launch: DeviceLaunch, counters: KernelCounters, warpInstructions: number): void {
    this.spent += warpInstructions;
    this.rowOf(launch).known = { counters, warpInstructions };
  }

  /** What a launch that only ran would have counted, by the instructions of its warps. */
  countersOf(launch: DeviceLaunch, warpInstructions: number): KernelCounters | undefined {
    const { known } = this.rowOf(launch);
    if (known === undefined || known.warpInstructions === warpInstructions) return known?.counters;
    return scaledCounters(known.counters, warpInstructions / Math.max(1, known.warpInstructions));
  }

  /** What was not looked at. */
  told(): readonly { readonly kind: string; readonly message: string; readonly where: string }[] {
    const { plain, thorough } = this;
    if (plain === 0) return [];
    const all = (plain + thorough).toLocaleString("en-US");
    const message = `of the program's ${all} launches ${thorough.toLocaleString("en-US")} were counted and watched for races and uninitialised reads; the others, of the same kernels and grids, only ran`;
    return [{ kind: "told", message, where: "" }];
  }

  private rowOf({ module, kernel, grid, block, dynamicSharedBytes }: DeviceLaunch): Row {
    const key = JSON.stringify([Number(module), kernel, grid, block, dynamicSharedBytes]);
    const row = this.rows.get(key) ?? { count: 0 };
    this.rows.set(key, row);
    return row;
  }
}

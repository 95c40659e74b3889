/**
 * What a warp did in its clocks, as shares of all clocks of resident warps; `issued` and the reasons add up
 * to 1.
 */
export type WarpShares = Readonly<Record<WarpActivity, number>>;

/** Why a warp issued or did not, grouped as Nsight Compute groups stall reasons. */
export const warpActivities = [
  "issued",
  "fixed",
  "memory",
  "shared",
  "other",
  "barrier",
  "unit",
  "queue",
  "notSelected",
] as const;
export type WarpActivity = (typeof warpActivities)[number];

/** How much of a launch is simulated: all that its budget allows, or the beginning. */
export type SimulationExtent = "whole" | "briefly";

/** The blocks that stand for a launch of which not all were run. */
export interface LaunchSample {
  readonly blocks: number;
  /** Of all. */
  readonly of: number;
  /** By how much of the mean a block's instructions and sectors may be off, as a fraction. */
  readonly error: number;
}

/** A line of the source in the simulation. */
export interface LineTime {
  readonly file: string;
  /** One-based; 0 for machine code that belongs to no line. */
  readonly line: number;
  /** Of all clocks of resident warps: those that warps spent at this line. */
  readonly share: number;
  /** Machine instructions that one warp issues there, on average. */
  readonly instructions: number;
  /** Parts of `share`. */
  readonly activities: WarpShares;
  /** Lines whose results it waits for, the longest wait first; parts of `share`. */
  readonly waitsFor: readonly { readonly file: string; readonly line: number; readonly share: number }[];
}

/** A stretch of the simulated multiprocessor's time. */
export interface TimelineStretch {
  readonly fromNanoseconds: number;
  readonly instructionsPerClock: number;
  readonly activities: WarpShares;
}

/** The modelled time of one launch on one GPU, by simulation of the machine code on one multiprocessor. */
export interface LaunchModel {
  readonly kernel: string;
  readonly gpu: string;
  readonly architecture: string;
  readonly nanoseconds: number;
  /** What events around a launch tell beside that: they do so of a kernel that does nothing. */
  readonly launchNanoseconds: number;
  readonly clockGigahertz: number;
  /** Left out where all blocks were counted. */
  readonly sample?: LaunchSample;
  /** Of the multiprocessor that has most to do. */
  readonly blocks: number;
  readonly residentBlocks: number;
  readonly residentWarps: number;
  readonly clocks: number;
  /** Share of its instructions that were simulated; the rest goes on at the same pace. */
  readonly simulatedShare: number;
  readonly instructionsPerClock: number;
  /** How the counts of PTX were mapped to machine code. */
  readonly mapping: {
    readonly method: "graph" | "lines";
    /** Share by which the mapped counts deviate from what was counted. */
    readonly deviation: number;
    /** Instructions of a warp on average. */
    readonly ptxInstructions: number;
    readonly machineInstructions: number;
    /**
     * Instructions that the simulated warps issued to their end over those that they issue by the counts; 1
     * where not all was simulated.
     */
    readonly walked: number;
  };
  /**
   * Shares of the time that units were busy; DRAM and the second level by this multiprocessor's share of
   * them.
   */
  readonly busy: Readonly<Record<string, number>>;
  readonly activities: WarpShares;
  /** Those with the largest share first. */
  readonly lines: readonly LineTime[];
  readonly timeline: readonly TimelineStretch[];
}

/**
 * True where the simulated warps issued about as many instructions as were counted. Counts that several ways
 * through the code explain may lead the warps past a loop: such a time says nothing.
 */
export function isWalkedAsCounted({ mapping }: Pick<LaunchModel, "mapping">): boolean {
  return mapping.walked > 0.5 && mapping.walked < 2;
}

/** From this share of the time on, a unit that is busy keeps a launch from being faster. */
const limitingShare = 0.7;
const issuesAtMost = 4;

/**
 * What a simulated launch spends most of its time on: the unit that is busy nearly all the time, named as in
 * `busy`; else the issue of instructions, or what its warps wait for most.
 */
export function limitOf({
  busy,
  activities,
  instructionsPerClock,
}: Pick<LaunchModel, "busy" | "activities" | "instructionsPerClock">): string {
  const [unit, share] = greatest(Object.entries(busy));
  if (share >= limitingShare) return unit;
  if (instructionsPerClock >= limitingShare * issuesAtMost) return "issue";
  const waits = Object.entries(activities).filter(([name]) => name !== "issued" && name !== "notSelected");
  return greatest(waits)[0];
}

function greatest(entries: readonly (readonly [string, number])[]): readonly [string, number] {
  return entries.reduce((most, each) => (each[1] > most[1] ? each : most), ["issue", 0]);
}

/** The most by which counts on the machine code may deviate from those of PTX. */
const mostDeviation = 0.25;

/** Machine instructions for each of PTX: fewer would say that parts of the code were not found. */
export const fewestOfEach = 0.3;

/**
 * True where a simulated time may decide between two versions: the counts of PTX fit the machine code's
 * control flow, and the warps went the ways that were counted.
 */
export function isTrusted(model: Pick<LaunchModel, "mapping">): boolean {
  const { method, deviation, ptxInstructions, machineInstructions } = model.mapping;
  if (machineInstructions < fewestOfEach * ptxInstructions) return false;
  return method === "graph" && deviation <= mostDeviation && isWalkedAsCounted(model);
}

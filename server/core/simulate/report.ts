import { at, mustGet } from "../base/known";
import { ByLine } from "../cubin/index";
import type { GpuModel } from "../timing/gpu-model";
import { timingOf } from "../timing/gpu-timing";
import type {
  LaunchModel,
  LineTime,
  TimelineStretch,
  WarpActivity,
  WarpShares,
} from "../timing/execution/launch-model";
import { type StallReason, stallReasons } from "./machine/stalls";
import { units } from "./machine/units";
import type { LaunchTime, SimulatedLaunch } from "./simulate-launch";

const subCores = 4;
const waitsOfLine = 3;

/** What a simulated launch says, in plain data. */
export function launchModel(
  kernel: string,
  launch: SimulatedLaunch,
  { time, gpu }: { readonly time: LaunchTime; readonly gpu: GpuModel },
): LaunchModel {
  const { multiprocessor, counts, program } = time;
  const { simulatedClocks, issues, stalls } = multiprocessor;
  const architecture = `sm_${gpu.capability.replace(".", "")}`;
  const executions = launch.executed.instructions.reduce((sum, each) => sum + each.executions, 0);
  const warpClocks = issues + stalls.totals.reduce((sum, clocks) => sum + clocks, 0);
  return {
    kernel,
    gpu: gpu.name,
    architecture,
    nanoseconds: time.nanoseconds,
    launchNanoseconds: timingOf(architecture).launch.eventNanoseconds,
    clockGigahertz: time.clockGigahertz,
    blocks: time.blocks,
    residentBlocks: time.residentBlocks,
    residentWarps: time.residentBlocks * Math.ceil(launch.shape.threadsPerBlock / 32),
    clocks: multiprocessor.clocks,
    simulatedShare: multiprocessor.simulatedShare,
    instructionsPerClock: issues / Math.max(1, simulatedClocks),
    mapping: {
      method: counts.method,
      deviation: counts.deviation,
      ptxInstructions: executions / Math.max(1, launch.executed.warps),
      machineInstructions: program.length,
      walked: multiprocessor.walked,
    },
    busy: busyShares(time),
    activities: sharesOf(warpClocks, issues, (reason) => at(stalls.totals, stallReasons.indexOf(reason))),
    lines: linesOf(launch, time, warpClocks),
    timeline: timelineOf(time),
  };
}

function busyShares({ multiprocessor }: LaunchTime): LaunchModel["busy"] {
  const { memory, unitClocks, simulatedClocks } = multiprocessor;
  const clocks = Math.max(1, simulatedClocks);
  return {
    ...Object.fromEntries(units.map((unit) => [unit, mustGet(unitClocks, unit) / subCores / clocks])),
    loadStore: memory.loadStore / clocks,
    secondLevel: memory.secondLevel / clocks,
    dram: memory.memory / clocks,
    atomics: memory.atomics / clocks,
  };
}

function sharesOf(all: number, issues: number, of: (reason: StallReason) => number): WarpShares {
  const share = (clocks: number): number => (all === 0 ? 0 : clocks / all);
  const entries: [WarpActivity, number][] = stallReasons.map((reason) => [reason, share(of(reason))]);
  return Object.fromEntries([["issued", share(issues)], ...entries]) as WarpShares;
}

function timelineOf({ multiprocessor, clockGigahertz }: LaunchTime): readonly TimelineStretch[] {
  return multiprocessor.timeline.map(({ from, clocks, issued, stalls }) => {
    const all = issued + stallReasons.reduce((sum, reason) => sum + stalls[reason], 0);
    return {
      fromNanoseconds: from / clockGigahertz,
      instructionsPerClock: issued / clocks,
      activities: sharesOf(all, issued, (reason) => stalls[reason]),
    };
  });
}

interface Place {
  readonly file: string;
  readonly line: number;
}

interface LineSum extends Place {
  issues: number;
  readonly reasons: Record<StallReason, number>;
  readonly waits: ByLine<{ readonly place: Place; clocks: number }>;
}

/** Sums by the line that a reader is told: the user's own, where code comes from a header of the toolkit. */
function linesOf(launch: SimulatedLaunch, time: LaunchTime, warpClocks: number): readonly LineTime[] {
  const placeOf = shownPlaces(launch);
  const sums = new ByLine<LineSum>();
  const sumAt = (index: number): LineSum => {
    const place = placeOf(index);
    const reasons = Object.fromEntries(stallReasons.map((reason) => [reason, 0]));
    return sums.at(place.file, place.line, () => ({
      ...{ ...place, issues: 0, waits: new ByLine() },
      reasons: reasons as Record<StallReason, number>,
    }));
  };
  const { stalls, issues } = time.multiprocessor;
  for (const index of launch.code.instructions.keys()) {
    const sum = sumAt(index);
    sum.issues += at(stalls.issues, index);
    for (const reason of stallReasons) sum.reasons[reason] += stalls.of(index, reason);
  }
  for (const [key, clocks] of stalls.waits) {
    const place = placeOf(key % stalls.size);
    const { waits } = sumAt(Math.floor(key / stalls.size));
    waits.at(place.file, place.line, () => ({ place, clocks: 0 })).clocks += clocks;
  }
  const perWarp = time.program.length / Math.max(1, issues);
  return sums
    .sorted()
    .map((sum) => lineTime(sum, warpClocks, perWarp))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
}

function lineTime({ file, line, issues, reasons, waits }: LineSum, all: number, perWarp: number): LineTime {
  const activities = sharesOf(all, issues, (reason) => reasons[reason]);
  return {
    ...{ file, line, activities },
    share: Object.values(activities).reduce((sum, each) => sum + each, 0),
    instructions: issues * perWarp,
    waitsFor: waits
      .sorted()
      .sort((a, b) => b.clocks - a.clocks)
      .slice(0, waitsOfLine)
      .map(({ place, clocks }) => ({ ...place, share: clocks / Math.max(1, all) })),
  };
}

/** The place that is told for each machine instruction. */
function shownPlaces({ executed, code }: SimulatedLaunch): (index: number) => Place {
  const shown = new ByLine<Place>();
  for (const { file, line, shownFile, shownLine } of executed.instructions)
    shown.at(file, line, () => ({ file: shownFile, line: shownLine }));
  return (index) => {
    const { file, line } = at(code.instructions, index);
    return shown.at(file, line, () => ({ file, line }));
  };
}

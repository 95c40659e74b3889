import { expect, test } from "vitest";
import { barsOf } from "../../client/webview/performance/geometry/bars";
import { memoryChart } from "../../client/webview/performance/geometry/memory-chart";
import { rooflineOf, usualWork } from "../../client/webview/performance/geometry/roofline";
import { timelineOf } from "../../client/webview/performance/geometry/timeline";
import { readShape } from "../../server/core/base/shape";
import type { CorrectVerdict } from "../../server/core/judge/verdict";
import { modelledBound } from "../../server/core/timing/bound";
import { noCounters, sumCounters } from "../../server/core/timing/counters";
import { warpActivities } from "../../server/core/timing/execution/launch-model";
import { defaultGpu, gpuNamed } from "../../server/core/timing/gpu-model";
import type { LaunchProfile } from "../../server/core/timing/launch-profile";
import { judgedFigure } from "../../server/core/timing/pictures/judged-figure";
import { performanceFigure } from "../../server/core/timing/pictures/figure";
import {
  performanceParams,
  performanceView,
} from "../../server/host/lsp/handlers/code/performance/performance-shape";
import type {
  ComparedFigure,
  PerformanceView,
  SimulationView,
} from "../../server/protocol/performance-views";
import { expectCase } from "../harness/cases";

/** Two launches: one computes with tiles in shared memory, the other moves and adds up. */
const launches: readonly LaunchProfile[] = [
  {
    ...{ kernel: "tiles", blocks: 432, threadsPerBlock: 256, registersPerThread: 64 },
    ...{ sharedBytes: 16_384, footprintBytes: 32 * 2e6 },
    counters: {
      ...noCounters(),
      ...{ instructions: 4e6, fp32Instructions: 2e6, fp32Flops: 128e6, tensorFlops: 2e9 },
      ...{ globalLoadRequests: 5e5, globalLoadBytes: 64e6, globalLoadSectors: 4e6 },
      ...{ globalLoadSectorsIdeal: 2e6, sharedLoadBytes: 2e8, sharedWavefronts: 3e6 },
      ...{ sharedWavefrontsIdeal: 1e6, globalStoreSectors: 1e5, globalStoreSectorsIdeal: 1e5 },
      ...{ globalStoreBytes: 32e5, globalStoreRequests: 25_000 },
      loadReuse: { first: 1e6, sameBlock: [1e6, 5e5], otherBlocks: [5e5, 0, 1e6] },
      storeReuse: { first: 1e5, sameBlock: [], otherBlocks: [] },
    },
  },
  {
    ...{ kernel: "sum", blocks: 64, threadsPerBlock: 128, registersPerThread: 16, times: 3 },
    ...{ sharedBytes: 0, footprintBytes: 32 * 1e5 },
    counters: {
      ...noCounters(),
      ...{ instructions: 2e5, fp32Instructions: 2e4, fp32Flops: 64e4 },
      ...{ globalLoadRequests: 25_000, globalLoadBytes: 32e5, globalLoadSectors: 1e5 },
      ...{ globalLoadSectorsIdeal: 1e5, globalAtomics: 192, globalAtomicSectors: 192 },
      loadReuse: { first: 1e5, sameBlock: [], otherBlocks: [] },
    },
  },
];

const figure = (
  role: ComparedFigure["role"],
  gpu: Parameters<typeof performanceFigure>[1],
): ComparedFigure => ({
  role,
  title: `Now, on ${gpu.name}`,
  simulatedNanoseconds: role === "now" ? 90_000 : null,
  ...performanceFigure(launches, gpu, "work"),
});
const figures = [figure("now", defaultGpu("sm_80")), figure("other", gpuNamed("H100 SXM"))];

/** Warps that load, of which nothing is booked in the second stretch, and then work. */
const simulation: SimulationView = {
  ...{ kernel: "tiles", gpu: "A100 40GB SXM", nanoseconds: 4_000, residentWarps: 32, simulatedShare: 0.5 },
  ...{ instructionsPerClock: 1.25, isSound: true, busy: [{ unit: "tensor", share: 0.5 }] },
  stretches: [
    { fromNanoseconds: 0, instructionsPerClock: 2, shares: shares({ issued: 0.5, fixed: 0.5 }) },
    { fromNanoseconds: 500, instructionsPerClock: 0, shares: shares({}) },
    {
      fromNanoseconds: 1000,
      instructionsPerClock: 1,
      shares: shares({ issued: 0.2, memory: 0.6, barrier: 0.2 }),
    },
  ],
};

function shares(some: Partial<Record<(typeof warpActivities)[number], number>>): readonly number[] {
  return warpActivities.map((activity) => some[activity] ?? 0);
}

/** To a tenth, as far as a picture goes; what is small keeps three digits. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each !== "number") return each;
      return Math.abs(each) < 10 ? Number(each.toPrecision(3)) : Math.round(each * 10) / 10;
    }),
  );
}

const view: PerformanceView = {
  ...{ kernel: "work", target: "vgpu:sm_80", shapes: ["n=4096"], shape: 0, gpus: ["H100 SXM"], figures },
  ...{ trouble: "", measuredNanoseconds: null, simulation, notSimulated: "" },
};

test("numbers become slopes, roofs, points, bars, arrows and bands", () => {
  const order = warpActivities.map((_, index) => index);
  expectCase("profile/pictures.json", {
    work: usualWork(figures),
    roofline: rounded(withoutLaunches(rooflineOf(figures, "operations"))),
    byInstructions: rounded(withoutLaunches(rooflineOf(figures.slice(0, 1), "instructions"))),
    bars: rounded(barsOf(figures)),
    memory: rounded(memoryChart(figures[0]?.memory ?? [])),
    timeline: rounded(timelineOf(simulation, order)),
  });
});

/** Launches are told by their names. */
function withoutLaunches(roofline: ReturnType<typeof rooflineOf>): unknown {
  return {
    ...roofline,
    points: roofline.points.map(({ launch, ...rest }) => ({ launch: launch.kernel, ...rest })),
  };
}

test("a kernel that does nothing is drawn too: axes without points, no bar, no arrow", () => {
  const none: ComparedFigure = {
    role: "now",
    ...{ title: "", simulatedNanoseconds: null },
    ...performanceFigure([], defaultGpu("sm_80"), "empty"),
  };
  const { points, xTicks, yTicks } = rooflineOf([none], usualWork([none]));
  expect({ points, ticks: [xTicks.length, yTicks.length], bars: barsOf([none]).groups }).toEqual({
    ...{ points: [], ticks: [5, 4], bars: [] },
  });
  expect(memoryChart(none.memory).arrows).toEqual([]);
  expect(timelineOf({ ...simulation, stretches: [] }, [0]).bands).toEqual([]);
});

test("a verdict is drawn as its launches were counted; launches of several shapes as one, with the verdict's time", () => {
  const gpu = defaultGpu("sm_80");
  const [tiles, sum] = launches;
  const judged = (of: readonly (LaunchProfile | undefined)[]): CorrectVerdict => {
    const all = of.filter((launch) => launch !== undefined);
    return {
      ...{ kind: "correct", tier: "full", cases: [], facts: [], bound: modelledBound(all, gpu) },
      counters: {
        origin: "virtual-gpu",
        lines: [],
        totals: sumCounters(all.map(({ counters }) => counters)),
      },
      launches: all.map(({ counters, times = 1, ...shape }) => ({
        ...{ ...shape, times, bound: modelledBound([{ ...shape, times, counters }], gpu) },
      })),
      evidence: { sourceDigest: "", target: "vgpu:sm_80", specDigest: "", sizes: {} },
    };
  };
  expect(judgedFigure(judged([sum]), gpu, "work")).toEqual({
    isWhole: true,
    figure: performanceFigure(
      [sum].filter((launch) => launch !== undefined),
      gpu,
      "work",
    ),
  });
  const both = judgedFigure(judged([tiles, sum]), gpu, "work");
  const whole = performanceFigure(launches, gpu, "work");
  expect(both).toMatchObject({
    isWhole: false,
    figure: { nanoseconds: whole.nanoseconds, terms: whole.terms, memory: [{}, {}, {}, {}, {}, {}, {}, {}] },
  });
  expect(both?.figure.launches.map(({ kernel, times }) => `${kernel} ${times}`)).toEqual(["tiles 4"]);
  expect(judgedFigure({ ...judged([sum]), launches: [] }, gpu, "work")).toBeUndefined();
});

const [first] = figures;

test.each<readonly [string, unknown, string]>([
  ["as it is", view, ""],
  ["no simulation, a measured time", { ...view, simulation: null, measuredNanoseconds: 12.5 }, ""],
  ["an infinite time", { ...view, figures: [{ ...first, nanoseconds: Infinity }] }, "figures[0].nanoseconds"],
  ["text of the source", { ...view, source: "__global__ void work()" }, 'there is no field "source"'],
  ["another role", { ...view, figures: [{ ...first, role: "best" }] }, "figures[0].role"],
  [
    "too many stretches",
    { ...view, simulation: { ...simulation, stretches: Array(65).fill(simulation.stretches[0]) } },
    "simulation.stretches",
  ],
])("what the page is given is checked: %s", (_, given, fault) => {
  const read = readShape(performanceView, given);
  expect(read.ok ? "" : read.problem.split(":")[0]).toBe(fault);
  if (read.ok) expect(read.value).toEqual(given);
});

test.each<readonly [unknown, string]>([
  [{ uri: "file:///a.cu", kernel: "work", shape: 1, gpu: "H100 SXM", again: true }, ""],
  [{ uri: "file:///a.cu", kernel: "work" }, ""],
  [{ uri: "file:///a.cu", kernel: "work", shape: 1.5 }, "shape"],
  [{ uri: "file:///a.cu", shape: 0 }, "kernel"],
])("what is asked for is checked: %j", (given, fault) => {
  const read = readShape(performanceParams, given);
  expect(read.ok ? "" : read.problem.split(":")[0]).toBe(fault);
});

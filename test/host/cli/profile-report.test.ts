import { expect, test } from "vitest";
import {
  type CounterName,
  type LineCounters,
  type ReuseCounters,
  noCounters,
  sumCounters,
} from "../../../server/core/timing/counters";
import { defaultGpu } from "../../../server/core/timing/gpu-model";
import { counterChanges } from "../../../server/core/words/describe";
import { type KernelProfile, summarizeProfile } from "../../../server/core/words/profile";
import { describeOccupancy, summaryRows } from "../../../server/core/words/profile-text";
import { architectureWords, profileReport, readArchitectures } from "../../../server/host/cli/profile-report";
import { lineMarkdown } from "../../../server/host/lsp/views/line-detail";
import { expectCaseText } from "../../harness/cases";

/** The words for a launch of so many blocks, and the faults of one more line of code. */
function wordsFor(blocks: number, counters: Parameters<typeof line>[1] = {}): readonly string[] {
  const added = line(9, counters);
  const sums = sumCounters([added]);
  const [launch] = profile.profiles;
  const one: KernelProfile = {
    ...profile,
    counters: { origin: "virtual-gpu", lines: [added], totals: sums },
    profiles: launch ? [{ ...launch, blocks, counters: sums }] : [],
  };
  const summary = summarizeProfile(one, defaultGpu("sm_80"));
  const [, text = ""] = summaryRows(summary, one).find(([label]) => label === "occupancy") ?? [];
  return [describeOccupancy(summary), text, ...summary.lines.flatMap(({ faults }) => faults)];
}

function line(number: number, counters: Partial<Record<CounterName, number>> & ReuseCounters): LineCounters {
  return { file: "histogram.cu", line: number, ...noCounters(), ...counters };
}

const lines: readonly LineCounters[] = [
  line(7, {
    instructions: 40_000,
    threadInstructions: 1_280_000,
    memoryInstructions: 10_000,
    integerInstructions: 30_000,
    globalLoadRequests: 10_000,
    globalLoadSectors: 320_000,
    globalLoadSectorsIdeal: 40_000,
    globalLoadBytes: 1_280_000,
    globalBytesRequested: 1_280_000,
    loadReuse: {
      first: 40_000,
      sameBlock: [200_000, 0, 0, 0, 0, 0, 40_000],
      otherBlocks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40_000],
    },
  }),
  line(8, {
    instructions: 10_000,
    threadInstructions: 320_000,
    memoryInstructions: 10_000,
    atomics: 10_000,
    sharedAtomics: 10_000,
    sharedAtomicLanes: 320_000,
    sharedAtomicPasses: 45_000,
    sharedAtomicWorst: 32,
  }),
  line(10, {
    instructions: 6000,
    threadInstructions: 100_000,
    fp32Instructions: 4000,
    controlInstructions: 2000,
    fp32Flops: 150_000,
    branches: 2000,
    divergentBranches: 500,
    sharedLoadRequests: 10,
    sharedLoadBytes: 1280,
    sharedWavefronts: 80,
    sharedWavefrontsIdeal: 10,
    sharedConflictWays: 8,
    localRequests: 30,
    localLoadRequests: 30,
    localLoadBytes: 3840,
    localSectors: 120,
  }),
  line(12, {
    instructions: 500,
    threadInstructions: 16_000,
    memoryInstructions: 500,
    atomics: 500,
    globalAtomics: 500,
    globalAtomicLanes: 16_000,
    globalAtomicSectors: 2000,
    globalAtomicPasses: 500,
    globalAtomicWorst: 1,
    storeReuse: { first: 32, sameBlock: [], otherBlocks: [1968] },
  }),
];

const profile: KernelProfile = {
  kernel: "histogram",
  counters: { origin: "virtual-gpu", lines, totals: sumCounters(lines) },
  profiles: [
    {
      counters: sumCounters(lines),
      blocks: 500,
      threadsPerBlock: 256,
      registersPerThread: 40,
      sharedBytes: 1024,
      footprintBytes: 1_300_000,
    },
  ],
  facts: [
    {
      kernel: "histogram",
      architecture: "sm_80",
      registers: 40,
      spillStoreBytes: 0,
      spillLoadBytes: 24,
      stackBytes: 0,
      sharedBytes: 1024,
      machineCode: [
        {
          file: "histogram.cu",
          line: 7,
          instructions: 12,
          staticStallCycles: 30,
          spillInstructions: 0,
          mix: { integer: 12 },
        },
        {
          file: "histogram.cu",
          line: 8,
          instructions: 1,
          staticStallCycles: 1,
          spillInstructions: 0,
          mix: { "atomic-shared": 1 },
        },
      ],
    },
  ],
};

test("the report of a kernel on one GPU", () => {
  expectCaseText(
    "profile/one-gpu.txt",
    `${profileReport([profile], [defaultGpu("sm_80")], { width: 120 }).join("\n")}\n`,
  );
});

test("the report on a narrow terminal", () => {
  const report = profileReport([profile], [defaultGpu("sm_80")], { width: 80 });
  expectCaseText("profile/narrow.txt", `${report.join("\n")}\n`);
  expect(report.filter((row) => row.length > 80)).toEqual([]);
});

test("every counter of each line", () => {
  expectCaseText(
    "profile/details.txt",
    `${profileReport([profile], [defaultGpu("sm_80")], { width: 100, details: true }).join("\n")}\n`,
  );
});

test("a row for each architecture", () => {
  expectCaseText(
    "profile/all-gpus.txt",
    `${profileReport([profile], readArchitectures("all") ?? [], { width: 120 }).join("\n")}\n`,
  );
});

test("architectures by name; sm_75 to sm_120 are there", () => {
  expect(architectureWords()).toEqual([
    "sm_70",
    "sm_75",
    "sm_80",
    "sm_86",
    "sm_87",
    "sm_89",
    "sm_90",
    "sm_100",
    "sm_103",
    "sm_120",
    "sm_121",
    "all",
  ]);
  expect(readArchitectures("sm_90")?.map(({ name }) => name)).toEqual(["H100 SXM"]);
  expect(readArchitectures("sm_12")).toBeUndefined();
});

test("what an editor shows over a line", () => {
  const summary = summarizeProfile(profile, defaultGpu("sm_80"));
  const text = lines
    .map((each) =>
      lineMarkdown(
        each,
        summary.lines.find(({ counters }) => counters === each),
      ),
    )
    .join("\n\n");
  expectCaseText("profile/hovers.md", `${text}\n`);
});

/** Counters as an earlier version wrote them, which did not look at reuse. */
function withoutReuse<Counters extends object>(counters: Counters): Counters {
  return Object.fromEntries(Object.entries(counters).filter(([name]) => !name.endsWith("Reuse"))) as Counters;
}

test("counters of an earlier version, which knew less, are reported without what they lack", () => {
  const totals = withoutReuse(profile.counters.totals);
  const old: KernelProfile = {
    ...profile,
    facts: [],
    profiles: profile.profiles.map((each) => ({ ...each, counters: totals })),
    counters: { origin: "virtual-gpu", lines: lines.map(withoutReuse), totals },
  };
  const report = profileReport([old], [defaultGpu("sm_80")], { width: 120 }).join("\n");
  expect(report).not.toMatch(/DRAM [\d.]+ \w+\)|back to DRAM|byte of DRAM/);
  expect(report).toContain("1.22 MiB asked for, 9.77 MiB in sectors");
});

test("a launch that fills no GPU, and counts that are no waste, are told as what they are", () => {
  const loads = { globalLoadRequests: 100, globalLoadBytes: 12_800 };
  const again = { first: 4, sameBlock: [196], otherBlocks: [] };
  expectCaseText(
    "profile/told-and-not-told.txt",
    [
      ["one block", wordsFor(1)],
      ["all but one multiprocessor", wordsFor(107)],
      ["half of what fits", wordsFor(324)],
      ["all that fits", wordsFor(648)],
      ["a broadcast", wordsFor(648, { ...loads, globalLoadSectors: 200, globalLoadSectorsIdeal: 100 })],
      [
        "a broadcast, again and again",
        wordsFor(648, { ...loads, globalLoadSectors: 200, globalLoadSectorsIdeal: 100, loadReuse: again }),
      ],
      ["scattered", wordsFor(648, { ...loads, globalLoadSectors: 500, globalLoadSectorsIdeal: 100 })],
      ["predicated", wordsFor(648, { branches: 50, divergentBranches: 20, predicatedBranches: 20 })],
      ["predicated in part", wordsFor(648, { branches: 50, divergentBranches: 20, predicatedBranches: 5 })],
    ]
      .map(
        ([name, words]) =>
          `${String(name)}\n${[words]
            .flat()
            .map((text) => `  ${text}\n`)
            .join("")}`,
      )
      .join(""),
  );
});

test("one pass through the banks is no conflict, and none is neither", () => {
  const changes = (before: number, after: number): readonly string[] =>
    counterChanges(
      { ...noCounters(), sharedConflictWays: before },
      { ...noCounters(), sharedConflictWays: after },
    ).map((change) => `${change.label}: ${change.before} → ${change.after}`);
  expect([changes(0, 1), changes(1, 0), changes(0, 4)]).toEqual([[], [], ["bank conflict ways: 0 → 4"]]);
});

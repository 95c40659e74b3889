import { expect, test } from "vitest";
import { noCounters } from "../../../server/core/timing/counters";
import { defaultGpu } from "../../../server/core/timing/gpu-model";
import type { LaunchProfile } from "../../../server/core/timing/launch-profile";
import type { KernelProfile } from "../../../server/core/words/profile";
import { rankKernels } from "../../../server/core/words/ranking";

const a100 = defaultGpu("sm_80");
const sectorsOfMicrosecond = (1555 * 1000) / 32;

/** A kernel that moves so many microseconds of sectors, of which the distinct ones take `least`. */
function kernel(name: string, microseconds: number, least: number, times = 1): KernelProfile {
  const counters = {
    ...noCounters(),
    globalLoadSectors: microseconds * sectorsOfMicrosecond,
    loadReuse: {
      first: least * sectorsOfMicrosecond,
      sameBlock: [],
      // Distances that no cache holds.
      otherBlocks: [...Array<number>(17).fill(0), (microseconds - least) * sectorsOfMicrosecond],
    },
  };
  const launch: LaunchProfile = {
    counters,
    blocks: 108 * 8 * times,
    threadsPerBlock: 256,
    registersPerThread: 32,
    sharedBytes: 0,
    footprintBytes: 32 * least * sectorsOfMicrosecond,
    times,
  };
  const line = { ...counters, file: `${name}.cu`, line: 3 };
  return {
    kernel: name,
    counters: { origin: "virtual-gpu", lines: [line], totals: counters },
    profiles: [launch],
    facts: [],
  };
}

test("kernels are ranked by what is left of the program's time, not by how slow they are alone", () => {
  const kernels = [
    kernel("tenfold_of_two_percent", 20, 2),
    kernel("twofold_of_forty_percent", 400, 200),
    kernel("at_its_floor", 580, 580),
  ];
  const ranked = rankKernels(kernels, a100).map(({ kernel: name, share, programSpeedup, binding, file }) => [
    ...[name, share.toFixed(2), programSpeedup.toFixed(3), binding, file],
  ]);
  expect(ranked).toEqual([
    ["twofold_of_forty_percent", "0.40", "1.250", "dram", "twofold_of_forty_percent.cu"],
    ["tenfold_of_two_percent", "0.02", "1.018", "dram", "tenfold_of_two_percent.cu"],
    ["at_its_floor", "0.58", "1.000", "dram", "at_its_floor.cu"],
  ]);
});

test("simulated times count where all launches have one, and the bound stands for the others", () => {
  const simulated = (each: KernelProfile, microseconds: number, gpu = a100.name): KernelProfile => ({
    ...each,
    profiles: each.profiles.map((launch) => ({
      ...launch,
      simulated: { gpu, nanoseconds: 1000 * microseconds },
    })),
  });
  const kernels = [
    simulated(kernel("waits_for_atomics", 10, 10), 600),
    simulated(kernel("as_its_bound", 100, 100), 100),
    kernel("not_simulated", 300, 300),
    simulated(kernel("simulated_on_another_gpu", 200, 200), 900, "another"),
  ];
  const ranked = rankKernels(kernels, a100).map(({ kernel: name, nanoseconds, by, share }) => [
    ...[name, Math.round(nanoseconds / 1000), by, share.toFixed(3)],
  ]);
  expect(ranked).toEqual([
    ["waits_for_atomics", 600, "simulation", "0.500"],
    ["as_its_bound", 100, "simulation", "0.083"],
    ["not_simulated", 300, "bound", "0.250"],
    ["simulated_on_another_gpu", 200, "bound", "0.167"],
  ]);
});

test("many short launches have one wait for memory each as their floor", () => {
  const [ranked] = rankKernels([kernel("short", 1, 0.1, 100)], a100);
  expect(ranked).toMatchObject({ launches: 100, floorNanoseconds: 100 * 400 });
  expect(rankKernels([], a100)).toEqual([]);
});

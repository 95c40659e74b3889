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

test("many short launches have one wait for memory each as their floor", () => {
  const [ranked] = rankKernels([kernel("short", 1, 0.1, 100)], a100);
  expect(ranked).toMatchObject({ launches: 100, floorNanoseconds: 100 * 400 });
  expect(rankKernels([], a100)).toEqual([]);
});

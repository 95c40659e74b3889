import { expect, test } from "vitest";
import { type KernelCounters, noCounters } from "../../../server/core/timing/counters";
import type { DeviceLaunch } from "../../../server/host/program/device/launch-checks";
import { ThoroughLaunches } from "../../../server/host/program/device/watch/thorough-launches";

function launchOf(kernel: string): DeviceLaunch {
  return {
    ...{ module: 1n, kernel, grid: [1, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0 },
    ...{ dynamicSharedLimit: 0, cooperative: false, counted: false, sampled: false },
    ...{ breaksWhenRefused: false, triton: false, where: "", parameters: new Uint8Array() },
  };
}

function countersOf(instructions: number): KernelCounters {
  return { origin: "virtual-gpu", lines: [], totals: { ...noCounters(), instructions } };
}

/** Launches of kernels of 10 instructions each: a capital for those that are watched, then what is told. */
function watched(allowance: number | undefined, launches: string): string {
  const thorough = new ThoroughLaunches(allowance);
  const run = [...launches].map((kernel) => {
    if (!thorough.isNext(launchOf(kernel))) return kernel;
    thorough.learn(launchOf(kernel), countersOf(10), 10);
    return kernel.toUpperCase();
  });
  return `${run.join("")} ${thorough.told().length}`;
}

test.each<readonly [string, number | undefined, string, string]>([
  ["without an allowance all are watched", undefined, "aaaaaaaaab", "AAAAAAAAAB 0"],
  ["within it too", 100, "aaaaaaaaab", "AAAAAAAAAB 0"],
  [
    "beyond it the 1st, 2nd, 4th and 8th of each kernel are, and it is said",
    20,
    "aaaaaaaaab",
    "AAaAaaaAaB 1",
  ],
])("%s", (_, allowance, launches, expected) => {
  expect(watched(allowance, launches)).toBe(expected);
});

test("a launch that only ran counts as the last watched one of its kernel, by its instructions", () => {
  const thorough = new ThoroughLaunches(0);
  const launch = launchOf("a");
  expect(thorough.countersOf(launch, 10)).toBe(undefined);
  thorough.learn(launch, countersOf(10), 10);
  const counted = [10, 25].map(
    (instructions) => thorough.countersOf(launch, instructions)?.totals.instructions,
  );
  expect(counted).toEqual([10, 25]);
});

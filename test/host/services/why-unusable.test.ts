import { expect, test } from "vitest";
import type { CapturedProgram } from "../../../server/host/services/services";
import { whyUnusable } from "../../../server/host/services/workload/why-unusable";

const fold = { found: { spec: { kernel: "fold" } } } as CapturedProgram["workloads"][number];

test.each<readonly [string, Parameters<typeof whyUnusable>[0], readonly string[]]>([
  ["nothing was launched", { launches: 0, notes: [], workloads: [] }, []],
  [
    "what is said of the kernel comes alone",
    { launches: 3, notes: ["a.cu::spin: too large", "a.cu::other: no source"], workloads: [fold] },
    ["a.cu::spin: too large"],
  ],
  [
    "other kernels are named once",
    { launches: 9, notes: [], workloads: [fold, fold] },
    ["what it launches is fold"],
  ],
  [
    "what is said of others is told",
    { launches: 1, notes: ["k: no source"], workloads: [] },
    ["k: no source"],
  ],
  [
    "code of a library",
    { launches: 2, notes: [], workloads: [] },
    ["what it launches is in no file of this folder"],
  ],
])("%s", (_, ran, why) => {
  expect(whyUnusable(ran, "spin")).toEqual(why);
});

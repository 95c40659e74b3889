import { expect, test } from "vitest";
import { timeThatCounts } from "../../../server/core/judge/time-that-counts";
import type { CorrectVerdict, Verdict } from "../../../server/core/judge/verdict";

interface Times {
  readonly bound: number;
  readonly simulated?: number;
  readonly fillsGpu?: boolean;
  /** On the GPU of a name. */
  readonly measured?: readonly [string, number];
}

/** A correct version of which so much is known. */
function version({ bound, simulated, fillsGpu, measured }: Times): CorrectVerdict {
  const shapes = measured && [{ sizes: {}, cache: "cold", nanoseconds: measured[1], isSteady: true }];
  return {
    ...{ kind: "correct", tier: "full", cases: [], facts: [] },
    counters: { origin: "virtual-gpu", lines: [], totals: {} } as never,
    evidence: { sourceDigest: "", target: "", specDigest: "", sizes: {} },
    bound: {
      ...{ gpu: "A100", nanoseconds: bound, terms: {}, binding: "dram" },
      ...(simulated === undefined ? {} : { simulatedNanoseconds: simulated }),
      ...(fillsGpu === undefined ? {} : { fillsGpu }),
    },
    ...(measured && { measured: { before: { uuid: measured[0] }, shapes } as never }),
  };
}

const failed: Verdict = { kind: "refused", reason: "" };

test.each<[string, readonly (Times | undefined)[], string, readonly number[]]>([
  [
    "simulated times that differ clearly",
    [{ bound: 3000, simulated: 9000 }, undefined, { bound: 2000, simulated: 7000 }],
    "simulation",
    [9000, 7000],
  ],
  [
    "simulated times that differ little",
    [
      { bound: 3000, simulated: 9000 },
      { bound: 2000, simulated: 8500 },
    ],
    "bound",
    [3000, 2000],
  ],
  [
    "simulated times of a launch that does not fill the GPU",
    [
      { bound: 3000, simulated: 9000, fillsGpu: false },
      { bound: 2000, simulated: 6000 },
    ],
    "bound",
    [3000, 2000],
  ],
  [
    "simulated times of a launch that does not fill the GPU, one far below the other",
    [
      { bound: 3000, simulated: 9000, fillsGpu: false },
      { bound: 3100, simulated: 4400, fillsGpu: false },
    ],
    "simulation",
    [9000, 4400],
  ],
  [
    "a simulated time of one alone",
    [{ bound: 3000, simulated: 9000 }, { bound: 2000 }],
    "bound",
    [3000, 2000],
  ],
  [
    "times of the same GPU",
    [
      { bound: 3000, simulated: 9000, measured: ["a", 500] },
      { bound: 2000, simulated: 1000, measured: ["a", 700] },
    ],
    "measured",
    [500, 700],
  ],
  [
    "times of two GPUs",
    [
      { bound: 3000, measured: ["a", 500] },
      { bound: 2000, measured: ["b", 700] },
    ],
    "bound",
    [3000, 2000],
  ],
])("%s", (_, known, by, times) => {
  const verdicts = known.map((each) => (each === undefined ? failed : version(each)));
  const time = timeThatCounts(verdicts);
  const correct = verdicts.filter((each) => each.kind === "correct");
  expect([time.by, correct.map(time.of)]).toEqual([by, times]);
});

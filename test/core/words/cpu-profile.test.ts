import { expect, test } from "vitest";
import { cpuProfileOf } from "../../../server/core/words/cpu-profile";
import type { ProfileSummary } from "../../../server/core/words/profile";

const kernel = (
  name: string,
  nanoseconds: number,
  shares: readonly (readonly [line: number, share: number])[],
): ProfileSummary =>
  ({
    kernel: name,
    bound: { nanoseconds },
    lines: shares.map(([line, share]) => ({
      counters: { file: "src/a.cu", line },
      share,
    })),
  }) as unknown as ProfileSummary;

/** Microseconds of each sample by the rule of the format: until the next one, the last until the end. */
function timesOf({ samples, timeDeltas, startTime, endTime }: ReturnType<typeof cpuProfileOf>): number[] {
  const starts = timeDeltas.map((_, index) =>
    timeDeltas.slice(0, index + 1).reduce((sum, delta) => sum + delta, startTime),
  );
  return samples.map((_, index) => (starts[index + 1] ?? endTime) - (starts[index] ?? 0));
}

test("a CPU profile divides the modelled time of each kernel among its lines", () => {
  const profile = cpuProfileOf(
    [
      kernel("scale<float>", 4000, [
        [7, 0.75],
        [3, 0.25],
        [4, 0],
      ]),
      kernel("sum", 1000, [[12, 1]]),
    ],
    (file) => `file:///w/${file}`,
  );
  const tree = profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber }, children }) =>
    [id, functionName, url, lineNumber, children.join()].join(" "),
  );
  expect(tree).toEqual([
    "1 (root)  -1 2,5",
    "2 scale<float>  -1 3,4",
    "3 a.cu:7 file:///w/src/a.cu 6 ",
    "4 a.cu:3 file:///w/src/a.cu 2 ",
    "5 sum  -1 6",
    "6 a.cu:12 file:///w/src/a.cu 11 ",
  ]);
  expect([profile.samples, timesOf(profile), profile.endTime]).toEqual([[3, 4, 6], [3, 1, 1], 5]);
});

test("a program without kernels has a profile without samples", () => {
  expect(cpuProfileOf([], String)).toMatchObject({ samples: [], timeDeltas: [], startTime: 0, endTime: 0 });
});

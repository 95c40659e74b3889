import { expect, test } from "vitest";
import { launchCaps, withinLaunches } from "../../../server/core/workload/probe/shapes/launch-caps";

interface Case {
  readonly title: string;
  readonly launches: readonly number[];
  readonly caps: Readonly<Record<string, number>>;
}

const settings = [
  { rows: 601, cols: 67 },
  { rows: 97, cols: 389 },
  { rows: 331, cols: 53 },
  { rows: 83, cols: 263 },
];

const cases: readonly Case[] = [
  { title: "a launch for each row", launches: [601, 97, 331, 83], caps: { rows: 256 } },
  {
    title: "two launches for each column, and one more",
    launches: [135, 779, 107, 527],
    caps: { cols: 128 },
  },
  { title: "launches that no size decides", launches: [2, 2, 2, 2], caps: {} },
  { title: "a launch for each element", launches: [40_267, 37_733, 17_543, 21_829], caps: {} },
  { title: "a launch for each 100 rows, rounded up", launches: [7, 1, 4, 1], caps: {} },
];

test.each(cases)("$title", ({ launches, caps }) => {
  expect(Object.fromEntries(launchCaps(settings, launches, ["rows", "cols"]))).toEqual(caps);
});

test("each of the proposed shapes has fewer launches, an odd number in the odd ones", () => {
  const caps = new Map([["rows", 256]]);
  const values = [1024, 1031, 17, 523].map((value, shape) =>
    withinLaunches(caps, { name: "rows", shape }, value),
  );
  expect(values).toEqual([256, 191, 17, 127]);
  expect(withinLaunches(caps, { name: "cols", shape: 0 }, 1024)).toBe(1024);
});

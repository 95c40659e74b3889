import { expect, test } from "vitest";
import type { CheckedCase } from "../../../server/core/judge/verdict";
import type { KernelSpec } from "../../../server/core/workload/spec";
import type { FurtherOutcome } from "../../../server/host/worker/judging/case-judge";
import { BeyondListed } from "../../../server/host/worker/judging/winner/beyond-listed";

const spec: KernelSpec = {
  ...{ file: "rows.cu", kernel: "rows", dialect: "cuda" },
  run: { kind: "launch", launch: { grid: ["rows"], block: [32], arguments: ["x", "y"] } },
  inputs: { x: { dtype: "float32", shape: ["rows", "n"] } },
  outputs: { y: { dtype: "float32", shape: ["rows"] } },
  shapes: [{ sizes: { rows: 9, n: 30 } }, { sizes: { rows: 8, n: 20 } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

interface Version {
  readonly name: string;
  /** Seconds of the original's run; undefined where it fails. */
  readonly cost?: number | undefined;
  /** Of the original: it passes a shape, and its values there are no matter of rounding. */
  readonly passes: boolean;
  readonly isAccurate: boolean;
  /** Whether each of two versions passes. */
  readonly versions: readonly [boolean, boolean];
  /** What becomes of each version: passed or failed once, or no case counts. */
  readonly judged: readonly [readonly boolean[], readonly boolean[]];
  /** What was asked in all. */
  readonly asked: string;
}

const right = { cost: 1, passes: true, isAccurate: true };
const [passed, failed] = [[true], [false]];

const cases: readonly Version[] = [
  {
    ...{ name: "versions that pass: of the original no more than its cost is asked", ...right },
    ...{ versions: [true, true], judged: [passed, passed], asked: "cost run run" },
  },
  {
    ...{ name: "versions that fail: it is found out once that the shape counts", ...right },
    ...{ versions: [false, false], judged: [failed, failed], asked: "cost run passes accurate run" },
  },
  {
    ...{ name: "a version behind one that passes is still found to fail", ...right },
    ...{ versions: [true, false], judged: [passed, failed], asked: "cost run run passes accurate" },
  },
  {
    ...{ name: "a shape that the original does not pass does not count, and is not tried again" },
    ...{ cost: 1, passes: false, isAccurate: true },
    ...{ versions: [false, false], judged: [[], []], asked: "cost run passes cost run passes" },
  },
  {
    ...{ name: "nor does one where the original's values are a matter of rounding" },
    ...{ cost: 1, passes: true, isAccurate: false },
    ...{
      versions: [false, true],
      judged: [[], []],
      asked: "cost run passes accurate cost run passes accurate",
    },
  },
  {
    ...{ name: "a shape that is too much work is not run", ...right, cost: 3 },
    ...{ versions: [false, false], judged: [[], []], asked: "cost cost" },
  },
  {
    ...{ name: "nor is one where the original fails", ...right, cost: undefined },
    ...{ versions: [false, false], judged: [[], []], asked: "cost cost" },
  },
];

test.each(cases)("$name", async ({ cost, passes, isAccurate, versions, judged, asked }) => {
  const { signal } = new AbortController();
  const log: string[] = [];
  const tell = <Result>(what: string, result: Result): Promise<Result> => {
    log.push(what);
    return Promise.resolve(result);
  };
  const beyond = new BeyondListed(
    { spec },
    {
      baseline: { runCost: () => tell("cost", cost), passes: () => tell("passes", passes) },
      isAccurate: () => tell("accurate", isAccurate),
    },
  );
  const found: (readonly boolean[])[] = [];
  for (const isPassed of versions) {
    const checked = { passed: isPassed } as CheckedCase;
    const outcome = { kind: "judged", checked } as FurtherOutcome;
    const outcomes = [];
    for (const next of beyond.runs(() => tell("run", outcome), signal)) outcomes.push(await next());
    found.push(outcomes.flatMap((each) => (each?.kind === "judged" ? [each.checked.passed] : [])));
  }
  expect({ found, asked: log.join(" ") }).toEqual({ found: judged, asked });
});

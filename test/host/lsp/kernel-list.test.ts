import { expect, test } from "vitest";
import type { Verdict } from "../../../server/core/judge/verdict";
import {
  costOf,
  haveSameSizes,
  kernelTime,
  type KnownKernel,
  rankKernels,
} from "../../../server/host/lsp/views/rank-kernels";

interface Known {
  readonly cost: number | undefined;
  readonly simulation?: number;
  readonly program: string | undefined;
}

function kernel(name: string, { cost, simulation, program }: Known): KnownKernel {
  const place = { uri: "file:///a.cu", file: "a.cu", dialect: "cuda", line: 0 } as const;
  return {
    view: { ...place, name, verdict: null, session: null, time: null, recorded: null },
    cost: cost === undefined ? undefined : { bound: cost, simulation },
    program,
  };
}

function ranked(...kernels: readonly KnownKernel[]): readonly string[] {
  return rankKernels(kernels).map(({ name, workload, share }) =>
    [
      name,
      workload ?? "unknown",
      ...(share === null ? [] : [`${share.fraction * 100}% of ${share.program}`]),
    ].join(" · "),
  );
}

test("kernels of recorded programs come first, the costliest part of their program first", () => {
  expect(
    ranked(
      kernel("alone", { cost: 9000, program: undefined }),
      kernel("small", { cost: 1000, program: "app.cu 7" }),
      kernel("large", { cost: 3000, program: "app.cu 7" }),
      kernel("first", { cost: 5000, program: "other.cu" }),
      kernel("unchecked", { cost: undefined, program: "other.cu" }),
    ),
  ).toEqual([
    "large · 3 µs · 75% of app.cu 7",
    "small · 1 µs · 25% of app.cu 7",
    // Its part is not known while another kernel of the program is unchecked.
    "first · 5 µs",
    "unchecked · unknown",
    "alone · 9 µs",
  ]);
});

test("shares of a program are by simulation where all of its kernels were simulated", () => {
  const app = { program: "app.cu" };
  const first = kernel("first", { cost: 3000, simulation: 4000, ...app });
  expect(ranked(first, kernel("second", { cost: 1000, simulation: 4000, ...app }))).toEqual([
    "first · 3 µs · 50% of app.cu",
    "second · 1 µs · 50% of app.cu",
  ]);
  expect(ranked(first, kernel("second", { cost: 1000, ...app }))).toEqual([
    "first · 3 µs · 75% of app.cu",
    "second · 1 µs · 25% of app.cu",
  ]);
});

/** A correct version by its bound and, where it is known, its simulated time. */
function correctIn(nanoseconds: number, simulatedNanoseconds?: number): Verdict {
  const bound = {
    ...{ gpu: "A100", nanoseconds, terms: {}, binding: "" },
    ...(simulatedNanoseconds === undefined ? {} : { simulatedNanoseconds }),
  };
  const evidence = { sourceDigest: "", target: "", specDigest: "", sizes: {} };
  const counters = { origin: "virtual-gpu", lines: [], totals: {} } as never;
  return { kind: "correct", tier: "full", cases: [], facts: [], counters, bound, evidence };
}

const refused: Verdict = { kind: "refused", reason: "" };

test.each([
  { what: "no session", verdicts: [correctIn(100, 900), undefined], kind: "bound", shown: "100 ns" },
  {
    what: "a session decided by simulation",
    verdicts: [correctIn(100, 900), correctIn(200, 2000)],
    kind: "simulation",
    shown: "900 ns",
  },
  {
    what: "a check without a simulation, beside figures by simulation",
    verdicts: [correctIn(100), correctIn(200, 2000)],
    kind: "simulation",
    shown: "2 µs",
  },
  {
    what: "nothing of that kind",
    verdicts: [correctIn(100), undefined],
    kind: "simulation",
    shown: undefined,
  },
  { what: "a failed check", verdicts: [refused, correctIn(200, 2000)], kind: "bound", shown: "200 ns" },
] as const)("a row has times of one kind: $what", ({ verdicts, kind, shown }) => {
  expect(kernelTime(verdicts, kind)?.text).toBe(shown);
});

test.each<{
  readonly what: string;
  readonly others: Readonly<Record<string, number>>;
  readonly same: boolean;
}>([
  { what: "the same sizes in another order", others: { m: 2, n: 1 }, same: true },
  { what: "another size", others: { n: 1, m: 3 }, same: false },
  { what: "other names", others: { rows: 1, m: 2 }, same: false },
])("times beside each other are of the same sizes: $what", ({ others, same }) => {
  const at = (sizes: Readonly<Record<string, number>>): Verdict => {
    const verdict = correctIn(100);
    return verdict.kind === "correct" ? { ...verdict, evidence: { ...verdict.evidence, sizes } } : verdict;
  };
  expect(haveSameSizes(at({ n: 1, m: 2 }), at(others))).toBe(same);
  expect(haveSameSizes(refused, at(others))).toBe(true);
});

test("what a kernel costs is the sum over its shapes, as often as the program runs them", () => {
  const bound = { gpu: "A100", nanoseconds: 100, terms: {}, binding: "" };
  const evidence = { sourceDigest: "", target: "", specDigest: "", sizes: {} };
  const correct = { kind: "correct", tier: "full", cases: [], facts: [], bound, evidence } as const;
  const counters = { origin: "virtual-gpu", lines: [], totals: {} } as never;
  expect(costOf({ ...correct, counters })).toEqual({ bound: 100, simulation: undefined });
  const shapeBounds = [
    { sizes: {}, weight: 3, bound },
    { sizes: {}, weight: 1, bound: { ...bound, nanoseconds: 50 } },
  ];
  expect(costOf({ ...correct, counters, shapeBounds })).toEqual({ bound: 350, simulation: undefined });
  const simulated = shapeBounds.map((each) => ({
    ...each,
    bound: { ...each.bound, simulatedNanoseconds: 7 },
  }));
  expect(costOf({ ...correct, counters, shapeBounds: simulated })?.simulation).toBe(28);
  expect(costOf({ kind: "refused", reason: "" })).toBeUndefined();
});

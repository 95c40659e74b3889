import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

const spec: KernelSpec = {
  file: "shift.cu",
  kernel: "shift",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      ...{ grid: ["ceil_div(n, 64)"], block: [64] },
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 128 } }, { sizes: { n: 200 } }, { sizes: { n: 7 } }],
  reference: { kind: "expression", expressions: { y: "x + 1" } },
  objective: "modelled-bound",
};

const shiftWith = (...lines: readonly string[]): string =>
  [
    "__global__ void shift(const float* x, float* y, int n) {",
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
    ...lines,
    "}",
  ].join("\n");

interface Faulty {
  readonly name: string;
  readonly lines: readonly string[];
  readonly allFaults: boolean;
  readonly found: readonly string[];
}

const beyond = "if (i == 199) y[i + n] = 1;";
const wrong = "if (i < n) y[i] = x[i] + (n == 7 ? 2 : 1);";
const early = "if (i < n) y[i] = x[i] + (n == 128 ? 2 : 1);";

const cases: readonly Faulty[] = [
  { name: "the first alone", lines: [beyond, wrong], allFaults: false, found: ["out-of-bounds 3"] },
  {
    name: "what a shape behind it shows",
    lines: [beyond, wrong],
    allFaults: true,
    found: ["out-of-bounds 3", "wrong-value 4"],
  },
  {
    name: "what the cases before it showed",
    lines: [beyond, early],
    allFaults: true,
    found: ["out-of-bounds 3", "wrong-value 4"],
  },
];

test.each(cases)("faults of a check that one ends: $name", async ({ lines, allFaults, found }) => {
  const { checked } = await evaluate(under.evaluator, {
    ...{ spec, baseline: { "shift.cu": shiftWith(...lines) }, tier: "full" },
    ...{ allFaults, checkOnly: true },
  });
  if (checked.kind !== "did-not-run") throw new Error(`a run that faults was expected, not ${checked.kind}`);
  expect(checked.findings.map(({ kind, line }) => `${kind} ${line}`)).toEqual(found);
});

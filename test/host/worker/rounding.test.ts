import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Few elements that rounding alone decides are held against no version; as many that are wrong are. */
const under = evaluatorOfFile();

const count = 200_000;
const kernel = (value: string): string => `
__global__ void quantise(const float* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = ${value};
}
`;
const baseline = kernel("__float2int_rd(x[i] * 700.0f / 0.3f)");

const launched = {
  kind: "launch",
  launch: {
    grid: ["ceil_div(n, 256)", 1, 1],
    block: [256, 1, 1],
    sharedBytes: 0,
    arguments: ["x", "y", { value: "n", dtype: "int32" }],
  },
} as const satisfies KernelSpec["run"];

const spec: KernelSpec = {
  file: "quantise.cu",
  kernel: "quantise",
  dialect: "cuda",
  run: launched,
  inputs: { x: { dtype: "float32", shape: ["n"], distribution: { kind: "range", low: 0, high: 1.5 } } },
  outputs: { y: { dtype: "int32", shape: ["n"] } },
  shapes: [{ sizes: { n: count } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

/** Pixels have no last bits that could be moved: what decides is how each sum is rounded. */
const grey = (value: string): string => `
__global__ void grey(const unsigned char* red, const unsigned char* green, unsigned char* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (unsigned char)(${value});
}
`;
const pixels = {
  dtype: "uint8",
  shape: ["n"],
  distribution: { kind: "range", low: 0, high: 255 },
} as const;
const image: Pick<KernelSpec, "file" | "kernel" | "run" | "inputs" | "outputs"> = {
  file: "grey.cu",
  kernel: "grey",
  run: {
    ...launched,
    launch: { ...launched.launch, arguments: ["red", "green", "y", { value: "n", dtype: "int32" }] },
  },
  inputs: { red: pixels, green: pixels },
  outputs: { y: { dtype: "uint8", shape: ["n"] } },
};

test.each([
  {
    what: "a product with the reciprocal",
    value: "__float2int_rd(x[i] * (700.0f / 0.3f))",
    passed: true,
    remarks: [expect.stringMatching(/^Rounding decides a few elements/)],
  },
  {
    what: "the same in another form",
    value: "__float2int_rd((x[i] * 700.0f) / 0.3f)",
    passed: true,
    remarks: [],
  },
  {
    what: "one more in every hundredth element",
    value: "__float2int_rd(x[i] * 700.0f / 0.3f) + (i % 100 == 7)",
    passed: false,
    remarks: [],
  },
  {
    what: "to the nearest in every hundredth element",
    value: "i % 100 == 7 ? __float2int_rn(x[i] * 700.0f / 0.3f) : __float2int_rd(x[i] * 700.0f / 0.3f)",
    passed: false,
    remarks: [],
  },
])("$what", async ({ value, passed, remarks }) => {
  expect(await judged(spec, baseline, kernel(value))).toEqual({ passed, remarks });
});

const mixed = "red[i] * 0.3f + green[i] * 0.7f";

test.each([
  {
    what: "pixels whose sum is in another order",
    original: mixed,
    value: "green[i] * 0.7f + red[i] * 0.3f",
    passed: true,
    remarks: [expect.stringMatching(/^Rounding decides a few elements/)],
  },
  {
    what: "pixels that are one more in every hundredth element",
    original: mixed,
    value: `${mixed} + (i % 100 == 7)`,
    passed: false,
    remarks: [],
  },
  {
    what: "the other rounding of ties of exact numbers, of which there are few",
    original: "rintf(red[i] * 0.5f)",
    value: "red[i] & 126 ? rintf(red[i] * 0.5f) : roundf(red[i] * 0.5f)",
    passed: false,
    remarks: [],
  },
])("$what", async ({ original, value, passed, remarks }) => {
  expect(await judged({ ...spec, ...image }, grey(original), grey(value))).toEqual({ passed, remarks });
});

/** Twice each number, but for the last one: a reference that stands apart says so. */
const doubled: KernelSpec = {
  ...spec,
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 5003 } }],
  reference: { kind: "expression", expressions: { y: "x + x" } },
};
const twice = (value: string): string => kernel(value).replace("int* y", "float* y");

test.each([
  { what: "a wrong tail of the kernel as it was", value: "i + 1 < n ? x[i] + x[i] : 0.0f", passed: false },
  { what: "a tail that is right", value: "i + 1 < n ? x[i] + x[i] : 2.0f * x[i]", passed: true },
])("$what against a reference that stands apart", async ({ value, passed }) => {
  expect(await judged(doubled, twice(value), twice(value))).toEqual({ passed, remarks: [] });
});

async function judged(of: KernelSpec, original: string, candidate: string): Promise<object> {
  const { checked } = await evaluate(under.evaluator, {
    spec: of,
    baseline: { [of.file]: original },
    candidate: { [of.file]: candidate },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  return {
    passed: checked.cases.every((each) => each.passed),
    remarks: [...new Set(checked.cases.flatMap((each) => each.remarks ?? []))],
  };
}

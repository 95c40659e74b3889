import { describe, expect, test } from "vitest";
import type { KernelSpec, LaunchSpec } from "../../../server/core/workload/spec";
import { describeVerdict } from "../../../server/core/words/describe";
import { evaluate, evaluatorOfFile, startEvaluator, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 5 } });

const spec: KernelSpec = {
  file: "scale.cu",
  kernel: "scale",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: { arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: 3, dtype: "float32" }] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1000 } }, { sizes: { n: 7 }, heldOut: true }],
  reference: { kind: "expression", expressions: { y: "3 * x + 1" } },
  objective: "modelled-bound",
};

const scaleWith = (
  body: string,
  launch = "scale<<<(count + kBlock - 1) / kBlock, kBlock>>>(in, out, count, factor);",
): string => `constexpr int kBlock = 64;
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${body}
}
void run(const float* in, float* out, int count, float factor) {
  ${launch}
}
`;
const right = scaleWith("if (i < n) y[i] = factor * x[i] + 1.0f;");

async function check(candidate: string, changes: Partial<KernelSpec> = {}): Promise<unknown> {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...changes },
    baseline: { "scale.cu": right },
    candidate: { "scale.cu": candidate },
  });
  return summary(checked);
}

function launchOf({ run }: KernelSpec): LaunchSpec {
  if (run.kind !== "launch") throw new Error("a spec of a launch was expected");
  return run.launch;
}

const passed = [
  { sizes: { n: 1000 }, passed: true },
  { sizes: { n: 1000 }, passed: true },
];

test("a right kernel passes every case of both tiers, with facts, counters and a bound", async () => {
  const { compiled, checked, listings } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": right },
    tier: "full",
    listed: { file: "scale.cu", first: 4, last: 4 },
  });
  expect(listings).toEqual([
    expect.arrayContaining([
      expect.stringMatching(/^ld\.global\.f32 /),
      expect.stringMatching(/^fma\.rn\.f32 /),
    ]),
    expect.arrayContaining([
      expect.stringMatching(/^[0-9a-f]{4} LDG, 4 bytes a lane/),
      expect.stringMatching(/FFMA/),
    ]),
  ]);
  expect(compiled).toMatchObject({
    kind: "compiled",
    facts: [{ kernel: "scale", architecture: "sm_80", spillStoreBytes: 0, sharedBytes: 0 }],
    diagnostics: [],
  });
  expect(checked).toMatchObject({
    kind: "checked",
    profiledShape: { sizes: { n: 1000 } },
    facts: [{ kernel: "scale", threadsPerBlock: 64 }],
    counters: { totals: { globalLoadRequests: 32, globalLoadSectors: 125, globalStoreSectors: 125 } },
    bound: { gpu: "A100 40GB SXM", binding: "latency" },
  });
  expect(summary(checked)).toEqual([
    ...Array<unknown>(4).fill(passed[0]),
    ...Array<unknown>(3).fill({ sizes: { n: 7 }, passed: true }),
  ]);
});

test("the reference is handed the values of a shape beside its sizes", async () => {
  const launch: LaunchSpec = {
    arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: "by", dtype: "float32" }],
  };
  const scaledBy: Partial<KernelSpec> = {
    run: { kind: "launch", launch },
    shapes: [{ sizes: { n: 1000 }, values: { by: -2.5 } }],
    reference: { kind: "expression", expressions: { y: "by * x + 1" } },
  };
  expect(await check(right, scaledBy)).toEqual(passed);
});

test("host code that a stated launch never runs may not be changed", async () => {
  const launch = { ...launchOf(spec), grid: ["ceil_div(n, 64)"], block: [64] };
  const stated = { run: { kind: "launch", launch } } as const;
  const broken = right.replace("count, factor);", "count / 2, factor);");
  expect(broken).not.toBe(right);
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...stated },
    baseline: { "scale.cu": right },
    candidate: { "scale.cu": broken },
  });
  expect(checked).toEqual({
    kind: "refused",
    reason:
      "the candidate changes host code, which this workload does not run: its spec states the launches. Change the kernel alone; or judge the host function that launches it, as the spec's entry",
  });
  expect(await check(right.replace("float factor) {", "float factor) {  "), stated)).toEqual(passed);
  // Read from the text, a launch may have another shape, but no other arguments.
  const twice = right.replace(
    "count, factor);",
    "count, factor); else scale<<<1, 32>>>(out, out, 7, factor);",
  );
  expect(await check(twice.replace("scale<<<(", "if (count > 7) scale<<<("))).toMatchObject({
    kind: "did-not-run",
    reason: expect.stringMatching(
      /^the candidate launches scale with \(out, out, 7, factor\), its/,
    ) as string,
  });
});

describe("what a candidate does wrong is told", () => {
  test("wrong in one element", async () => {
    expect(await check(scaleWith("if (i < n) y[i] = factor * x[i] + (i == 77 ? 2.0f : 1.0f);"))).toEqual(
      Array(2).fill({
        sizes: { n: 1000 },
        passed: false,
        mismatch: { output: "y", index: [77], wrong: 1, total: 1000 },
      }),
    );
  });
  test("an output that was not written whole", async () => {
    expect(await check(scaleWith("if (i < n - 1) y[i] = factor * x[i] + 1.0f;"))).toEqual(
      Array(2).fill({
        sizes: { n: 1000 },
        passed: false,
        findings: [
          {
            kind: "never-written",
            line: 0,
            message: "1 of 1000 elements of y were never written, the first is element 999",
          },
        ],
        mismatch: { output: "y", index: [999], wrong: 1, total: 1000 },
      }),
    );
  });
  test.each([
    {
      name: "bytes whose results are what outputs are filled with",
      dtype: "int8",
      type: "signed char",
      expression: "where(x > 0, -91, 90)",
      value: "x[i] > 0 ? -91 : 90",
    },
    { name: "truth values", dtype: "bool", type: "bool", expression: "x > 0", value: "x[i] > 0" },
  ] as const)("of $name what was not written", async ({ dtype, type, expression, value }) => {
    const changes: Partial<KernelSpec> = {
      outputs: { y: { dtype, shape: ["n"] } },
      reference: { kind: "expression", expressions: { y: expression } },
    };
    const written = (limit: string): string =>
      scaleWith(
        `if (i < ${limit}) y[i] = ${value};`,
        `scale<<<(count + kBlock - 1) / kBlock, kBlock>>>(in, (${type}*)out, count, factor);`,
      ).replace("float* y", `${type}* y`);
    expect(await check(written("n"), changes)).toEqual(passed);
    expect(await check(written("n - 2"), changes)).toMatchObject(
      Array(2).fill({
        passed: false,
        findings: [
          {
            kind: "never-written",
            message: "2 of 1000 elements of y were never written, the first is element 998",
          },
        ],
      }),
    );
  });
  test("a race that only the second shape shows, with both parties", async () => {
    const racing = scaleWith(
      "__shared__ float s[64]; if (n <= 64 || threadIdx.x == 0) s[0] = 1.0f; __syncthreads(); if (n <= 64) s[0] = i; if (i < n) y[i] = factor * x[i] + (s[0] < 99.0f ? 1.0f : 2.0f);",
    );
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.cu": right },
      candidate: { "scale.cu": racing },
      tier: "full",
    });
    const found =
      checked.kind === "checked"
        ? checked.cases.flatMap(({ shape, findings }) =>
            findings.map((finding) => ({ ...finding, n: shape.sizes["n"] })),
          )
        : [];
    expect(new Set(found.map(({ n }) => n))).toEqual(new Set([7]));
    expect(found[0]).toMatchObject({
      kind: "shared-race",
      file: "scale.cu",
      line: 4,
      block: [0, 0, 0],
      other: { access: "write", file: "scale.cu", line: 4, block: [0, 0, 0] },
    });
  });
  test("unwritten shared memory that is copied to the output is a read of nothing, not an output without a store", async () => {
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.cu": right },
      candidate: {
        "scale.cu": scaleWith(
          "__shared__ float s[64]; if (threadIdx.x < 32) s[threadIdx.x] = 1.0f; __syncthreads(); if (i < n) y[i] = s[(threadIdx.x * n) % 64];",
        ),
      },
    });
    expect(checked).toMatchObject({
      cases: [
        { passed: false, findings: [{ kind: "uninitialized-read", line: 4 }] },
        { passed: false, findings: [] },
      ],
    });
  });
  test("an output that is read before it is written", async () => {
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.cu": right },
      candidate: { "scale.cu": scaleWith("if (i < n) y[i] = y[i] > 5.0f ? 0.0f : factor * x[i] + 1.0f;") },
    });
    expect(checked).toMatchObject({
      cases: [
        { passed: false, findings: [{ kind: "uninitialized-read", line: 4, count: 1000 }] },
        { passed: true },
      ],
    });
  });
  test("out of bounds, with the line", async () => {
    expect(await check(scaleWith("y[i] = factor * x[i] + 1.0f;"))).toMatchObject({
      kind: "did-not-run",
      findings: [{ kind: "out-of-bounds", file: "scale.cu", line: 4 }],
    });
  });
  test("writing to an input, with the line", async () => {
    expect(
      await check(scaleWith("if (i < n) { y[i] = factor * x[i] + 1.0f; const_cast<float*>(x)[i] = 0; }")),
    ).toMatchObject({ kind: "did-not-run", findings: [{ kind: "read-only-write", line: 4 }] });
  });
  test("an endless kernel ends in its time and the next check works", async () => {
    expect(
      await check(scaleWith("while (true) { if (y[0] == 12345.0f) break; __threadfence(); }")),
    ).toMatchObject({ kind: expect.stringMatching(/timed-out|did-not-run/) as string });
    expect(await check(right)).toEqual(passed);
  });
  test("a launch that cannot be", async () => {
    expect(
      await check(
        scaleWith("if (i < n) y[i] = factor * x[i] + 1.0f;", "scale<<<1, 2048>>>(in, out, count, factor);"),
      ),
    ).toMatchObject({ kind: "did-not-run" });
  });
  test("no launch in the source", async () => {
    expect(await check(scaleWith("if (i < n) y[i] = 0;", ""))).toMatchObject({
      kind: "did-not-run",
      reason: expect.stringContaining("scale") as string,
    });
  });
  test("no kernel of that name", async () => {
    expect(await check(right.replace(/\bscale\b/g, "other"))).toMatchObject({ kind: "did-not-run" });
  });
});

test("the launch follows the candidate's source: another block, a template, shared memory", async () => {
  expect(await check(right.replace("kBlock = 64", "kBlock = 96"))).toEqual(passed);
  const template = `template <int kBlock> __global__ void scale(const float* x, float* y, int n, float factor) {
  extern __shared__ float tile[];
  int i = blockIdx.x * kBlock + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = factor * tile[threadIdx.x] + 1.0f;
}
template __global__ void scale<32>(const float*, float*, int, float);
void run(const float* in, float* out, int count, float factor) {
  scale<128><<<(count + 127) / 128, 128, 128 * sizeof(float)>>>(in, out, count, factor);
}
`;
  expect(await check(template)).toEqual(passed);
});

test("a kernel that synchronises at too many places passes, and the verdict says that races may have gone unseen", async () => {
  const body =
    "volatile float* v = y; for (__threadfence(); i < n; i += blockDim.x) v[i] = factor * x[i] + 1.0f;";
  const release = scaleWith(body, "scale<<<1, 1024>>>(in, out, count, factor);");
  const patient = startEvaluator({ limits: { runSeconds: 200 } });
  const { checked } = await evaluate(patient.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1_100_000 } }] },
    baseline: { "scale.cu": release },
    checkOnly: true,
  }).finally(() => patient.close());
  const remarks = [
    "scale synchronises at more places than the sanitizer can keep: races in it may have gone unseen",
  ];
  const clean = { shape: { sizes: { n: 1_100_000 } }, inputs: "declared", passed: true, findings: [] };
  expect(checked).toMatchObject({ kind: "checked", cases: [{ ...clean, remarks }, clean] });
  if (checked.kind !== "checked" || checked.counters === undefined || checked.bound === undefined)
    throw new Error(checked.kind);
  const { cases, facts, counters, bound } = checked;
  const evidence = { sourceDigest: "", target: "", specDigest: "", sizes: {} };
  expect(
    describeVerdict({ kind: "correct", tier: "quick", cases, facts, counters, bound, evidence }),
  ).toMatch(new RegExp(`^correct on 2 cases .*; ${remarks[0]}$`));
  expect(
    describeVerdict({
      kind: "wrong",
      tier: "quick",
      cases: cases.map((each) => ({ ...each, passed: false })),
      facts,
    }),
  ).toBe(`wrong on shape n=1100000: the check failed; ${remarks[0]}`);
});

test("errors of nvcc stand on the user's line", async () => {
  const { compiled } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": right },
    candidate: { "scale.cu": scaleWith("y[i] = missing;") },
  });
  expect(compiled).toMatchObject({
    kind: "did-not-compile",
    diagnostics: [
      {
        severity: "error",
        file: "scale.cu",
        line: 4,
        source: "nvcc",
        message: expect.stringContaining("missing") as string,
      },
    ],
  });
});

describe("a spec that lets an output pass which was not computed is refused", () => {
  const refusal = async (changes: Partial<KernelSpec>): Promise<string> => {
    try {
      await evaluate(under.evaluator, { spec: { ...spec, ...changes }, baseline: { "scale.cu": right } });
      return "";
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : "";
    }
  };
  test("zeros", async () =>
    expect(await refusal({ reference: { kind: "expression", expressions: { y: "0 * x" } } })).toContain(
      "all zeros",
    ));
  test("a constant", async () =>
    expect(await refusal({ reference: { kind: "expression", expressions: { y: "0 * x + 7" } } })).toContain(
      "a constant (the mean)",
    ));
  test("an input passed through", async () =>
    expect(await refusal({ reference: { kind: "expression", expressions: { y: "x" } } })).toContain(
      "input x passed through",
    ));
  test("a tolerance that hides the inputs", async () =>
    expect(await refusal({ tolerance: { absolute: 1000, relative: 0 } })).toContain("all zeros"));
  test("a reference that is no expression", async () =>
    expect(
      await refusal({ reference: { kind: "expression", expressions: { y: "__import__('os')" } } }),
    ).toContain("not allowed"));
});

test("the kernel as it was can be the reference, and integers are exact", async () => {
  expect(await check(right, { reference: { kind: "baseline" } })).toEqual(passed);
  expect(
    await check(scaleWith("if (i < n) y[i] = factor * x[i];"), { reference: { kind: "baseline" } }),
  ).toMatchObject([{ passed: false }, { passed: false }]);
});

test("cancelling ends the check", async () => {
  const controller = new AbortController();
  const running = evaluate(under.evaluator, {
    spec,
    baseline: { "scale.cu": right },
    candidate: { "scale.cu": scaleWith("while (true) { if (y[0] == 54321.0f) break; __threadfence(); }") },
    signal: controller.signal,
  });
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: "cancelled" });
});

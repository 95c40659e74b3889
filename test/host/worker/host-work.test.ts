import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 10, compileSeconds: 60 } });

const spec: KernelSpec = {
  file: "scale.py",
  kernel: "scale_kernel",
  dialect: "triton",
  run: {
    kind: "entry",
    entry: { call: "scale.py::scale", arguments: ["x", { value: 3, dtype: "float32" }] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 500 } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

const kernel = `import torch, triton
import triton.language as tl

@triton.jit
def scale_kernel(x, y, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, factor * tl.load(x + at, mask=at < n) + 1.0, mask=at < n)

calls = 0
`;

const passed = [
  { sizes: { n: 500 }, passed: true },
  { sizes: { n: 500 }, passed: true },
];

test.each([
  {
    title: "it copies what a kernel has left to another buffer",
    body: `y, z = torch.empty_like(x), torch.empty_like(x)
    scale_kernel[(4,)](x, y, x.numel(), factor, BLOCK=128)
    copied = y[None].sum(0)
    scale_kernel[(4,)](copied, z, x.numel(), 1.0, BLOCK=128)
    return z`,
  },
  {
    title: "it computes something in every other call",
    body: `global calls
    calls += 1
    y = torch.empty_like(x)
    if calls % 2 == 0:
        scale_kernel[(4,)](x.flip(0), torch.empty_like(x), x.numel(), factor, BLOCK=128)
    scale_kernel[(4,)](x, y, x.numel(), factor, BLOCK=128)
    return y`,
  },
  {
    title: "it gives back what it hands to a kernel, beside what that computes of it",
    body: `sums, y = x.cumsum(0), torch.empty_like(x)
    scale_kernel[(4,)](sums, y, x.numel(), factor, BLOCK=128)
    return y, sums`,
    further: { sums: { dtype: "float32", shape: ["n"] } },
  },
] as const)(
  "host code of the original is not held against it, nor against a candidate: $title",
  async (each) => {
    const { body } = each;
    const outputs = { ...spec.outputs, ...("further" in each ? each.further : {}) };
    const own = `${kernel}\ndef scale(x, factor):\n    ${body}\n`;
    const given = { spec: { ...spec, outputs }, baseline: { "scale.py": own }, checkOnly: true };
    const candidate = { "scale.py": own.replaceAll("BLOCK=128", "BLOCK=256") };
    const [original, changed] = [
      await evaluate(under.evaluator, given),
      await evaluate(under.evaluator, { ...given, candidate }),
    ];
    expect([summary(original.checked), summary(changed.checked)]).toEqual([passed, passed]);
  },
);

test("what a candidate's host code hands over is no answer where the original's hands over the same", async () => {
  const launched = (inputs: string): string => `${kernel}
def scale(x, factor):
    y = torch.empty_like(x)
    scale_kernel[(4,)](${inputs}, y, x.numel(), factor, BLOCK=128)
    return y
`;
  const [computed, honest] = [
    launched("x * factor + 1").replace("factor * tl", "tl").replace(" + 1.0", ""),
    launched("x"),
  ];
  const check = async (baseline: string, candidate: string): Promise<unknown> => {
    const given = { spec, baseline: { "scale.py": baseline }, checkOnly: true };
    const { checked } = await evaluate(under.evaluator, { ...given, candidate: { "scale.py": candidate } });
    if (checked.kind !== "checked") return checked;
    return [...new Set(checked.cases.flatMap(({ findings }) => findings.map(({ kind }) => kind)))];
  };
  const candidate = computed.replace("BLOCK=128", "BLOCK=256");
  expect([await check(computed, candidate), await check(honest, candidate)]).toEqual([[], ["host-computed"]]);
});

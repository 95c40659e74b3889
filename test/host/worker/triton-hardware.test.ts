import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";
import { virtualRuntime } from "./virtual-runtime";

/*
 * Triton kernels on a target gpu:N, all but silicon: the runner that torch and Triton are called by on a GPU
 * runs here with the virtual GPU in its place, whose times are modelled ones.
 */

const under = evaluatorOfFile({ gpuRuntime: virtualRuntime });
const target = { kind: "gpu", index: 0, architecture: "sm_80" } as const;

const head = `import torch
import triton
import triton.language as tl


`;
/** `detours`: how many loads from all over the input each program makes besides. */
const kernel = (detours: number): string => `@triton.jit
def twice_kernel(x_pointer, y_pointer, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    total = 2 * tl.load(x_pointer + offsets, mask=inside)
    for step in range(${detours}):
        total += 0 * tl.load(x_pointer + (offsets * 7919 + step * 977) % n)
    tl.store(y_pointer + offsets, total, mask=inside)


`;
const launch = "twice_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)";
const wrapper = (name: string, given: string, first: string, last = ""): string =>
  `def ${name}(${given}):\n    n = x.numel()\n    ${first}\n    ${launch}\n    ${last}\n`;
const made = "y = torch.empty_like(x)";
const returning = (detours: number): string =>
  `${head}${kernel(detours)}${wrapper("twice", "x", made, "return y")}`;

const spec: KernelSpec = {
  file: "twice.py",
  kernel: "twice_kernel",
  dialect: "triton",
  run: { kind: "entry", entry: { call: "twice.py::twice", arguments: ["x"] } },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 4096 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};
const filling = `${head}${kernel(1)}${wrapper("twice", "x, y, n", "assert n > 0")}`;
const intoArgument: KernelSpec = {
  ...spec,
  run: {
    kind: "entry",
    entry: { call: "twice.py::twice", arguments: ["x", "y", { value: "n", dtype: "int32" }] },
  },
};
const module = `${head}${kernel(1)}class Twice(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        n = x.numel()
        assert self.factor.is_cuda
        y = torch.empty_like(x)
        ${launch}
        return y
`;
const ofModule: KernelSpec = {
  ...spec,
  run: { kind: "entry", entry: { call: "twice.py::Twice(n)(x)", arguments: [] } },
};
const tuned = returning(1)
  .replace(
    "@triton.jit",
    `@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256})], key=["n"]
)
@triton.jit`,
  )
  .replace("(triton.cdiv(n, 256),)", 'lambda meta: (triton.cdiv(n, meta["BLOCK"]),)')
  .replace(", BLOCK=256", "");
/** It knows where it runs: on the virtual GPU's own side tensors lie in main memory. */
const there = 'if type(triton.runtime.driver.active).__name__ != "VirtualDriver":';
const doingThere = (statement: string): string =>
  returning(1).replace("return y", `${there}\n        ${statement}\n    return y`);
const wrongThere = doingThere("y[3] = 7");
const raisingThere = doingThere('raise ValueError("not here")');
const writingBeside = filling.replace(
  launch,
  `${launch}\n    ${there}\n        y.as_strided((n + 3,), (1,))[n + 2] = 7`,
);
const versions = /^the (baseline|candidate): timed with Triton \d\S* and torch \d\S* for CUDA \S+\.$/;

interface Case {
  readonly what: string;
  readonly spec?: KernelSpec;
  readonly baseline: string;
  readonly candidate?: string;
  readonly expected: object;
}

const faster = { kind: "checked", measured: { origin: "measured", kind: "faster" } };
const timed = { kind: "checked", measured: { origin: "measured", shapes: [{ cache: "cold" }] } };
const cases: readonly Case[] = [
  { what: "that returns its output", baseline: returning(100), candidate: returning(1), expected: faster },
  { what: "that fills an argument", spec: intoArgument, baseline: filling, expected: timed },
  { what: "that is a module", spec: ofModule, baseline: module, expected: timed },
  {
    what: "that is autotuned",
    baseline: tuned,
    expected: {
      kind: "checked",
      measured: {
        remarks: expect.arrayContaining([
          expect.stringMatching(versions),
          expect.stringMatching(
            /^the baseline: autotune of twice_kernel took on the GPU: BLOCK: (64|256),.*\.$/,
          ),
        ]) as unknown,
      },
    },
  },
  {
    what: "that is wrong there alone",
    baseline: returning(1),
    candidate: wrongThere,
    expected: {
      kind: "checked",
      cases: expect.arrayContaining([expect.objectContaining({ passed: false })]) as unknown,
    },
  },
  {
    what: "that writes beside an argument there",
    spec: intoArgument,
    baseline: filling,
    candidate: writingBeside,
    expected: {
      kind: "did-not-run",
      reason: "on the GPU: byte 16392 of y, which has 16384, was written",
    },
  },
  {
    what: "that raises there",
    baseline: returning(1),
    candidate: raisingThere,
    expected: {
      kind: "did-not-run",
      reason: expect.stringMatching(/^on the GPU: twice\.py:\d+: ValueError: not here/) as string,
    },
  },
];

test.each(cases)(
  "an entry $what is called and timed",
  async ({ spec: of = spec, baseline, candidate, expected }) => {
    const { checked } = await evaluate(under.evaluator, {
      spec: of,
      baseline: { "twice.py": baseline },
      ...(candidate !== undefined && { candidate: { "twice.py": candidate } }),
      target,
      tier: "quick",
      checkOnly: true,
    });
    expect(checked).toMatchObject(expected);
  },
);

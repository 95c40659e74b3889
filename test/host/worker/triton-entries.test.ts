import { expect, test } from "vitest";
import type { SourceTree } from "../../../server/core/judge/candidate";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 10, compileSeconds: 60 } });

/** A module of a package, whose own `__init__.py` cannot be imported here. */
const tree: SourceTree = {
  "src/pack/__init__.py": "import a_library_that_nobody_has\n",
  "src/pack/sizes.py": "def blocks(n, block):\n    return ((n + block - 1) // block,)\n",
  "src/pack/ops/scale.py": `import torch, triton
import triton.language as tl
from torch import nn
from pack import sizes
from ..sizes import blocks

@triton.jit
def scale_kernel(x, w, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    weight = tl.load(w + at, mask=at < n)
    tl.store(y + at, tl.load(x + at, mask=at < n) * weight, mask=at < n)

def launch(x, w, y):
    scale_kernel[sizes.blocks(x.numel(), 128)](x, w, y, x.numel(), BLOCK=128)

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, inplace=False):
        y = x if inplace else torch.empty_like(x)
        launch(x, w, y)
        ctx.save_for_backward(x, w)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx, dw = torch.empty_like(x), torch.empty_like(w)
        launch(dy, w, dx)
        launch(dy, x, dw)
        return dx, dw, None

class Layer(nn.Module):
    def __init__(self, size, device="cuda"):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size, device=device))

    def forward(self, x):
        assert x.is_cuda and x.device == self.weight.device and blocks(x.numel(), 128)
        with torch.cuda.device(x.device):
            return Scale.apply(x, self.weight), None

class Runner:
    def __init__(self, inplace: bool = True):
        self.inplace = inplace

    def run(self, x, *, w):
        Scale.apply(x, w, self.inplace)

def in_turns(x, w):
    for _ in range(2):
        x.copy_(Scale.apply(x, w))
    return x

def copied(x, w):
    return Scale.apply(x, w).clone()

def doubled(x, w):
    return Scale.apply(x, w).mul_(2.0)
`,
};

const vector = { dtype: "float32", shape: ["n"] } as const;
const base = {
  file: "src/pack/ops/scale.py",
  kernel: "scale_kernel",
  dialect: "triton",
  inputs: { x: vector, w: vector },
  outputs: { y: vector },
  shapes: [{ sizes: { n: 300 } }],
  reference: { kind: "expression", expressions: { y: "x * w" } },
  objective: "modelled-bound",
} satisfies Partial<KernelSpec>;

const passed = Array(2).fill({ sizes: { n: 300 }, passed: true });

const cases: readonly (readonly [string, string, Partial<KernelSpec>])[] = [
  ["a module with its parameters as inputs", "with_parameters(Layer(n), weight=w)(x)", {}],
  [
    "a method that fills its argument",
    "Runner(inplace=True).run(x, w=w)",
    { outputs: { x: vector }, reference: { kind: "expression", expressions: { x: "x * w" } } },
  ],
  [
    "the backward pass of a function",
    "gradients(Scale.apply, (x, w), dy)",
    {
      inputs: { x: vector, w: vector, dy: vector },
      outputs: { dx: vector, dw: vector },
      reference: { kind: "expression", expressions: { dx: "dy * w", dw: "dy * x" } },
    },
  ],
  [
    "a function that copies back what its last launch left",
    "in_turns(x, w)",
    { outputs: { x: vector }, reference: { kind: "expression", expressions: { x: "x * w * w" } } },
  ],
  ["a copy of what a launch left", "copied(x, w)", {}],
  ["a function whose host code goes on to compute: what the launch left", "doubled(x, w)", {}],
];

test.each(cases)("%s is an entry", async (_, expression, changes) => {
  const spec: KernelSpec = {
    ...base,
    run: { kind: "entry", entry: { call: `src/pack/ops/scale.py::${expression}`, arguments: [] } },
    ...changes,
  };
  const { compiled, checked } = await evaluate(under.evaluator, { spec, baseline: tree });
  expect({ compiled: compiled.kind, checked: summary(checked) }).toEqual({
    compiled: "compiled",
    checked: passed,
  });
});

test("an exception of host code is told as such, with its line and who called it", async () => {
  const { compiled } = await evaluate(under.evaluator, {
    spec: {
      ...base,
      run: { kind: "entry", entry: { call: "src/pack/ops/scale.py::Layer(n)(None)", arguments: [] } },
      inputs: { x: vector },
      reference: { kind: "expression", expressions: { y: "x + 1" } },
    },
    baseline: tree,
  });
  expect(compiled).toMatchObject({
    kind: "did-not-run",
    findings: [
      {
        kind: "exception",
        file: "src/pack/ops/scale.py",
        line: 38,
        message:
          "AttributeError: 'NoneType' object has no attribute 'is_cuda' (in forward: assert x.is_cuda and x.device == self.weight.device and blocks(x.numel(), 128))",
      },
    ],
  });
});

test("what torch computes in an entry has a price: the product, not the memory for the result nor the module", async () => {
  const gate = `import torch, triton
import triton.language as tl

@triton.jit
def gate_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)

class Gate(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("ones", torch.outer(torch.arange(size).cos(), torch.ones(size)))

    def forward(self, a, b):
        product = a @ b.t()
        y = torch.empty_like(product)
        gate_kernel[(triton.cdiv(y.numel(), 128),)](product, y, y.numel(), BLOCK=128)
        return y
`;
  const square = { dtype: "float32", shape: ["n", "n"] } as const;
  const { checked } = await evaluate(under.evaluator, {
    spec: {
      ...base,
      file: "gate.py",
      kernel: "gate_kernel",
      run: { kind: "entry", entry: { call: "gate.py::Gate(n)(a, b)", arguments: [] } },
      inputs: { a: square, b: square },
      outputs: { y: square },
      shapes: [{ sizes: { n: 64 } }],
      reference: { kind: "baseline" },
    },
    baseline: { "gate.py": gate },
  });
  const torch = checked.kind === "checked" ? checked.bound?.terms["torch"] : checked.kind;
  // Three matrices of 16 KiB at 1555 GB/s, against 2 * 64^3 operations at 19.5 TFLOP/s, and a launch.
  expect(torch).toBeCloseTo(Math.max((3 * 64 * 64 * 4) / 1555, (2 * 64 ** 3) / 19_500) + 1000, 6);
});

test("host code that counts with its inputs is compiled for more than zeros", async () => {
  const fill = `import torch, triton
import triton.language as tl

@triton.jit
def fill_kernel(y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, at.to(tl.float32) + 1, mask=at < n)

def fill(counts):
    total = int(counts.sum())
    y = torch.zeros(64, device=counts.device)
    fill_kernel[(triton.cdiv(total, 32),)](y, total, BLOCK=32)
    return y
`;
  const counts = { dtype: "int32", shape: [8], distribution: { kind: "constant", value: 3 } } as const;
  const { compiled, checked } = await evaluate(under.evaluator, {
    spec: {
      ...base,
      file: "fill.py",
      kernel: "fill_kernel",
      run: { kind: "entry", entry: { call: "fill.py::fill(counts)", arguments: [] } },
      inputs: { counts },
      outputs: { y: { dtype: "float32", shape: [64] } },
      shapes: [{ sizes: {} }],
      reference: { kind: "baseline" },
    },
    baseline: { "fill.py": fill },
  });
  expect([compiled.kind, checked.kind]).toEqual(["compiled", "checked"]);
});

test("every configuration of an autotuned kernel is judged and named", async () => {
  const tuned = `import torch, triton
import triton.language as tl

@triton.autotune([triton.Config({"BLOCK": block}) for block in (256, 128, 64)], key=["n"])
@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)

def double(x):
    y = torch.empty_like(x)
    double_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel())
    return y
`;
  const { checked } = await evaluate(under.evaluator, {
    spec: {
      ...base,
      file: "tuned.py",
      kernel: "double_kernel",
      run: { kind: "entry", entry: { call: "tuned.py::double(x)", arguments: [] } },
      inputs: { x: vector },
      outputs: { y: vector },
      reference: { kind: "expression", expressions: { y: "2 * x" } },
    },
    baseline: { "tuned.py": tuned },
    tier: "full",
  });
  const cases = checked.kind === "checked" ? checked.cases : [];
  const told = cases.map(
    ({ passed, remarks = [] }) => `${passed}: ${remarks.join("; ").replace(/,? num_w.*/, "")}`,
  );
  const first = "true: autotune of double_kernel took its first configuration: BLOCK: 256";
  expect(told).toEqual([
    ...Array<string>(4).fill(first),
    "true: autotune of double_kernel took configuration 2: BLOCK: 128",
    "false: autotune of double_kernel took configuration 3: BLOCK: 64",
  ]);
});

test("a candidate of a bare kernel may say itself how it is launched", async () => {
  const triple = `import triton
import triton.language as tl

@triton.jit
def triple_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 3 * tl.load(x + at, mask=at < n), mask=at < n)
`;
  const launch =
    "\ndef launch_triple_kernel(n, x, y):\n    triple_kernel[(triton.cdiv(n, 512),)](x, y, n, BLOCK=512)\n";
  const call = "triple.py::triple_kernel[(triton.cdiv(n, 32),)](x, y, n, BLOCK=32)";
  const blocks = async (candidate: string): Promise<unknown> => {
    const { checked } = await evaluate(under.evaluator, {
      spec: {
        ...base,
        file: "triple.py",
        kernel: "triple_kernel",
        run: { kind: "entry", entry: { call, arguments: [] } },
        origins: { "entry.call": "probed" },
        inputs: { x: vector },
        outputs: { y: vector },
        reference: { kind: "expression", expressions: { y: "3 * x" } },
      },
      baseline: { "triple.py": triple },
      candidate: { "triple.py": candidate },
    });
    if (checked.kind !== "checked") return checked;
    const [first] = checked.cases.flatMap(({ findings = [] }) => findings.map(({ kind }) => kind));
    const isRight = checked.cases.every(({ passed }) => passed);
    return [isRight, checked.launches?.map((each) => each.blocks), first];
  };
  const byTorch = launch.replace(/ {4}triple_kernel.*/, "    y.copy_(3 * x)");
  expect([await blocks(triple), await blocks(triple + launch), await blocks(triple + byTorch)]).toEqual([
    [true, [10], undefined],
    [true, [1], undefined],
    { kind: "did-not-run", reason: `the entry ${call} launched no kernel`, findings: [] },
  ]);
});

test("a kernel has one text in all processes, so that what was made of it is known again", async () => {
  const source = `import triton
import triton.language as tl

@triton.jit
def twice_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)
`;
  const call = "twice.py::twice_kernel[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64)";
  const task = {
    spec: {
      ...{ ...base, file: "twice.py", kernel: "twice_kernel" },
      run: { kind: "entry" as const, entry: { call, arguments: [] } },
      ...{ inputs: { x: vector }, outputs: { y: vector }, reference: { kind: "baseline" as const } },
    },
    specFolder: "",
    target: { kind: "vgpu" as const, architecture: "sm_80" as const },
    baseline: { "twice.py": source },
  };
  const { signal } = new AbortController();
  const texts: unknown[] = [];
  for (let process = 0; process < 2; process += 1) {
    const evaluation = await under.evaluator.open(task, signal);
    const code = await evaluation.code(task.baseline, signal);
    texts.push(code.kind === "compiled" ? code.kernels[0]?.ptx : code);
    await evaluation.close();
  }
  expect(texts[0]).toContain(".entry twice_kernel");
  expect(texts[1]).toBe(texts[0]);
});

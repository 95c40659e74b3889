import { afterAll, expect, test, vi } from "vitest";
import { CandidatePool } from "../../../server/host/worker/compile/candidate-pool";
import { probeEntry } from "../../../server/host/worker/probe/entry-probe";
import { spawnTransport } from "../../../server/host/worker/transport/spawn-transport";
import { virtualGpu } from "./vgpu-under-test";
import { python, workerFolder } from "./worker-under-test";

// Compilers and torch start in seconds on an idle machine and may take much longer on a busy one.
vi.setConfig({ testTimeout: 300_000 });

const gpu = virtualGpu();
const candidates = new CandidatePool(spawnTransport({ python, workerFolder }), false);
afterAll(async () => {
  await candidates.close();
  await gpu.close();
});

const head = "import torch, triton\nimport triton.language as tl\n";

const norm = `${head}
@triton.jit
def norm_kernel(x, w, y, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + cols, mask=cols < n_cols, other=0.0)
    scale = 1 / tl.sqrt(tl.sum(value * value, axis=0) / n_cols + eps)
    weight = tl.load(w + cols, mask=cols < n_cols)
    tl.store(y + row * stride + cols, value * scale * weight, mask=cols < n_cols)

class Norm(torch.nn.Module):
    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        flat = x.contiguous().view(-1, x.shape[-1])
        rows, cols = flat.shape
        y = torch.empty_like(flat)
        block = triton.next_power_of_2(cols)
        norm_kernel[(rows,)](flat, self.weight, y, flat.stride(0), cols, self.eps, BLOCK=block)
        return y.view(x.shape)
`;

const gather = `${head}
@triton.jit
def gather_kernel(table, ids, out, dim, BLOCK: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(ids + tl.program_id(0))
    value = tl.load(table + index * dim + at, mask=at < dim)
    tl.store(out + tl.program_id(0) * dim + at, value, mask=at < dim)

def gather(table: torch.Tensor, ids: torch.Tensor, out: torch.Tensor, mode):
    """Rows of a table.

    Args:
        table: the rows, of shape (vocabulary, dim)
        ids: which rows
    """
    if mode not in ("plain", "other"):
        raise ValueError(mode)
    grid = (ids.shape[0], triton.cdiv(table.size(1), 64))
    gather_kernel[grid](table, ids, out, table.size(1), BLOCK=64)
`;

const product = `${head}
@triton.jit
def gradient_kernel(dy, x, dx, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dx + at, 2 * tl.load(dy + at, mask=at < n) * tl.load(x + at, mask=at < n), mask=at < n)

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        assert dy.is_cuda and dy.is_contiguous()
        gradient_kernel[(triton.cdiv(x.numel(), 128),)](dy, x, dx, x.numel(), BLOCK=128)
        return dx
`;

const noise = `${head}
@triton.jit
def noise_kernel(x, target, scales, out, n, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    wanted = tl.log(tl.load(target + row * n + at, mask=at < n, other=1.0))
    near = tl.load(x + row * n + at, mask=at < n) + wanted
    tl.store(out + row * n + at, near * tl.load(scales + row) + tl.rand(seed, at), mask=at < n)

def add_noise(x, target, scales, seed):
    """x: [tokens, 2 * half], scales: [tokens, 1]"""
    assert x.shape == target.shape
    rows, n = x.shape
    out = torch.empty_like(x)
    noise_kernel[(rows,)](x, target, scales, out, n, seed, BLOCK=triton.next_power_of_2(n))
    return out.sum() / rows
`;

const affine = `${head}
@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)

@triton.jit
def affine_kernel(y, g, b, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = y + tl.program_id(0) * n
    value = tl.load(row + at, mask=at < n) * tl.load(g + at, mask=at < n) + tl.load(b + at, mask=at < n)
    tl.store(row + at, value, mask=at < n)

def affine(x, gamma, beta):
    rows, cols = x.shape
    y = torch.empty_like(x)
    double_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    affine_kernel[(rows,)](y, gamma, beta, cols, BLOCK=triton.next_power_of_2(cols))
    return y
`;

const positions = `${head}
@triton.jit
def turn_kernel(q, angles, out, time, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    angle = tl.load(angles + row % time * HALF + at)
    first, second = tl.load(q + row * 2 * HALF + at), tl.load(q + row * 2 * HALF + HALF + at)
    tl.store(out + row * 2 * HALF + at, first * tl.cos(angle) - second * tl.sin(angle))
    tl.store(out + row * 2 * HALF + HALF + at, second * tl.cos(angle) + first * tl.sin(angle))

class Turn(torch.nn.Module):
    def __init__(self, dim, length):
        super().__init__()
        rates = 1.0 / 100 ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("angles", torch.outer(torch.arange(length).float(), rates))

    def forward(self, q):
        heads, time, D = q.shape
        out = torch.empty_like(q)
        turn_kernel[(heads * time,)](q, self.angles, out, time, D // 2)
        return out
`;

const outer = `${head}
@triton.jit
def scaled_rows_kernel(x, y, out, inner, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(inner):
        value = tl.load(y + k * columns + at, mask=at < columns, other=0.0)
        total += tl.load(x + row * inner + k) * value
    tl.store(out + row * columns + at, total, mask=at < columns)

def check(x, y):
    assert x.ndim == 2 and y.ndim == 2
    if x.shape[1] != y.shape[0]:
        raise ValueError("inner sizes differ")

def rows_of(x, y):
    """A product.

    Assumes:
    - x.shape == (M, K)
    - y.shape == (K, N)
    """
    check(x, y)
    out = torch.empty((x.shape[0], y.shape[1]), device=x.device)
    block = triton.next_power_of_2(y.shape[1])
    scaled_rows_kernel[(x.shape[0],)](x, y, out, x.shape[1], y.shape[1], BLOCK=block)
    return out
`;

const drawnIn = `${head}
import absent_registry as registry
from absent_registry.nn import Mixin, option
from typing import Optional

@triton.jit
def half_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 0.5 * tl.load(x + at, mask=at < n), mask=at < n)

class Halves(Mixin):
    limits: Optional[registry.Limits] = option(4)

@registry.register("half")
def half(x):
    y = torch.empty_like(x)
    half_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
    return y
`;

const submission = `${head}
@triton.jit
def mix_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(a + at, mask=at < n) * tl.load(b + at, mask=at < n)
    tl.store(out + at, value, mask=at < n)

def solve(job):
    left, right, out = job
    count = left.shape[0]
    mix_kernel[(triton.cdiv(count, 256),)](left, right, out, count, BLOCK=256)
    return out
`;

const problem = `${head}
tokens = 24
width = 96

@triton.jit
def gate_kernel(x, w, y, width, LEVELS: tl.constexpr, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * width + at, mask=at < width, other=0.0)
    value = value * tl.load(w + at, mask=at < width, other=0.0)
    tl.store(y + row * width + at, tl.floor(value * LEVELS) / LEVELS, mask=at < width)

class Gate(torch.nn.Module):
    def __init__(self, features, levels, mode, bounds):
        super().__init__()
        assert (levels, mode, bounds) == (6, "floor", [0.0, 1.0])
        self.weight = torch.nn.Parameter(torch.ones(features))

    def forward(self, x, skipped=None):
        assert x.dtype == torch.float16 and x.dim() == 3
        y = torch.empty_like(x)
        rows = x.shape[0] * x.shape[1]
        block = triton.next_power_of_2(x.shape[2])
        gate_kernel[(rows,)](x, self.weight, y, x.shape[2], LEVELS=6, BLOCK=block)
        return y

def get_inputs():
    return [torch.rand(2, tokens, width, device="cuda", dtype=torch.float16)]

def get_init_inputs():
    return [width, 6, "floor", [0.0, 1.0]]
`;

test.each([
  {
    title: "shapes that a docstring states as equations",
    kernel: "scaled_rows_kernel",
    parameters: ["x", "y", "out", "inner", "columns", "BLOCK"],
    pointers: ["x", "y", "out"],
    text: outer,
    call: "rows_of(x, y)",
    inputs: {
      x: { dtype: "float32", shape: ["M", "K"] },
      y: { dtype: "float32", shape: ["K", "N"] },
    },
    outputs: { out: { dtype: "float32", shape: ["M", "N"] } },
  },
  {
    title: "a file that draws in a package which is not here, for what the kernel does not need",
    kernel: "half_kernel",
    parameters: ["x", "y", "n", "BLOCK"],
    pointers: ["x", "y"],
    text: drawnIn,
    call: "half(x)",
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "columns"] } },
  },
  {
    title: "a parameter that the function takes apart: a tuple of tensors",
    kernel: "mix_kernel",
    parameters: ["a", "b", "out", "n", "BLOCK"],
    pointers: ["a", "b", "out"],
    text: submission,
    call: "solve((left, right, out))",
    inputs: {
      left: { dtype: "float32", shape: ["count"] },
      right: { dtype: "float32", shape: ["count"] },
    },
    outputs: { out: { dtype: "float32", shape: ["count"] } },
  },
  {
    title: "a problem of a collection, which states its inputs and what its module is made with",
    kernel: "gate_kernel",
    parameters: ["x", "w", "y", "width", "LEVELS", "BLOCK"],
    pointers: ["x", "w", "y"],
    text: problem,
    call: "with_parameters(Gate(width, 6, 'floor', [0.0, 1.0]), weight=weight)(x)",
    inputs: {
      x: { dtype: "float16", shape: [2, "tokens", "width"] },
      weight: { dtype: "float32", shape: ["width"] },
    },
    outputs: { y: { dtype: "float16", shape: [2, "tokens", "width"] } },
    first: { sizes: { tokens: 24, width: 96 } },
  },
  {
    title: "a module that is made with a length and a size called dim",
    kernel: "turn_kernel",
    text: positions,
    call: "Turn(D, time)(q)",
    inputs: { q: { dtype: "float32", shape: ["heads", "time", "D"] } },
    outputs: { out: { dtype: "float32", shape: ["heads", "time", "D"] } },
  },
  {
    title: "tensors that only another kernel of the same function loads from",
    kernel: "double_kernel",
    parameters: ["x", "y", "n", "BLOCK"],
    pointers: ["x", "y"],
    text: affine,
    call: "affine(x, gamma, beta)",
    inputs: {
      x: { dtype: "float32", shape: ["rows", "cols"] },
      gamma: { dtype: "float32", shape: ["cols"] },
      beta: { dtype: "float32", shape: ["cols"] },
    },
    outputs: { y: { dtype: "float32", shape: ["rows", "cols"] } },
  },
  {
    title:
      "shapes that a docstring tells, types that compile, a seed, a result that torch makes of the kernel's",
    kernel: "noise_kernel",
    parameters: ["x", "target", "scales", "out", "n", "seed", "BLOCK"],
    pointers: ["x", "target", "scales", "out"],
    text: noise,
    call: "kernel_arguments(add_noise(x, target, scales, 17), 'noise_kernel', 'out')",
    inputs: {
      x: { dtype: "float32", shape: ["rows", "N"] },
      target: { dtype: "float32", shape: ["rows", "N"] },
      scales: { dtype: "float32", shape: ["rows", 1] },
    },
    outputs: { out: { dtype: "float32", shape: ["rows", "N"] } },
  },
  {
    title: "a module with a parameter, whose sizes follow from how its input is taken apart",
    kernel: "norm_kernel",
    text: norm,
    call: "with_parameters(Norm(columns), weight=weight)(x)",
    inputs: {
      x: { dtype: "float32", shape: ["rows", "columns"] },
      weight: { dtype: "float32", shape: ["columns"] },
    },
    outputs: { y: { dtype: "float32", shape: ["rows", "columns"] } },
  },
  {
    title: "indices, a tensor to fill and a word that is asked for",
    kernel: "gather_kernel",
    text: gather,
    call: "gather(table, ids, out, 'plain')",
    inputs: {
      table: { dtype: "float32", shape: ["vocabulary", "dim"] },
      ids: {
        dtype: "int64",
        shape: ["ids_0"],
        distribution: { kind: "range", low: 0, high: "vocabulary - 1" },
      },
    },
    outputs: { out: { dtype: "float32", shape: ["ids_0", "dim"] } },
  },
  {
    title: "a kernel that only the backward pass launches",
    kernel: "gradient_kernel",
    text: product,
    call: "gradients(lambda x: Square.apply(x), (x,), gradient)",
    inputs: {
      x: { dtype: "float32", shape: ["rows", "columns"] },
      gradient: { dtype: "float32", shape: ["rows", "columns"] },
    },
    outputs: { x_gradient: { dtype: "float32", shape: ["rows", "columns"] } },
  },
])("$title", async ({ kernel, parameters, pointers, text, call, inputs, outputs, first }) => {
  const request = {
    file: "given.py",
    tree: { "given.py": text },
    kernel,
    pointers: pointers ?? [],
    parameters: parameters ?? [],
    target: { kind: "vgpu", architecture: "sm_80" } as const,
    signal: new AbortController().signal,
  };
  const found = await probeEntry({ candidates, virtualGpu: gpu }, request);
  const told = found.ok
    ? {
        call: found.value["call"],
        inputs: found.value["inputs"],
        outputs: found.value["outputs"],
        ...(first && { first: [found.value["shapes"]].flat()[0] }),
      }
    : found.problem;
  expect(told).toEqual({ call, inputs, outputs, ...(first && { first }) });
});

test("a call that needs a package which is not here says which", async () => {
  const needing = drawnIn.replace("    y = torch", "    registry.begin(x)\n    y = torch");
  const request = {
    file: "given.py",
    tree: { "given.py": needing },
    kernel: "half_kernel",
    pointers: ["x", "y"],
    parameters: ["x", "y", "n", "BLOCK"],
    target: { kind: "vgpu", architecture: "sm_80" } as const,
    signal: new AbortController().signal,
  };
  const found = await probeEntry({ candidates, virtualGpu: gpu }, request);
  expect(found.ok ? "" : found.problem).toMatch(/No module named 'absent_registry', which .* lacks/);
});

import { afterAll, expect, test } from "vitest";
import { CandidatePool } from "../../../server/host/worker/compile/candidate-pool";
import { statedNumbers } from "../../../server/core/workload/probe/stated-sizes";
import { probeEntry } from "../../../server/host/worker/probe/entry-probe";
import { spawnTransport } from "../../../server/host/worker/transport/spawn-transport";
import {
  grouped,
  norm,
  gather,
  product,
  noise,
  affine,
  positions,
  outer,
  drawnIn,
  submission,
  problem,
  restless,
  former,
  wholeBlocks,
  branching,
  patterned,
  told,
  bands,
} from "./entry-probe-texts";
import { eachRow } from "./entry-probe-loops";
import { sumOfBox } from "./entry-probe-parts";
import { virtualGpu } from "./vgpu-under-test";
import { python, workerFolder } from "./worker-under-test";

const gpu = virtualGpu();
const candidates = new CandidatePool(spawnTransport({ python, workerFolder }), false);
afterAll(async () => {
  await candidates.close();
  await gpu.close();
});

test.each([
  {
    title: "asserted types, values of a number, and tensors that are not small",
    kernel: "group_max_kernel",
    parameters: ["inp", "peaks", "GROUP"],
    pointers: ["inp", "peaks"],
    text: grouped,
    call: "peaks_of(inp, 32)",
    inputs: { inp: { dtype: "float16", shape: ["batch", "rows", "columns"] } },
    outputs: { peaks: { dtype: "float32", shape: ["batch * columns * rows // 32"] } },
  },
  {
    title: "types that a kernel casts to; no shape of which it leaves out a rest",
    kernel: "gate_kernel",
    parameters: ["a", "b", "out", "N"],
    pointers: ["a", "b", "out"],
    text: restless,
    call: "gated(a, b)",
    inputs: {
      a: { dtype: "bfloat16", shape: ["rows", "columns"] },
      b: { dtype: "bfloat16", shape: ["rows", "columns"] },
    },
    outputs: { out: { dtype: "bfloat16", shape: ["rows", "columns"] } },
    shapes: [
      { rows: 2048, columns: 1024 },
      { rows: 64, columns: 32 },
      { rows: 32, columns: 64 },
    ],
  },
  {
    title: "numbers that tell the sizes of flat memory, of which no tensor is asked, and a pair of them",
    kernel: "blend_kernel",
    text: told,
    call: "blend(pixels, weights, blended, H, W, (32, 32))",
    inputs: {
      pixels: { dtype: "float32", shape: ["H", "W", 3] },
      weights: { dtype: "float32", shape: ["H"] },
    },
    outputs: { blended: { dtype: "float32", shape: ["H", "W"] } },
  },
  {
    title: "numbers that begin and end a part of what is read, beside a total that need not be as large",
    kernel: "box_kernel",
    parameters: ["a", "total", "M", "K", "z0", "z1", "y0", "y1", "x0", "x1", "BLOCK"],
    pointers: ["a", "total"],
    text: sumOfBox,
    call: "box_sum(a, total, N, M, K, N // 4, N - 1, M // 4, M - 1, K // 4, K - 1)",
    inputs: {
      a: { dtype: "float32", shape: ["N", "M", "K"] },
      total: { dtype: "float32", shape: [1] },
    },
    outputs: { total: { dtype: "float32", shape: [1] } },
  },
  {
    title: "a file of an earlier Triton in a folder of that name, which asks for a GPU and for a package",
    file: "kit/triton/given.py",
    beside: { "kit/triton/__init__.py": "", "kit/triton/widths.py": "BLOCK_WIDTH = 256\n" },
    kernel: "squash_kernel",
    parameters: ["x", "y", "n", "BLOCK"],
    pointers: ["x", "y"],
    text: former,
    call: "squashed(x)",
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "columns"] } },
  },
  {
    title: "a kernel for whole blocks, with sizes of which one is a multiple of another",
    kernel: "scores_kernel",
    text: wholeBlocks,
    call: "scores(q, k)",
    inputs: {
      q: { dtype: "float32", shape: ["heads", "length", "width"] },
      k: { dtype: "float32", shape: ["groups", "length", "width"] },
    },
    outputs: { out: { dtype: "float32", shape: ["heads", "length"] } },
  },
  {
    title: "a tensor that branches take with different numbers of dimensions",
    kernel: "flip_kernel",
    parameters: ["x", "y", "n", "BLOCK"],
    pointers: ["x", "y"],
    text: branching,
    call: "flip(x)",
    inputs: { x: { dtype: "float32", shape: ["batch", "time", "width"] } },
    outputs: { y: { dtype: "float32", shape: ["batch", "time", "width"] } },
  },
  {
    title: "shapes that an annotation and a pattern name",
    kernel: "project_kernel",
    text: patterned,
    call: "project(x, w, bias)",
    inputs: {
      x: { dtype: "float32", shape: ["B", "T", "D"] },
      w: { dtype: "float32", shape: ["outputs", "D"] },
      bias: { dtype: "float32", shape: ["outputs"] },
    },
    outputs: { y: { dtype: "float32", shape: ["B", "T", "outputs"] } },
  },
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
    call: "kernel_arguments(add_noise(x, target, scales, 17), 'noise_kernel', 'out', computed=(0,))",
    inputs: {
      x: { dtype: "float32", shape: ["rows", "N"] },
      target: { dtype: "float32", shape: ["rows", "N"] },
      scales: { dtype: "float32", shape: ["rows", 1] },
    },
    outputs: {
      out: { dtype: "float32", shape: ["rows", "N"] },
      result: { dtype: "float32", shape: [] },
    },
  },
  {
    title: "sizes for which a launch for each row makes few launches",
    kernel: "half_kernel",
    parameters: ["x", "y", "n", "BLOCK"],
    pointers: ["x", "y"],
    text: eachRow,
    call: "Halve()(x)",
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { out: { dtype: "float32", shape: ["rows", "columns"] } },
    first: { sizes: { rows: 64, columns: 32 } },
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
    title: "a module whose constructor asks two numbers to fit together",
    kernel: "band_gain_kernel",
    text: bands,
    call: "with_parameters(BandGain(channels, 1), gain=gain)(x)",
    inputs: {
      gain: { dtype: "float32", shape: [1] },
      x: { dtype: "float32", shape: ["frames", "channels"] },
    },
    outputs: { y: { dtype: "float32", shape: ["frames", "channels"] } },
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
])(
  "$title",
  async ({
    file = "given.py",
    beside,
    kernel,
    parameters,
    pointers,
    text,
    call,
    inputs,
    outputs,
    first,
    shapes,
  }) => {
    const request = {
      file,
      tree: { ...beside, [file]: text },
      kernel,
      pointers: pointers ?? [],
      parameters: parameters ?? [],
      stated: statedNumbers(text),
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
          ...(shapes && { shapes: sizesOf(found.value["shapes"]) }),
        }
      : found.problem;
    expect(told).toEqual({ call, inputs, outputs, ...(first && { first }), ...(shapes && { shapes }) });
  },
);

/** The sizes of each shape of a spec. */
function sizesOf(shapes: unknown): readonly unknown[] {
  return [shapes].flat().map((shape) => (shape as { readonly sizes: unknown }).sizes);
}

test("a call that needs a package which is not here says which", async () => {
  const needing = drawnIn.replace("    y = torch", "    registry.begin(x)\n    y = torch");
  const request = {
    file: "given.py",
    tree: { "given.py": needing },
    kernel: "half_kernel",
    pointers: ["x", "y"],
    parameters: ["x", "y", "n", "BLOCK"],
    stated: {},
    target: { kind: "vgpu", architecture: "sm_80" } as const,
    signal: new AbortController().signal,
  };
  const found = await probeEntry({ candidates, virtualGpu: gpu }, request);
  expect(found.ok ? "" : found.problem).toMatch(/No module named 'absent_registry', which .* lacks/);
});

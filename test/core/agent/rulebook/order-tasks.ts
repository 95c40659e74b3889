import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { caseTask } from "./rule-tasks";

/** Every pixel is outside of the mask. */
export const leastHashes = (): EvaluationTask =>
  caseTask("cuda-share-window-values/least-hash.cu", {
    kernel: "least-hash.cu::minimizers",
    launch: {
      grid: ["ceil_div(n, 128)"],
      block: [128],
      arguments: ["seq", "out", { value: "n", dtype: "int32" }],
    },
    inputs: { seq: { dtype: "uint8", shape: ["n + 29"], distribution: { kind: "range", low: 0, high: 3 } } },
    outputs: { out: { dtype: "uint32", shape: ["n"] } },
    shapes: [{ sizes: { n: 4096 } }, { sizes: { n: 1000 } }, { sizes: { n: 3 } }],
    reference: "baseline",
  });

export const masked = (): EvaluationTask =>
  caseTask("cuda-test-first/a-mask-asked-late.cu", {
    kernel: "a-mask-asked-late.cu::smooth",
    launch: {
      grid: ["width / 256", "height"],
      block: [256],
      arguments: [
        ...["image", "inside", "out"],
        ...[
          { value: "width", dtype: "int32" },
          { value: "height", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      image: { dtype: "float32", shape: ["height", "width"] },
      inside: {
        dtype: "uint8",
        shape: ["height", "width"],
        distribution: { kind: "range", low: 0, high: 0 },
      },
    },
    outputs: { out: { dtype: "float32", shape: ["height", "width"] } },
    shapes: [{ sizes: { width: 512, height: 16 } }, { sizes: { width: 256, height: 3 } }],
    reference: "baseline",
  });

export const weighed = (): EvaluationTask =>
  caseTask("cuda-steady-work/a-call-in-a-sum.cu", {
    kernel: "a-call-in-a-sum.cu::scores",
    launch: {
      grid: ["(n + 255) / 256"],
      block: [256],
      arguments: [
        ...["query", "keys", "score"],
        ...[
          { value: "dim", dtype: "int32" },
          { value: "n", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      query: { dtype: "float32", shape: ["dim"] },
      keys: { dtype: "float32", shape: ["dim", "n"] },
    },
    outputs: { score: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 1024, dim: 24 } }, { sizes: { n: 300, dim: 7 } }],
    reference: "baseline",
  });

export const folded = (): EvaluationTask =>
  caseTask("cuda-own-atomics/columns-of-threads.cu", {
    kernel: "columns-of-threads.cu::fold",
    launch: {
      grid: ["blocks"],
      block: [128],
      arguments: ["power", "phase", "out", { value: "n", dtype: "int32" }],
    },
    inputs: { power: { dtype: "float32", shape: ["n"] }, phase: { dtype: "uint8", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["blocks", "32"] } },
    shapes: [{ sizes: { n: 8192, blocks: 8 } }, { sizes: { n: 1000, blocks: 3 } }],
    reference: "baseline",
  });

export const distances = (): EvaluationTask =>
  caseTask("cuda-bit-instructions/loops-over-bits.cu", {
    kernel: "loops-over-bits.cu::distances",
    launch: {
      grid: ["(n + 255) / 256"],
      block: [256],
      arguments: [
        ...["a", "b", "depth", "out"],
        ...[
          { value: "words", dtype: "int32" },
          { value: "n", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      a: { dtype: "uint32", shape: ["n", "words"] },
      b: { dtype: "uint32", shape: ["words"] },
      depth: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: 0, high: 100000 } },
    },
    outputs: { out: { dtype: "int32", shape: ["n"] } },
    shapes: [{ sizes: { n: 1024, words: 8 } }, { sizes: { n: 77, words: 3 } }],
    reference: "baseline",
  });

export const neighbours = (): EvaluationTask =>
  caseTask("cuda-lists-in-registers/nearest-neighbours.cu", {
    kernel: "nearest-neighbours.cu::knn",
    launch: {
      grid: ["(queries + 127) / 128"],
      block: [128],
      arguments: [
        ...["query", "ref", "index", "distance"],
        ...[
          { value: "queries", dtype: "int32" },
          { value: "refs", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      query: { dtype: "float32", shape: ["queries", "3"] },
      ref: { dtype: "float32", shape: ["refs", "3"] },
    },
    outputs: {
      index: { dtype: "int32", shape: ["queries", "8"] },
      distance: { dtype: "float32", shape: ["queries", "8"] },
    },
    shapes: [{ sizes: { queries: 256, refs: 100 } }, { sizes: { queries: 77, refs: 33 } }],
    reference: "baseline",
  });

export const features = (): EvaluationTask =>
  caseTask("cuda-unroll-array-loops/hints-that-keep-loops.cu", {
    kernel: "hints-that-keep-loops.cu::features",
    launch: {
      grid: ["(n + 127) / 128"],
      block: [128],
      arguments: ["x", "w", "y", { value: "n", dtype: "int32" }],
    },
    inputs: { x: { dtype: "float32", shape: ["n"] }, w: { dtype: "float32", shape: ["128"] } },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 512 } }, { sizes: { n: 77 } }],
    reference: "baseline",
  });

export const stages = (): EvaluationTask =>
  caseTask("cuda-known-count/stages-of-a-step.cu", {
    kernel: "stages-of-a-step.cu::forecast",
    launch: {
      grid: ["(members + 127) / 128"],
      block: [128],
      arguments: [
        "state",
        ...[
          { value: "members", dtype: "int32" },
          { value: "12", dtype: "int32" },
          { value: "1", dtype: "int32" },
          { value: "2", dtype: "float32" },
          { value: "1", dtype: "float32" },
        ],
      ],
    },
    inputs: { state: { dtype: "float32", shape: ["12", "members"] } },
    outputs: { state: { dtype: "float32", shape: ["12", "members"] } },
    shapes: [{ sizes: { members: 512 } }, { sizes: { members: 77 } }],
    reference: "baseline",
  });

export const stretches = (): EvaluationTask =>
  caseTask("cuda-interleave-scratch/stretches-without-a-guard.cu", {
    kernel: "stretches-without-a-guard.cu::paths",
    entry: {
      call: "stretches-without-a-guard.cu::run",
      arguments: [
        ...["price", "out"],
        ...[
          { value: "blocks", dtype: "int32" },
          { value: "depth", dtype: "int32" },
        ],
      ],
    },
    inputs: { price: { dtype: "float32", shape: ["blocks * 64"] } },
    outputs: { out: { dtype: "float32", shape: ["blocks * 64"] } },
    shapes: [{ sizes: { blocks: 16, depth: 24 } }, { sizes: { blocks: 16, depth: 7 } }],
    reference: "baseline",
  });

/** Registers for eight blocks of 128 threads: 64 a thread, which keeps 96 sums. */
export const crowded = (): EvaluationTask =>
  caseTask("cuda-loosen-launch-bounds/too-few-registers.cu", {
    kernel: "too-few-registers.cu::sums",
    launch: { grid: ["1"], block: [128], arguments: ["x", "y", { value: "n", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["n + 95"] } },
    outputs: { y: { dtype: "float32", shape: ["96", "128"] } },
    shapes: [{ sizes: { n: 16 } }, { sizes: { n: 3 } }],
    reference: "baseline",
  });

/** Neighbours have the same label. */
export const labelled = (): EvaluationTask =>
  caseTask("cuda-add-for-warp/labels-of-pixels.cu", {
    kernel: "labels-of-pixels.cu::accumulate",
    launch: {
      grid: ["(width + 31) / 32", "(height + 7) / 8"],
      block: [32, 8],
      arguments: [
        ...["image", "labels", "sums"],
        ...[
          { value: "width", dtype: "int32" },
          { value: "height", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      image: { dtype: "uint8", shape: ["height", "width"] },
      labels: {
        dtype: "int32",
        shape: ["height", "width"],
        distribution: { kind: "range", low: 0, high: 1 },
      },
      sums: { dtype: "uint32", shape: ["4"], distribution: { kind: "range", low: 0, high: 0 } },
    },
    outputs: { sums: { dtype: "uint32", shape: ["4"] } },
    shapes: [{ sizes: { width: 128, height: 32 } }, { sizes: { width: 45, height: 9 } }],
    reference: "baseline",
  });

/** Spins of one colour. */
export const board = (): EvaluationTask =>
  caseTask("cuda-every-other/colours-of-a-board.cu", {
    kernel: "colours-of-a-board.cu::update",
    launch: {
      grid: ["(width + 31) / 32", "(height + 7) / 8"],
      block: [32, 8],
      arguments: [
        ...["spins"],
        ...["colour", "width", "height", "step"].map((value) => ({ value, dtype: "int32" })),
      ],
    },
    inputs: {
      spins: { dtype: "int8", shape: ["height", "width"], distribution: { kind: "range", low: -1, high: 1 } },
    },
    outputs: { spins: { dtype: "int8", shape: ["height", "width"] } },
    shapes: [
      { sizes: { width: 256, height: 32, colour: 1, step: 1 } },
      { sizes: { width: 46, height: 9, colour: 0, step: 0 } },
    ],
    reference: "baseline",
  });

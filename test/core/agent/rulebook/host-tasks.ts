import { basename } from "node:path";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { caseTask } from "./rule-tasks";

export const eachFrame = (): EvaluationTask =>
  caseTask("triton-batch-in-grid/frames.py", {
    kernel: "frames.py::lift_kernel",
    entry: { call: "frames.py::lift", arguments: ["frames", "gains"] },
    inputs: {
      frames: { dtype: "float32", shape: ["count", "rows", "columns"] },
      gains: { dtype: "float32", shape: ["columns"] },
    },
    outputs: { out: { dtype: "float32", shape: ["count", "rows", "columns"] } },
    shapes: [{ sizes: { count: 8, rows: 16, columns: 64 } }, { sizes: { count: 3, rows: 5, columns: 33 } }],
    reference: "baseline",
  });

export const eachStep = (): EvaluationTask =>
  caseTask("triton-turns-in-kernel/change-places.py", {
    kernel: "change-places.py::decay_kernel",
    entry: { call: "change-places.py::decay", arguments: ["start", "rates"] },
    inputs: {
      start: { dtype: "float32", shape: ["rows", "columns"] },
      rates: { dtype: "float32", shape: ["steps"] },
    },
    outputs: { now: { dtype: "float32", shape: ["rows", "columns"] } },
    shapes: [{ sizes: { steps: 8, rows: 16, columns: 64 } }, { sizes: { steps: 3, rows: 5, columns: 33 } }],
    reference: "baseline",
  });

export const nearestRows = (): EvaluationTask =>
  caseTask("triton-reduce-tiles/nearest-rows.py", {
    kernel: "nearest-rows.py::distances",
    entry: { call: "nearest-rows.py::quantized", arguments: ["x", "codebook"] },
    inputs: { x: { dtype: "float32", shape: ["n", 16] }, codebook: { dtype: "float32", shape: ["k", 16] } },
    outputs: { y: { dtype: "float32", shape: ["n", 16] } },
    shapes: [{ sizes: { n: 256, k: 512 } }, { sizes: { n: 33, k: 70 } }],
    reference: "baseline",
  });

export const normalized = (): EvaluationTask =>
  caseTask("triton-statistics-in-kernel/normalized.py", {
    kernel: "normalized.py::apply_norm",
    entry: { call: "normalized.py::layer_norm", arguments: ["x", "weight"] },
    inputs: {
      x: { dtype: "float32", shape: ["rows", "columns"] },
      weight: { dtype: "float32", shape: ["columns"] },
    },
    outputs: { y: { dtype: "float32", shape: ["rows", "columns"] } },
    shapes: [{ sizes: { rows: 64, columns: 256 } }, { sizes: { rows: 5, columns: 33 } }],
    reference: "baseline",
  });

export const rowsOfOneBlock = (): EvaluationTask =>
  caseTask("cuda-launches-in-grid/rows-of-one-block.cu", {
    kernel: "rows-of-one-block.cu::centre",
    entry: {
      call: "rows-of-one-block.cu::run",
      arguments: [
        ...["in", "out", { value: "rows", dtype: "int32" as const }, { value: "n", dtype: "int32" as const }],
        { bytes: "0000000000000000" },
      ],
    },
    inputs: { in: { dtype: "float32", shape: ["rows", "n"] } },
    outputs: { out: { dtype: "float32", shape: ["rows", "n"] } },
    shapes: [{ sizes: { rows: 12, n: 300 } }, { sizes: { rows: 12, n: 65 } }],
    reference: "baseline",
  });

/** A launcher of two kernels that is handed `n` numbers and leaves as many in each of its outputs. */
const launcher = (path: string, outputs: readonly string[], n = 4096): EvaluationTask =>
  caseTask(path, {
    kernel: `${basename(path)}::squares`,
    entry: {
      call: `${basename(path)}::run`,
      arguments: ["x", ...outputs, { value: "n", dtype: "int32" as const }],
    },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: Object.fromEntries(outputs.map((name) => [name, { dtype: "float32" as const, shape: ["n"] }])),
    shapes: [{ sizes: { n } }, { sizes: { n: 1001 } }],
    reference: "baseline",
  });

export const waitingBetween = (): EvaluationTask =>
  launcher("cuda-drop-waits/between-two-launches.cu", ["parts", "y"]);

export const scratchOfEachCall = (): EvaluationTask => launcher("cuda-pool-scratch/in-each-call.cu", ["y"]);

export const memoryOfEachTurn = (): EvaluationTask =>
  launcher("cuda-allocate-once/handed-on-in-each-turn.cu", ["y"]);

export const greatestOfAll = (): EvaluationTask =>
  launcher("cuda-sum-on-gpu/greatest-of-all.cu", ["parts", "y"], 262_144);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { readSpec } from "./real-evaluation";

const caseFolder = join(__dirname, "../../../cases/rulebook");

/**
 * A kernel of the rules' cases, its marks taken off, with a spec of its own. Where a block makes a row, all
 * shapes have as many rows: a full check tries another number with 65,521 of them, which is of no use here.
 */
export function caseTask(path: string, spec: object): EvaluationTask {
  const file = path.split("/").at(-1) ?? path;
  const source = readFileSync(join(caseFolder, path), "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/\s*(\/\/|#)@ .*$/, ""))
    .join("\n");
  return {
    spec: readSpec(JSON.stringify({ version: 1, objective: "modelled-bound", ...spec })),
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline: { [file]: source },
  };
}

export const rowSum = (): EvaluationTask =>
  caseTask("cuda-shuffle-tree-reduction/sum.cu", {
    kernel: "sum.cu::row_sum",
    launch: { grid: ["rows"], arguments: ["x", "y", { value: "columns", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["rows"] } },
    shapes: [{ sizes: { rows: 16, columns: 500 } }, { sizes: { rows: 16, columns: 7 } }],
    reference: { expressions: { y: "x.sum(axis=1)" } },
  });

export const axpy = (): EvaluationTask =>
  caseTask("cuda-vectorize-threads/one-element-each.cu", {
    kernel: "one-element-each.cu::axpy",
    launch: { arguments: [{ value: 2, dtype: "float32" }, "x", "y", "z", { value: "n", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["n"] }, y: { dtype: "float32", shape: ["n"] } },
    outputs: { z: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }, { sizes: { n: 2 } }],
    reference: { expressions: { z: "2 * x + y" } },
  });

export const pick = (): EvaluationTask =>
  caseTask("cuda-index-registers/table.cu", {
    kernel: "table.cu::pick",
    launch: { arguments: ["x", "which", "y", { value: "n", dtype: "int32" }] },
    inputs: {
      x: { dtype: "float32", shape: ["n"] },
      which: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: 0, high: 3 } },
    },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: { expressions: { y: "(which + 1) * x" } },
  });

export const attended = (): EvaluationTask =>
  caseTask("cuda-warp-branch/softmax-of-one-thread.cu", {
    kernel: "softmax-of-one-thread.cu::attend",
    launch: {
      ...{ grid: ["rows"], block: [128], sharedBytes: "4 * most" },
      arguments: ["score", "lens", "out", { value: "most", dtype: "int32" }],
    },
    inputs: {
      score: { dtype: "float32", shape: ["rows", "most"] },
      lens: { dtype: "int32", shape: ["rows"], distribution: { kind: "range", low: 1, high: "most" } },
      out: { dtype: "float32", shape: ["rows", "most"] },
    },
    outputs: { out: { dtype: "float32", shape: ["rows", "most"] } },
    shapes: [{ sizes: { rows: 8, most: 700 } }, { sizes: { rows: 8, most: 37 } }],
    reference: "baseline",
  });

export const votes = (): EvaluationTask =>
  caseTask("cuda-spread-counters/few-bins.cu", {
    kernel: "few-bins.cu::votes",
    launch: {
      ...{ grid: ["4"], block: [256] },
      arguments: ["choice", "weight", "total", { value: "n", dtype: "int32" }],
    },
    inputs: {
      choice: { dtype: "uint8", shape: ["n"], distribution: { kind: "range", low: 0, high: 5 } },
      weight: { dtype: "uint32", shape: ["n"], distribution: { kind: "range", low: 0, high: 9 } },
      total: { dtype: "uint32", shape: [6], distribution: { kind: "constant", value: 0 } },
    },
    outputs: { total: { dtype: "uint32", shape: [6] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

export const generator = (): EvaluationTask =>
  caseTask("cuda-reciprocal-of-divisor/steps-of-a-generator.cu", {
    kernel: "steps-of-a-generator.cu::walk",
    launch: {
      ...{ grid: ["ceil_div(n, 128)"], block: [128] },
      arguments: [
        "state",
        { value: "n", dtype: "int32" },
        { value: 2147483647, dtype: "uint32" },
        { value: 40, dtype: "int32" },
      ],
    },
    inputs: { state: { dtype: "uint32", shape: ["n"] } },
    outputs: { state: { dtype: "uint32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

export const palette = (): EvaluationTask =>
  caseTask("cuda-share-setup/table-of-each-block.cu", {
    kernel: "table-of-each-block.cu::recolour",
    entry: {
      call: "table-of-each-block.cu::recolour_all",
      arguments: ["pixel", "table", "out", { value: "n", dtype: "int32" }],
    },
    inputs: {
      pixel: { dtype: "uint8", shape: ["n"], distribution: { kind: "range", low: 0, high: 255 } },
      table: { dtype: "float32", shape: [2048] },
    },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 524288 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

export const centred = (): EvaluationTask =>
  caseTask("cuda-share-uniform-sum/mean-of-a-channel.cu", {
    kernel: "mean-of-a-channel.cu::centre",
    launch: {
      ...{ grid: ["ceil_div(n, 256)", "channels"], block: [256] },
      arguments: ["x", "y", { value: "n", dtype: "int32" }],
    },
    inputs: { x: { dtype: "float32", shape: ["channels", "n"] } },
    outputs: { y: { dtype: "float32", shape: ["channels", "n"] } },
    shapes: [{ sizes: { channels: 3, n: 1024 } }, { sizes: { channels: 3, n: 333 } }],
    reference: "baseline",
  });

export const decibels = (): EvaluationTask =>
  caseTask("cuda-constant-base/decibels.cu", {
    kernel: "decibels.cu::apply_gain",
    launch: {
      ...{ grid: ["ceil_div(n, 128)"], block: [128] },
      arguments: ["in", "out", "gain_db", { value: "n", dtype: "int32" }],
    },
    inputs: { in: { dtype: "float32", shape: ["n"] }, gain_db: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

export const weights = (): EvaluationTask =>
  caseTask("cuda-all-digits/stencil-of-weights.cu", {
    kernel: "stencil-of-weights.cu::weights",
    entry: {
      call: "stencil-of-weights.cu::run",
      arguments: ["at", "taps", { value: "n", dtype: "int32" }],
    },
    inputs: { at: { dtype: "float32", shape: ["n"] } },
    outputs: { taps: { dtype: "float32", shape: ["n", 8] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1027 } }],
    reference: "baseline",
  });

export const span = (): EvaluationTask =>
  caseTask("cuda-second-pass/range-of-values.cu", {
    kernel: "range-of-values.cu::span",
    entry: {
      call: "range-of-values.cu::measure",
      arguments: ["x", "out", { value: "n", dtype: "int32" }],
    },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: [4] } },
    shapes: [{ sizes: { n: 65536 } }, { sizes: { n: 1027 } }, { sizes: { n: 3 } }],
    reference: "baseline",
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

export const pastOnly = (): EvaluationTask =>
  caseTask("cuda-skip-masked-turns/online-softmax.cu", {
    kernel: "online-softmax.cu::past_only",
    launch: {
      ...{ grid: ["ceil_div(steps, 64)"], block: [64] },
      arguments: [
        ...["query", "keys", "values", "out"],
        ...[
          { value: "steps", dtype: "int32" },
          { value: 0.5, dtype: "float32" },
        ],
      ],
    },
    inputs: {
      query: { dtype: "float32", shape: ["steps", 32] },
      keys: { dtype: "float32", shape: ["steps", 32] },
      values: { dtype: "float32", shape: ["steps", 32] },
    },
    outputs: { out: { dtype: "float32", shape: ["steps", 32] } },
    shapes: [{ sizes: { steps: 320 } }, { sizes: { steps: 77 } }],
    reference: "baseline",
  });

export const nearOnly = (): EvaluationTask =>
  caseTask("triton-skip-masked-turns/window-of-blocks.py", {
    kernel: "window-of-blocks.py::near_only",
    entry: { call: "window-of-blocks.py::run", arguments: ["q", "k", { value: 40, dtype: "int32" }] },
    inputs: { q: { dtype: "float32", shape: ["n"] }, k: { dtype: "float32", shape: ["n"] } },
    outputs: { o: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 256 } }, { sizes: { n: 77 } }],
    reference: "baseline",
  });

export const lastToken = (): EvaluationTask =>
  caseTask("triton-split-softmax/one-query.py", {
    kernel: "one-query.py::attend_last",
    entry: { call: "one-query.py::attend", arguments: ["query", "keys", "values"] },
    inputs: {
      query: { dtype: "float32", shape: ["heads", 32] },
      keys: { dtype: "float32", shape: ["heads", "tokens", 32] },
      values: { dtype: "float32", shape: ["heads", "tokens", 32] },
    },
    outputs: { out: { dtype: "float32", shape: ["heads", 32] } },
    shapes: [{ sizes: { heads: 4, tokens: 1024 } }, { sizes: { heads: 4, tokens: 70 } }],
    reference: "baseline",
  });

export const torus = (): EvaluationTask =>
  caseTask("cuda-compare-for-remainder/offsets-of-a-table.cu", {
    kernel: "offsets-of-a-table.cu::field",
    launch: {
      ...{ grid: ["ceil_div(side, 64)", "side"], block: [64] },
      arguments: [
        ...["spin", "offset", "out"],
        ...[
          { value: "side", dtype: "int32" },
          { value: "count", dtype: "int32" },
        ],
      ],
    },
    inputs: {
      spin: { dtype: "float32", shape: ["side", "side"] },
      offset: { dtype: "int32", shape: ["2 * count"], distribution: { kind: "range", low: -3, high: 3 } },
    },
    outputs: { out: { dtype: "float32", shape: ["side", "side"] } },
    shapes: [{ sizes: { side: 128, count: 8 } }, { sizes: { side: 33, count: 5 } }],
    reference: "baseline",
  });

export const halfPower = (): EvaluationTask =>
  caseTask("triton-convert-in-registers/floats-behind.py", {
    kernel: "floats-behind.py::power_kernel",
    entry: { call: "floats-behind.py::power", arguments: ["x"] },
    inputs: { x: { dtype: "bfloat16", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 301 } }],
    reference: "baseline",
  });

export const turnedRows = (): EvaluationTask =>
  caseTask("triton-read-in-place/turned-for-flat.py", {
    kernel: "turned-for-flat.py::square_rows",
    entry: { call: "turned-for-flat.py::squares", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["batch", "rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["batch", "columns", "rows"] } },
    shapes: [{ sizes: { batch: 2, rows: 64, columns: 32 } }, { sizes: { batch: 3, rows: 64, columns: 5 } }],
    reference: { expressions: { y: "(x * x).transpose(0, 2, 1)" } },
  });

export const scores = (): EvaluationTask =>
  caseTask("triton-float-dot-for-sum/factors-by-name.py", {
    kernel: "factors-by-name.py::scores_kernel",
    entry: { call: "factors-by-name.py::attention_scores", arguments: ["q", "k"] },
    inputs: {
      q: { dtype: "float32", shape: [1, 2, "steps", 32] },
      k: { dtype: "float32", shape: [1, 2, "steps", 32] },
    },
    outputs: { s: { dtype: "float32", shape: [1, 2, "steps", "steps"] } },
    shapes: [{ sizes: { steps: 64 } }, { sizes: { steps: 33 } }],
    reference: "baseline",
  });

export const channels = (): EvaluationTask =>
  caseTask("triton-turns-in-grid/channels-in-turn.py", {
    kernel: "channels-in-turn.py::instance_norm",
    entry: { call: "channels-in-turn.py::inorm", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["n", "c", 8, 16] } },
    outputs: { y: { dtype: "float32", shape: ["n", "c", 8, 16] } },
    shapes: [{ sizes: { n: 2, c: 16 } }, { sizes: { n: 3, c: 5 } }],
    reference: "baseline",
  });

export const everyNth = (): EvaluationTask =>
  caseTask("triton-contiguous-programs/every-nth.py", {
    kernel: "every-nth.py::vector_add_kernel",
    entry: { call: "every-nth.py::vector_add", arguments: ["a", "b"] },
    inputs: { a: { dtype: "float32", shape: ["n"] }, b: { dtype: "float32", shape: ["n"] } },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1001 } }],
    reference: { expressions: { out: "a + b" } },
  });

export const total = (): EvaluationTask =>
  caseTask("triton-sum-first/few-programs.py", {
    kernel: "few-programs.py::total",
    entry: { call: "few-programs.py::run", arguments: ["x"] },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: [1] } },
    shapes: [{ sizes: { n: 4096 } }, { sizes: { n: 301 } }],
    reference: { expressions: { y: "x.sum().reshape(1)" } },
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

export const columnPower = (): EvaluationTask =>
  caseTask("triton-sum-tile-first/columns-of-a-tile.py", {
    kernel: "columns-of-a-tile.py::column_sums",
    entry: { call: "columns-of-a-tile.py::power_by_column", arguments: ["grid"] },
    inputs: { grid: { dtype: "float32", shape: ["height", "width"] } },
    outputs: { sums: { dtype: "float32", shape: ["width"] } },
    shapes: [{ sizes: { height: 256, width: 192 } }, { sizes: { height: 77, width: 35 } }],
    reference: { expressions: { sums: "(grid * grid).sum(0)" } },
    tolerance: { absolute: 1e-3, relative: 1e-4 },
  });

export const blend = (): EvaluationTask =>
  caseTask("triton-other-configuration/three-lengths.py", {
    kernel: "three-lengths.py::blend",
    entry: { call: "three-lengths.py::composite", arguments: ["under", "over", "share"] },
    inputs: {
      under: { dtype: "float32", shape: ["n"] },
      over: { dtype: "float32", shape: ["n"] },
      share: { dtype: "float32", shape: ["n"] },
    },
    outputs: { out: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 8192 } }, { sizes: { n: 1001 } }],
    reference: { expressions: { out: "under + share * (over - under)" } },
  });

export const overlaps = (): EvaluationTask =>
  caseTask("triton-longer-sums/tile-of-sixteen.py", {
    kernel: "tile-of-sixteen.py::overlap",
    entry: { call: "tile-of-sixteen.py::run", arguments: ["left", "right"] },
    inputs: {
      left: { dtype: "float16", shape: ["rows", "depth"] },
      right: { dtype: "float16", shape: ["columns", "depth"] },
    },
    outputs: { out: { dtype: "float32", shape: ["rows", "columns"] } },
    shapes: [
      { sizes: { rows: 128, columns: 64, depth: 256 } },
      { sizes: { rows: 65, columns: 33, depth: 70 } },
    ],
    reference: { expressions: { out: "left @ right.T" } },
  });

export const scaledRows = (): EvaluationTask =>
  caseTask("triton-factor-behind-loop/scales-of-columns.py", {
    kernel: "scales-of-columns.py::w8a16",
    entry: { call: "scales-of-columns.py::linear", arguments: ["x", "w", "scale"] },
    inputs: {
      x: { dtype: "float16", shape: ["rows", "depth"] },
      w: { dtype: "int8", shape: ["depth", "columns"], distribution: { kind: "range", low: -8, high: 7 } },
      scale: { dtype: "float32", shape: ["columns"], distribution: { kind: "range", low: 0.01, high: 0.02 } },
    },
    outputs: { y: { dtype: "float16", shape: ["rows", "columns"] } },
    shapes: [
      { sizes: { rows: 128, columns: 128, depth: 256 } },
      { sizes: { rows: 64, columns: 96, depth: 64 } },
    ],
    reference: "baseline",
  });

export const cooling = (): EvaluationTask =>
  caseTask("cuda-join-steps/own-elements.cu", {
    kernel: "own-elements.cu::cool",
    entry: {
      call: "own-elements.cu::run",
      arguments: ["heat", "rate", { value: "n", dtype: "int32" }, { value: "steps", dtype: "int32" }],
    },
    inputs: { heat: { dtype: "float32", shape: ["n"] }, rate: { dtype: "float32", shape: ["n"] } },
    outputs: { heat: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 256, steps: 12 } }, { sizes: { n: 77, steps: 3 } }],
    reference: "baseline",
  });

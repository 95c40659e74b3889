import { Ajv } from "ajv";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import schema from "../../../server/protocol/kernel-spec.schema.json";

export const fitsSchema = new Ajv({ allowUnionTypes: true }).compile(schema);

export const good = {
  version: 1,
  kernel: "softmax.cu::softmax",
  launch: {
    grid: ["rows"],
    block: [128],
    arguments: ["x", "y", { value: "rows", dtype: "int32" }, { value: 0.5, dtype: "float32" }],
  },
  inputs: { x: { dtype: "float32", shape: ["rows", "cols"], distribution: "normal" } },
  outputs: { y: { dtype: "float32", shape: ["rows", "cols"] } },
  shapes: [{ sizes: { rows: 64, cols: 1000 } }, { sizes: { rows: 3, cols: 31 }, heldOut: true }],
  reference: "references.py::softmax",
};

export const triton = {
  ...good,
  kernel: "softmax.py::k",
  launch: undefined,
  entry: { call: "softmax.py::softmax", arguments: ["x"] },
};

export function problemsOf(text: string): readonly string[] {
  const outcome = parseKernelSpec(text);
  return outcome.ok ? [] : outcome.problem.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { apartFrom, recordedSpec } from "../../../server/host/services/capture/recorded-spec";

const place = { folder: "src", source: "src/sum.cu", kernel: "fold" };

test.each([
  { instance: ["128"], expected: "src/sum.cu.fold.128.kernel.json" },
  { instance: ["float", "256"], expected: "src/sum.cu.fold.float-256.kernel.json" },
  { instance: ["ops::Max<int *>"], expected: "src/sum.cu.fold.ops_Max_int_.kernel.json" },
  { instance: undefined, expected: "fold<64>" },
])(
  "the spec of one more instance, $instance, stands in a file of its own, where its arguments tell it from the first",
  ({ instance, expected }) => {
    const spec: KernelSpec = {
      ...{ file: "sum.cu", kernel: "fold", dialect: "cuda", objective: "modelled-bound" },
      run: { kind: "launch", launch: { arguments: [], ...(instance && { instance }) } },
      ...{ inputs: {}, outputs: {}, shapes: [], reference: { kind: "baseline" } },
    };
    const made = {
      ...{ found: recordedSpec(spec, place), kernel: "fold<…>", file: "src/sum.cu" },
      ...{ launches: 1, warpInstructions: 1, leftOut: 0 },
    };
    const apart = apartFrom([{ ...made, kernel: "fold<64>" }], made);
    expect(typeof apart === "string" ? apart : apart.found.specPath).toBe(expected);
  },
);

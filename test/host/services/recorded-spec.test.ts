import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { recordedSpec, withInstance } from "../../../server/host/services/capture/recorded-spec";

const place = { folder: "src", source: "src/sum.cu", kernel: "fold" };

test.each([
  { instance: ["128"], specPath: "src/sum.cu.fold.128.kernel.json" },
  { instance: ["float", "256"], specPath: "src/sum.cu.fold.float-256.kernel.json" },
  { instance: ["ops::Max<int *>"], specPath: "src/sum.cu.fold.ops_Max_int_.kernel.json" },
  { instance: undefined, specPath: "src/sum.cu.fold.kernel.json" },
])("the spec of one more instance, $instance, stands in a file of its own", ({ instance, specPath }) => {
  const spec: KernelSpec = {
    ...{ file: "sum.cu", kernel: "fold", dialect: "cuda", objective: "modelled-bound" },
    run: { kind: "launch", launch: { arguments: [], ...(instance && { instance }) } },
    ...{ inputs: {}, outputs: {}, shapes: [], reference: { kind: "baseline" } },
  };
  expect(withInstance(recordedSpec(spec, place)).specPath).toBe(specPath);
});

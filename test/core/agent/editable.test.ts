import { expect, test } from "vitest";
import { faultOfPath, reachOf } from "../../../server/core/agent/dependencies";
import { kernelFile, scriptedTask } from "../../harness/scripted-evaluator";

const evaluation = scriptedTask("// bound 1000\n");
const withSpec = { ...evaluation, spec: { ...evaluation.spec, editable: ["lib/tile.cuh"] } };

const tiles = {
  ...evaluation,
  specFolder: "gpu",
  spec: { ...evaluation.spec, editable: ["*.cuh", "lib/tile.h"] },
  baseline: { ...evaluation.baseline, "gpu/own.cuh": "", "gpu/deep/far.cuh": "", "other.cuh": "" },
};

test.each<[string, Parameters<typeof reachOf>[0], readonly string[]]>([
  ["the kernel's file", { evaluation, file: kernelFile }, [kernelFile]],
  [
    "what a pattern finds",
    { evaluation: tiles, file: kernelFile },
    [kernelFile, "gpu/lib/tile.h", "gpu/own.cuh"],
  ],
  [
    "what a pattern of the user's finds instead",
    { evaluation: tiles, file: kernelFile, mayTouch: ["**/*.cuh"] },
    [kernelFile, "gpu/deep/far.cuh", "gpu/own.cuh", "other.cuh"],
  ],
  ["what the spec names", { evaluation: withSpec, file: kernelFile }, [kernelFile, "lib/tile.cuh"]],
  [
    "what the user says instead",
    { evaluation: withSpec, file: kernelFile, mayTouch: ["util.cuh"] },
    [kernelFile, "util.cuh"],
  ],
  ["nothing else", { evaluation: withSpec, file: kernelFile, mayTouch: [] }, [kernelFile]],
])("candidates may change %s", (_, task, expected) => {
  expect(reachOf(task).editable).toEqual(expected);
});

const inGpu = { evaluation: tiles, file: kernelFile };
test.each<[string, Parameters<typeof reachOf>[0], string | undefined]>([
  ["gpu/new.cuh", inGpu, undefined],
  ["new.cuh", inGpu, "matches none of gpu/*.cuh"],
  ["gpu/deep/new.cuh", inGpu, "matches none of gpu/*.cuh"],
  ["gpu/../new.cuh", inGpu, "is no plain path from the top of the workspace"],
  ["../gpu/new.cuh", inGpu, "is no plain path from the top of the workspace"],
  ["gpu/Own.cuh", inGpu, "cannot stand beside gpu/own.cuh"],
  ["new.cuh", { ...inGpu, mayTouch: ["/*.cuh"] }, undefined],
  ["gpu/new.cuh", { ...inGpu, mayTouch: ["/*.cuh"] }, "matches none of /*.cuh"],
  ["gpu/new.cuh", { ...inGpu, mayTouch: [] }, "may not be changed"],
])("a candidate may make %s, or is told why not", (path, task, fault) => {
  const told = faultOfPath(path, task.evaluation.baseline, reachOf(task));
  if (fault === undefined) expect(told).toBeUndefined();
  else expect(told).toContain(fault);
});

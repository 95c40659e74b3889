import { expect, test } from "vitest";
import { editablePaths } from "../../../server/core/agent/dependencies";
import { kernelFile, scriptedTask } from "../../harness/scripted-evaluator";

const evaluation = scriptedTask("// bound 1000\n");
const withSpec = { ...evaluation, spec: { ...evaluation.spec, editable: ["lib/tile.cuh"] } };

test.each<[string, Parameters<typeof editablePaths>[0], readonly string[]]>([
  ["the kernel's file", { evaluation, file: kernelFile }, [kernelFile]],
  ["what the spec names", { evaluation: withSpec, file: kernelFile }, [kernelFile, "lib/tile.cuh"]],
  [
    "what the user says instead",
    { evaluation: withSpec, file: kernelFile, mayTouch: ["util.cuh"] },
    [kernelFile, "util.cuh"],
  ],
  ["nothing else", { evaluation: withSpec, file: kernelFile, mayTouch: [] }, [kernelFile]],
])("candidates may change %s", (_, task, expected) => {
  expect(editablePaths(task)).toEqual(expected);
});

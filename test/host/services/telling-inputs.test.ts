import { expect, test } from "vitest";
import { succeed } from "../../../server/core/base/outcome";
import { noBuildSettings } from "../../../server/core/workload/build-settings";
import type { KernelSpec, TensorSpec } from "../../../server/core/workload/spec";
import { withTellingInputs } from "../../../server/host/services/workload/examined/telling-inputs";
import { memoryFiles } from "../../harness/memory-files";

type Means = Parameters<typeof withTellingInputs>[1];
type Finder = Parameters<typeof withTellingInputs>[0];

const spec = (inputs: KernelSpec["inputs"]): KernelSpec => ({
  file: "kernel.py",
  kernel: "kernel",
  dialect: "triton",
  run: { kind: "launch", launch: { arguments: [] } },
  inputs,
  outputs: {},
  shapes: [],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
});

const float = { dtype: "float32", shape: ["n"], distribution: "normal" } as TensorSpec;
const whole = { dtype: "uint8", shape: ["n"], distribution: "integers" } as TensorSpec;

/** How each input is drawn where a result is only told from a constant while `mask` holds 0 and 1. */
async function check(inputs: KernelSpec["inputs"], mask: string): Promise<Readonly<Record<string, unknown>>> {
  const finder = {
    looksFor: "a workload",
    find: async () => succeed({ spec: spec(inputs), specFolder: "", unknowns: [], origin: "inferred" }),
  } as unknown as Finder;
  const means = {
    files: memoryFiles({ "kernel.py": "" }),
    builds: { settingsFor: async () => noBuildSettings },
    trivialAnswers: async (task: { readonly spec: KernelSpec }) =>
      task.spec.inputs[mask]?.distribution === "zero-one" ? [] : ["a constant"],
  } as unknown as Means;
  const request = { file: "kernel.py", signal: new AbortController().signal } as Parameters<
    Finder["find"]
  >[0];
  const found = await withTellingInputs(finder, means).find(request);
  if (!found.ok) throw new Error("nothing was found");
  const drawn = Object.entries(found.value.spec.inputs).map(([name, { distribution }]) => [
    name,
    distribution,
  ]);
  return Object.fromEntries(drawn) as Record<string, unknown>;
}

test.each([
  ["a mask of whole numbers", { x: float, gap: whole }, "gap", { x: "normal", gap: "zero-one" }],
  [
    "a mask that is taken for floats",
    { x: float, gap: float, t: float },
    "gap",
    { x: "normal", gap: "zero-one", t: "normal" },
  ],
  ["no input is a mask", { x: float, y: float }, "none", { x: "normal", y: "normal" }],
  ["a single input is what is computed with", { x: float }, "x", { x: "normal" }],
] as const)("%s", async (_, inputs, mask, drawn) => {
  expect(await check(inputs, mask)).toEqual(drawn);
});

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

/** How each input is drawn where only some workloads tell a result from a constant; undefined: they fail. */
async function drawn(
  found: KernelSpec,
  tells: (spec: KernelSpec) => boolean | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const finder = {
    looksFor: "a workload",
    find: async () => succeed({ spec: found, specFolder: "", unknowns: [], origin: "inferred" }),
  } as unknown as Finder;
  let isFirst = true;
  const means = {
    files: memoryFiles({ "kernel.py": "" }),
    builds: { settingsFor: async () => noBuildSettings },
    trivialAnswers: async (task: { readonly spec: KernelSpec }) => {
      const told = tells(task.spec);
      const isOriginal = isFirst;
      isFirst = false;
      if (told === undefined && !isOriginal) return undefined;
      return told === true ? [] : ["a constant"];
    },
  } as unknown as Means;
  const request = { file: "kernel.py", signal: new AbortController().signal } as Parameters<
    Finder["find"]
  >[0];
  const chosen = await withTellingInputs(finder, means).find(request);
  if (!chosen.ok) throw new Error("nothing was found");
  const each = Object.entries(chosen.value.spec.inputs).map(([name, { distribution }]) => [
    name,
    distribution,
  ]);
  return Object.fromEntries(each) as Record<string, unknown>;
}

/** The same where a result is only told from a constant while `mask` holds 0 and 1. */
function check(inputs: KernelSpec["inputs"], mask: string): Promise<Readonly<Record<string, unknown>>> {
  return drawn(spec(inputs), (tried) => tried.inputs[mask]?.distribution === "zero-one");
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

test("floats are small where the exponentials of usual ones vanish", async () => {
  const isSmall = ({ distribution }: TensorSpec): boolean =>
    typeof distribution === "object" && distribution.kind === "range";
  const tried = await drawn(spec({ x: float, z: float, kinds: whole }), ({ inputs }) =>
    [inputs["x"], inputs["z"]].every((each) => each !== undefined && isSmall(each)),
  );
  const distribution = { kind: "range", low: -1 / 16, high: 1 / 16 };
  expect(tried).toEqual({ x: distribution, z: distribution, kinds: "integers" });
});

test("whole numbers that atomics change start as places of their own array where zeros tell nothing", async () => {
  const started = {
    dtype: "int32",
    shape: ["n"],
    distribution: { kind: "constant", value: 0 },
  } as TensorSpec;
  const outputs = { set: { dtype: "int32", shape: ["n"] } } as const;
  const places = { kind: "range", low: 0, high: "n - 1" };
  const tells = ({ inputs }: KernelSpec): boolean =>
    JSON.stringify(inputs["set"]?.distribution) === JSON.stringify(places);
  expect(await drawn({ ...spec({ set: started }), outputs }, tells)).toEqual({ set: places });
});

test("a number that was made up becomes less where nothing is above it, and one of the text stays", async () => {
  const given = (threshold: number): KernelSpec["run"] => ({
    kind: "launch",
    launch: {
      arguments: [
        "x",
        { value: threshold, dtype: "float32" },
        { value: 0.7, dtype: "float32" },
        { value: 2, dtype: "int32" },
      ],
    },
  });
  let told: KernelSpec["run"] | undefined;
  const tells = ({ run }: KernelSpec): boolean => {
    told = run;
    return JSON.stringify(run) === JSON.stringify(given(0.0625));
  };
  await drawn({ ...spec({ x: float }), run: given(0.5) }, tells);
  expect(told).toEqual(given(0.0625));
});

test("numbers that were made up alike go up and down, also those of a structure", async () => {
  const member = (at: number, value: number) => ({ at, value, dtype: "float32" }) as const;
  const given = (strike: number, barrier: number, weight: number): KernelSpec["run"] => ({
    kind: "launch",
    launch: {
      arguments: [
        "x",
        { byteLength: 8, fields: [member(0, strike), member(4, barrier)] },
        { value: weight, dtype: "float32" },
      ],
    },
  });
  const tried: unknown[] = [];
  const tells = ({ run }: KernelSpec): boolean => {
    tried.push(run);
    return false;
  };
  await drawn({ ...spec({ x: float }), run: given(0.5, 0.5, 0.5) }, tells);
  for (const run of [given(0.5, 1, 1.5), given(1.5, 1, 0.5), given(0.5, 8, 0.5), given(0.5, 0.5, 1 / 16)])
    expect(tried).toContainEqual(run);
  tried.length = 0;
  const guessed = { "launch.arguments.2": "guessed" } as const;
  await drawn({ ...spec({ x: float }), run: given(0.7, 0.9, 2), origins: guessed }, tells);
  expect(tried).toContainEqual(given(0.7, 0.9, 64));
  expect(tried).not.toContainEqual(given(0.7, 8, 2));
});

test("signed and unsigned numbers are looked for in each other", async () => {
  const keys = { dtype: "uint32", shape: [64], distribution: "integers" } as TensorSpec;
  const slots = { dtype: "int32", shape: [16], distribution: "integers" } as TensorSpec;
  const both = { kind: "range", low: 0, high: 31 };
  const tells = ({ inputs }: KernelSpec): boolean =>
    Object.values(inputs).every(({ distribution }) => JSON.stringify(distribution) === JSON.stringify(both));
  const found = { ...spec({ keys, slots }), shapes: [{ sizes: {} }] };
  expect(await drawn(found, tells)).toEqual({ keys: both, slots: both });
});

test("inputs with which the kernel fails tell nothing", async () => {
  const ends = {
    dtype: "int32",
    shape: ["n"],
    distribution: { kind: "range", low: 0, high: "m - 1" },
  } as TensorSpec;
  expect(await drawn(spec({ ends }), () => undefined)).toEqual({ ends: ends.distribution });
});

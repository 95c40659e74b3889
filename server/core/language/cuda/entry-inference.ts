import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ArgumentSpec, KernelSpec, TensorSpec } from "../../workload/spec";
import type { UnknownPart } from "../../workload/spec-write";
import type { ParameterFacts } from "../facts";
import { baselineUnknown, dataTypeOf, proposeShapes, type InferredSpec } from "../spec-draft";
import type { SyntaxNode } from "../tree";
import { hostFunctionOf, type HostFunction } from "./host-function";
import { inferSpec } from "./inference";
import { readCuda, type CudaModel } from "./model";
import { inHostWords, renamed } from "./host-words";

type Launch = CudaModel["launches"][number];

/** What the kernels of a host function do with its parameters. */
interface Flow {
  readonly inputs: Map<string, TensorSpec>;
  readonly outputs: Map<string, TensorSpec>;
  readonly unknowns: UnknownPart[];
}

/** Eight bytes of zeros: the default stream. */
const defaultStream = "0000000000000000";
const usualThreads = 256;

/**
 * Proposes to call the host function that launches a kernel: its parameters become inputs, outputs and sizes
 * by how they reach the kernels' arguments, over copies too. The problem is a sentence. `file` is relative to
 * the folder of the spec.
 */
export function inferEntry(root: SyntaxNode, file: string, kernel: string): Outcome<InferredSpec, string> {
  const model = readCuda(root);
  const launch = model.launches.find(({ site, host }) => site.kernel === kernel && host !== undefined);
  const host = launch?.host && hostFunctionOf(root, launch.host);
  if (host === undefined) return fail(`no host function in ${file} launches ${kernel}`);
  if (host.name === "main") return fail(`${kernel} is launched by main() alone`);
  if (!host.isCallable) return fail(`${host.name} is a template whose arguments are not known`);
  const flow: Flow = { inputs: new Map(), outputs: new Map(), unknowns: [] };
  for (const each of model.launches)
    if (each.host?.id === host.node.id) follow(each, host, { model, flow, file });
  for (const parameter of host.parameters) takeByType(parameter, flow);
  const result = returned(host, flow);
  const blocks = model.launches.flatMap(({ site, host: around }) =>
    around?.id === host.node.id ? site.block : [],
  );
  const given = host.parameters.map((parameter) => argumentOf(parameter, flow, { blocks, host: host.name }));
  const refused = given.find((each) => !each.ok);
  if (refused?.ok === false) return refused;
  const passed = given.flatMap((each) => (each.ok ? [each.value] : []));
  const sizes = passed.flatMap(({ size }) => size ?? []);
  if (flow.outputs.size === 0)
    return fail(`the kernels of ${host.name} write through none of its parameters, and it returns no number`);
  const spec: KernelSpec = {
    file,
    kernel,
    dialect: "cuda",
    run: {
      kind: "entry",
      entry: { call: `${file}::${host.name}`, arguments: passed.map(({ argument }) => argument) },
    },
    inputs: Object.fromEntries([...flow.inputs].map((entry) => guessed(entry, sizes, flow, "inputs"))),
    outputs: Object.fromEntries([...flow.outputs].map((entry) => guessed(entry, sizes, flow, "outputs"))),
    shapes: proposeShapes(sizes),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
  };
  const unknowns = [
    ...flow.unknowns,
    ...passed.flatMap(({ unknown }, index) => unknown?.(index) ?? []),
    ...result,
  ];
  return succeed({
    spec: { ...spec, origins: originsOf(spec, unknowns) },
    unknowns: [...unknowns, baselineUnknown],
  });
}

/** Adds what one launch says of the host function's parameters. */
function follow(
  { site }: Launch,
  host: HostFunction,
  { model, flow, file }: { readonly model: CudaModel; readonly flow: Flow; readonly file: string },
): void {
  const kernel = model.kernels.find(({ facts }) => facts.name === site.kernel)?.facts;
  const inferred = kernel && inferSpec({ file, root: model.root, kernel, sites: [site] });
  if (kernel === undefined || inferred?.ok !== true) return;
  const words = new Map(
    kernel.parameters.map(({ name }, index) => [name, inHostWords(site.arguments[index] ?? "", site, host)]),
  );
  const { inputs, outputs } = inferred.value.spec;
  for (const [index, { name }] of kernel.parameters.entries()) {
    const buffer = host.bufferOf(site.arguments[index] ?? "");
    if (buffer === undefined) continue;
    const tensor = (known: TensorSpec): TensorSpec => ({
      ...known,
      shape: known.shape.map((size) => renamed(size, words)).filter((size) => size !== undefined),
    });
    const [read, written] = [inputs[name], outputs[name]];
    // What an earlier kernel of the function has written is no input.
    if (read !== undefined && !flow.outputs.has(buffer) && !flow.inputs.has(buffer))
      flow.inputs.set(buffer, { ...tensor(read), distribution: "normal" });
    if (written !== undefined && !flow.outputs.has(buffer)) flow.outputs.set(buffer, tensor(written));
  }
}

/**
 * A pointer that no kernel could be followed for: what is const is read, and what is not is written. How many
 * elements there are is a guess then.
 */
function takeByType({ name, type, pointer, readOnly }: ParameterFacts, { inputs, outputs }: Flow): void {
  const dtype = dataTypeOf(type);
  if (!pointer || dtype === undefined || type.split("*").length > 2) return;
  if (inputs.has(name) || outputs.has(name)) return;
  if (readOnly) inputs.set(name, { dtype, shape: [], distribution: "normal" });
  else outputs.set(name, { dtype, shape: [] });
}

/** The number that the function returns, as the output of one that fills no parameter. */
function returned(host: HostFunction, flow: Flow): readonly UnknownPart[] {
  const dtype = dataTypeOf(host.returns);
  if (flow.outputs.size > 0 || dtype === undefined) return [];
  flow.outputs.set("result", { dtype, shape: [1] });
  return [];
}

interface Passed {
  readonly argument: ArgumentSpec;
  /** The size variable that the argument is. */
  readonly size?: string;
  readonly unknown?: (index: number) => UnknownPart;
}

function argumentOf(
  { name, type, pointer }: ParameterFacts,
  flow: Flow,
  { blocks, host }: { readonly blocks: readonly string[]; readonly host: string },
): Outcome<Passed, string> {
  if (flow.inputs.has(name) || flow.outputs.has(name)) return succeed({ argument: name });
  if (/\bcudaStream_t\b/.test(type)) return succeed({ argument: { bytes: defaultStream } });
  const dtype = dataTypeOf(type);
  const plain = !pointer && !/&/.test(type.replace(/const\s+[\w:]+\s*&/, ""));
  if (!plain || dtype === undefined)
    return fail(`what ${host} does with its parameter ${name} (${type}) cannot be read`);
  const unknown = (index: number): UnknownPart => ({
    path: `entry.arguments.${index}`,
    sentence: `what ${host} is given for ${name}; ${/^u?int/.test(dtype) ? usualThreads : 1} is a guess.`,
  });
  if (blocks.includes(name)) return succeed({ argument: { value: usualThreads, dtype }, unknown });
  if (/^u?int/.test(dtype)) return succeed({ argument: { value: name, dtype }, size: name });
  return succeed({ argument: { value: 1, dtype }, unknown });
}

/** A tensor whose shape is in sizes of the entry alone; else the product of all sizes is a guess. */
function guessed(
  [name, tensor]: readonly [string, TensorSpec],
  sizes: readonly string[],
  flow: Flow,
  side: "inputs" | "outputs",
): readonly [string, TensorSpec] {
  const words = tensor.shape.flatMap((size) => String(size).match(/[A-Za-z_]\w*/g) ?? []);
  const functions = ["ceil_div", "min", "max"];
  const known =
    tensor.shape.length > 0 && words.every((word) => sizes.includes(word) || functions.includes(word));
  if (known) return [name, tensor];
  flow.unknowns.push({
    path: `${side}.${name}.shape`,
    sentence: `the shape of ${name} cannot be read from how it is indexed; the product of all sizes is a guess.`,
  });
  return [name, { ...tensor, shape: [sizes.length === 0 ? 1 : sizes.join(" * ")] }];
}

function originsOf(spec: KernelSpec, unknowns: readonly UnknownPart[]): NonNullable<KernelSpec["origins"]> {
  const paths = [
    "entry.call",
    ...(spec.run.kind === "entry"
      ? spec.run.entry.arguments.map((_, index) => `entry.arguments.${index}`)
      : []),
    ...Object.keys(spec.inputs).map((name) => `inputs.${name}.shape`),
    ...Object.keys(spec.outputs).map((name) => `outputs.${name}.shape`),
  ];
  const guesses = new Set(unknowns.map(({ path }) => path));
  return {
    ...Object.fromEntries(paths.map((path) => [path, guesses.has(path) ? "guessed" : "inferred"] as const)),
    shapes: "guessed",
  };
}

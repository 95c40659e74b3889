import { last } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { cTypes, includesOf } from "../c-types";
import type { ArgumentSpec, DataType, EntrySpec, KernelSpec } from "../spec";
import { argumentName, doubledName, plainName } from "./argument-names";

interface Parameter {
  readonly type: string;
  readonly name: string;
}

/** An empty kernel, and around it the empty launcher where the spec names one. */
export function firstCudaSource(spec: KernelSpec): Outcome<string, string> {
  const { run } = spec;
  const kernel = last(spec.kernel.split("::"));
  if (!plainName.test(kernel)) return fail(`"kernel" names ${spec.kernel}, which is no plain name`);
  if (run.kind === "launch" && (run.launch.grid === undefined || run.launch.block === undefined))
    return fail('"launch" has no grid or no block, which cannot be read from a source that is not there');
  if (run.kind === "launch" && run.launch.instance !== undefined)
    return fail('"launch" names an instance of a template');
  const unwritten = run.kind === "entry" ? unwrittenOf(run.entry) : undefined;
  if (unwritten !== undefined) return fail(unwritten);
  const given = run.kind === "launch" ? run.launch.arguments : run.entry.arguments;
  const parameters = parametersOf(spec, given);
  if (!parameters.ok) return parameters;
  const list = parameters.value.map(({ type, name }) => `${type} ${name}`).join(", ");
  const names = parameters.value.map(({ name }) => name).join(", ");
  const device = [`__global__ void ${kernel}(${list}) {`, "}", ""];
  if (run.kind === "launch") return succeed([...head(spec, given), ...device].join("\n"));
  const launcher = run.entry.call.slice(spec.file.length + "::".length);
  if (!plainName.test(launcher) || launcher === kernel)
    return fail(`the entry ${run.entry.call} is no function with a plain name of its own`);
  const missing = Object.keys(spec.outputs).find((output) => !given.includes(output));
  if (missing !== undefined) return fail(`the output ${missing} is no argument of the entry`);
  const host = [`void ${launcher}(${list}) {`, `  ${kernel}<<<1, 1>>>(${names});`, "}", ""];
  return succeed([...head(spec, given), ...device, ...host].join("\n"));
}

function unwrittenOf({ structures, symbols }: EntrySpec): string | undefined {
  if (structures !== undefined) return "the entry takes structures, whose types nobody has written";
  return symbols === undefined ? undefined : "the entry fills variables, which nobody has written";
}

function head(spec: KernelSpec, given: readonly ArgumentSpec[]): readonly string[] {
  const includes = includesOf(typesIn(spec, given));
  return includes.length === 0 ? [] : [...includes, ""];
}

function typesIn(spec: KernelSpec, given: readonly ArgumentSpec[]): readonly DataType[] {
  const tensors = Object.values({ ...spec.inputs, ...spec.outputs }).map(({ dtype }) => dtype);
  return [
    ...tensors,
    ...given.flatMap((each) => (typeof each === "object" && "dtype" in each ? [each.dtype] : [])),
  ];
}

function parametersOf(
  spec: KernelSpec,
  given: readonly ArgumentSpec[],
): Outcome<readonly Parameter[], string> {
  const parameters: Parameter[] = [];
  for (const [index, argument] of given.entries()) {
    const parameter = parameterOf(spec, argument, index);
    if (parameter === undefined)
      return fail(`argument ${index + 1} is given by its bytes or as a place inside of a buffer`);
    parameters.push(parameter);
  }
  const doubled = doubledName(parameters.map(({ name }) => name));
  return doubled === undefined ? succeed(parameters) : fail(`two arguments are called ${doubled}`);
}

function parameterOf(spec: KernelSpec, argument: ArgumentSpec, index: number): Parameter | undefined {
  const name = argumentName(argument, index);
  if (typeof argument === "string") {
    const output = spec.outputs[argument];
    const tensor = output ?? spec.inputs[argument];
    if (tensor === undefined) return undefined;
    const type = cTypes[tensor.dtype];
    return { type: output === undefined ? `const ${type}*` : `${type}*`, name };
  }
  return "dtype" in argument ? { type: cTypes[argument.dtype], name } : undefined;
}

import type { EntrySpec, KernelSpec, ShapeCase } from "../spec";
import { isPythonExpression, takes } from "./python-call";

/** Names of Python that a scalar argument may be: a size or a value of the case. */
const plainName = /^[A-Za-z_]\w*$/;

/**
 * The spec of the gradients that a Python entry gives to some of its inputs, for one of its shapes: a
 * backward pass with given gradients of its floating outputs, judged by what the kernel as it was gives.
 * Undefined where the entry fills its outputs, or is called with what is no plain argument.
 */
export function gradientsSpec(
  spec: KernelSpec,
  inputs: readonly string[],
  { results: _results, heldOut: _heldOut, ...shape }: ShapeCase,
): KernelSpec | undefined {
  const { run } = spec;
  if (run.kind !== "entry" || spec.dialect !== "triton") return undefined;
  const { entry } = run;
  const [file, called] = splitCall(entry);
  const outputs = Object.keys(spec.outputs);
  if (outputs.some((name) => takes(entry, name))) return undefined;
  const call = isPythonExpression(entry) ? called : callOf(called, entry);
  if (call === undefined) return undefined;
  const wanted = outputs.filter((name) => spec.outputs[name]?.dtype.includes("float") === true);
  const given = wanted.map(gradientOf);
  const leaves = inputs.map((name) => `${name},`).join(" ");
  // Torch may have a part in them.
  const computed = `computed=(${inputs.map((_, place) => `${place},`).join(" ")})`;
  const backward = `lambda ${inputs.join(", ")}: ${call}, (${leaves}), ${given.join(", ")}`;
  const expression = `gradients(${backward}, ${computed})`;
  const { tolerance, objective, kernel, dialect } = spec;
  return {
    ...{ file: spec.file, kernel, dialect, objective },
    ...(tolerance && { tolerance }),
    run: { kind: "entry", entry: { call: `${file}::${expression}`, arguments: [] } },
    inputs: { ...spec.inputs, ...renamed(spec.outputs, wanted) },
    outputs: renamed(spec.inputs, inputs),
    shapes: [shape],
    reference: { kind: "baseline" },
  };
}

/** What the gradient of a tensor is called. */
function gradientOf(name: string): string {
  return `gradient_of_${name}`;
}

/** The gradients of tensors, which have their types and shapes, and any values. */
function renamed(tensors: KernelSpec["inputs"], names: readonly string[]): KernelSpec["inputs"] {
  const listed = Object.entries(tensors).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    listed.map(([name, { dtype, shape }]) => [gradientOf(name), { dtype, shape }] as const),
  );
}

/** The file of an entry, and what of it is called. */
function splitCall({ call }: EntrySpec): readonly [string, string] {
  const at = call.indexOf("::");
  return [call.slice(0, at), call.slice(at + 2)];
}

/** A function's call with the entry's arguments. */
function callOf(called: string, entry: EntrySpec): string | undefined {
  const texts = entry.arguments.map((argument) => {
    if (typeof argument === "string") return argument;
    if (!("value" in argument)) return undefined;
    const { value, dtype } = argument;
    if (typeof value === "number") return String(value);
    if (!plainName.test(value)) return undefined;
    return dtype.includes("float") ? `float(${value})` : value;
  });
  return texts.includes(undefined) ? undefined : `${called}(${texts.join(", ")})`;
}

import { knownOrMeant, likelyMeant } from "../base/text";
import { at } from "../base/known";
import { pricedProblems } from "./cases/priced-at";
import { recordingProblems } from "./cases/recorded-inputs";
import {
  callProblems,
  languageProblems,
  placeProblems,
  scratchProblems,
  structureProblems,
  symbolProblems,
} from "./entry/entry-check";
import { isPythonExpression } from "./entry/python-call";
import { itemBytes } from "./item-bytes";
import { evaluateSizeExpression } from "./size-expression";
import {
  type ArgumentSpec,
  type ElementField,
  type EntrySpec,
  type FieldsArgument,
  fileOfCall,
  filledSymbol,
  type KernelSpec,
  type ScalarArgument,
  scratchOf,
  type ShapeCase,
  type SizeExpression,
  type StructureField,
} from "./spec";
import type { PathProblem, SpecPath } from "./located-json";

/** Bytes of an address of the GPU. */
const addressBytes = 8;

/** Characters of an expression that a message repeats. */
const quotedCharacters = 80;

/** A tensor of a check may have this many elements: larger ones would not fit the workers' memory. */
const mostElements = 2 ** 28;

/** Whether a path stays in the folder of the spec file: relative, POSIX, no `..`. */
function staysInside(path: string): boolean {
  return (
    path !== "" &&
    !path.startsWith("/") &&
    !/^[A-Za-z]:/.test(path) &&
    !path.includes("\\") &&
    !path.split("/").some((part) => part === ".." || part === "")
  );
}

/** What JSON cannot say: names that must be known, sizes that must work out, paths that must stay inside. */
export function checkSpec(spec: KernelSpec): readonly PathProblem[] {
  return [
    ...checkPaths(spec),
    ...checkNames(spec),
    ...checkShapes(spec),
    ...recordingProblems(spec),
    ...pricedProblems(spec),
    ...checkRun(spec),
    ...checkReference(spec),
  ];
}

function checkPaths(spec: KernelSpec): readonly PathProblem[] {
  const paths: (readonly [SpecPath, string])[] = [[["kernel"], spec.file]];
  for (const [index, path] of (spec.editable ?? []).entries()) paths.push([["editable", index], path]);
  if (spec.program !== undefined) paths.push([["program", "file"], spec.program.file]);
  if (spec.run.kind === "launch" && spec.run.launch.includedBy !== undefined)
    paths.push([["launch", "includedBy"], spec.run.launch.includedBy]);
  if (spec.run.kind === "entry") {
    paths.push([["entry", "call"], fileOfCall(spec.run.entry.call)]);
    for (const [index, path] of (spec.run.entry.sources ?? []).entries())
      paths.push([["entry", "sources", index], path]);
  }
  if (spec.reference.kind === "callable") paths.push([["reference"], fileOfCall(spec.reference.callable)]);
  return paths
    .filter(([, path]) => !staysInside(path))
    .map(([place, path]) => ({
      path: place,
      message: `${path} leaves the folder of this file: a relative path with forward slashes and without .. was expected`,
    }));
}

function checkNames(spec: KernelSpec): readonly PathProblem[] {
  const problems: PathProblem[] = [];
  if (Object.keys(spec.outputs).length === 0)
    problems.push({
      path: ["outputs"],
      message: "at least one output was expected: without one nothing can be checked",
    });
  for (const [name, output] of Object.entries(spec.outputs)) {
    const input = Object.hasOwn(spec.inputs, name) ? spec.inputs[name] : undefined;
    if (
      input === undefined ||
      (input.dtype === output.dtype && JSON.stringify(input.shape) === JSON.stringify(output.shape))
    )
      continue;
    problems.push({
      path: ["outputs", name],
      message: `"${name}" is an input as well, so it is one buffer: the same dtype and shape were expected in both places`,
    });
  }
  const sizes = spec.shapes[0]?.sizes ?? {};
  for (const name of Object.keys(sizes)) {
    if (Object.hasOwn(spec.inputs, name) || Object.hasOwn(spec.outputs, name))
      problems.push({
        path: ["shapes", 0, "sizes", name],
        message: `"${name}" names a tensor as well: choose another name for the size`,
      });
  }
  return problems;
}

function checkShapes(spec: KernelSpec): readonly PathProblem[] {
  if (spec.shapes.every((shape) => shape.heldOut === true))
    return [
      {
        path: ["shapes"],
        message: "at least one shape that is not held out was expected: the agent is shown only those",
      },
    ];
  const names = Object.keys(spec.shapes[0]?.sizes ?? {});
  const problems: PathProblem[] = [];
  for (const [index, shape] of spec.shapes.entries()) {
    const missing = names.filter((name) => !Object.hasOwn(shape.sizes, name));
    const extra = Object.keys(shape.sizes).filter((name) => !names.includes(name));
    if (missing.length > 0)
      problems.push({
        path: ["shapes", index, "sizes"],
        message: `the size ${missing.join(", ")} is missing: every shape has the same names as the first`,
      });
    if (extra.length > 0)
      problems.push({
        path: ["shapes", index, "sizes", at(extra, 0)],
        message: `the size ${extra.join(", ")} is not in the first shape: every shape has the same names`,
      });
  }
  return problems.length > 0
    ? problems
    : [
        ...tensorProblems(spec, spec.inputs, ["inputs"]),
        ...tensorProblems(spec, spec.outputs, ["outputs"]),
        ...tensorProblems(spec, scratchOf(spec), ["entry", "scratch"]),
      ];
}

function tensorProblems(
  spec: KernelSpec,
  tensors: KernelSpec["inputs"],
  side: SpecPath,
): readonly PathProblem[] {
  return Object.entries(tensors).flatMap(([name, tensor]) => {
    const path: SpecPath = [...side, name, "shape"];
    const dimensions = tensor.shape.flatMap((expression, index) =>
      sizeProblems(spec, expression, [...path, index], 0),
    );
    if (dimensions.length > 0) return dimensions;
    const large = spec.shapes.find((shape) => elements(tensor.shape, shape) > mostElements);
    return large === undefined
      ? []
      : [
          {
            path,
            message: `${name} would have ${elements(tensor.shape, large)} elements with ${JSON.stringify(large.sizes)}; at most ${mostElements} are checked`,
          },
        ];
  });
}

function elements(shape: readonly SizeExpression[], { sizes }: ShapeCase): number {
  return shape.reduce<number>((product, expression) => {
    const outcome = evaluateSizeExpression(expression, sizes);
    return outcome.ok ? product * outcome.value : product;
  }, 1);
}

/** At most one problem for an expression: the first shape where it does not work out or is below `least`. */
function sizeProblems(
  spec: KernelSpec,
  expression: SizeExpression,
  path: SpecPath,
  least: number,
): readonly PathProblem[] {
  for (const { sizes } of spec.shapes) {
    const outcome = evaluateSizeExpression(expression, sizes);
    if (!outcome.ok)
      return [
        {
          path,
          message: `"${shortened(expression)}", column ${outcome.problem.column}: ${outcome.problem.message}`,
        },
      ];
    if (outcome.value < least)
      return [
        {
          path,
          message: `"${shortened(expression)}" is ${outcome.value} with ${JSON.stringify(sizes)}: ${least} or more was expected`,
        },
      ];
  }
  return [];
}

/** An expression as a message quotes it. */
function shortened(expression: SizeExpression): string {
  const text = String(expression);
  return text.length <= quotedCharacters ? text : `${text.slice(0, quotedCharacters)}…`;
}

function checkRun(spec: KernelSpec): readonly PathProblem[] {
  if (spec.run.kind === "entry") return entryProblems(spec, spec.run.entry);
  const { launch } = spec.run;
  const problems = [...argumentProblems(spec, launch.arguments, ["launch", "arguments"])];
  if (spec.dialect === "triton")
    problems.unshift({
      path: ["launch"],
      message:
        'a Triton kernel is launched by Python code: replace "launch" by "entry" with the function that launches it',
    });
  for (const name of Object.keys(spec.outputs)) {
    if (![...launch.arguments.flatMap(buffersOf), ...symbolsOf(spec)].includes(name))
      problems.push({
        path: ["launch", "arguments"],
        message: `the output "${name}" is not among the arguments: the kernel could not write it`,
      });
  }
  for (const side of ["grid", "block"] as const) {
    for (const [index, expression] of (launch[side] ?? []).entries())
      problems.push(...sizeProblems(spec, expression, ["launch", side, index], 1));
  }
  if (launch.sharedBytes !== undefined)
    problems.push(...sizeProblems(spec, launch.sharedBytes, ["launch", "sharedBytes"], 0));
  return problems;
}

/** A kernel is reached by a host function of its own language. */
function entryProblems(spec: KernelSpec, entry: EntrySpec): readonly PathProblem[] {
  const problems: PathProblem[] = isPythonExpression(entry)
    ? [...callProblems(spec, entry)]
    : [
        ...argumentProblems(spec, entry.arguments, ["entry", "arguments"]),
        ...placeProblems(entry),
        ...structureProblems(entry),
        ...(entry.symbols ?? []).flatMap((symbol, index) =>
          argumentProblem(spec, filledSymbol(symbol).with, ["entry", "symbols", index]),
        ),
        ...symbolProblems(spec, entry),
        ...scratchProblems(spec, entry),
      ];
  const isPython = fileOfCall(entry.call).endsWith(".py");
  if (isPython) problems.push(...languageProblems(entry));
  if (isPython === (spec.dialect === "triton")) return problems;
  const expected = isPython ? "a C++ function (FILE.cu::FUNCTION)" : "a Python function (FILE.py::FUNCTION)";
  return [
    {
      path: ["entry", "call"],
      message: `${spec.kernel} is called by another language: ${expected} was expected`,
    },
    ...problems,
  ];
}

function argumentProblems(
  spec: KernelSpec,
  given: readonly ArgumentSpec[],
  path: SpecPath,
): readonly PathProblem[] {
  const problems = given.flatMap((argument, index) => argumentProblem(spec, argument, [...path, index]));
  const named = [...given.flatMap(buffersOf), ...symbolsOf(spec)];
  const missing = Object.keys(spec.inputs).filter((name) => !named.includes(name));
  return [
    ...problems,
    ...missing.map((name) => ({
      path: ["inputs", name],
      message: `the input "${name}" is not among the arguments: add it there or remove it here`,
    })),
  ];
}

/** Names of the buffers that an argument refers to. */
function buffersOf(argument: ArgumentSpec): readonly string[] {
  if (typeof argument === "string") return [argument];
  if ("buffer" in argument) return [argument.buffer];
  if ("fields" in argument)
    return argument.fields.flatMap((field) => {
      if ("each" in field) return field.each;
      return "buffer" in field ? field.buffer : [];
    });
  return "bytes" in argument ? (argument.pointers ?? []).map(({ buffer }) => buffer) : [];
}

function symbolsOf({ run }: KernelSpec): readonly string[] {
  if (run.kind === "launch") return run.launch.symbols ?? [];
  return (run.entry.symbols ?? []).flatMap((symbol) => buffersOf(filledSymbol(symbol).with));
}

function argumentProblem(spec: KernelSpec, argument: ArgumentSpec, path: SpecPath): readonly PathProblem[] {
  const names = buffersOf(argument).flatMap((name) => nameProblems(spec, name, path));
  if (typeof argument === "string" || "bytes" in argument) return names;
  if ("buffer" in argument) return [...names, ...sizeProblems(spec, argument.offset, [...path, "offset"], 0)];
  if ("fields" in argument) return [...names, ...fieldProblems(spec, argument, path)];
  return scalarProblems(spec, argument, path);
}

/** Fields lie inside of their structure, and numbers work out. */
function fieldProblems(
  spec: KernelSpec,
  { fields, byteLength, count }: FieldsArgument,
  path: SpecPath,
): readonly PathProblem[] {
  const counted = count === undefined ? [] : sizeProblems(spec, count, [...path, "count"], 1);
  const each = fields.flatMap((field, index): readonly PathProblem[] => {
    const place = [...path, "fields", index];
    const bytes = bytesOfField(spec, field);
    if (field.at + bytes > byteLength)
      return [
        {
          path: place,
          message: `the field at byte ${field.at} has ${bytes} bytes and goes beyond the ${byteLength} of the structure`,
        },
      ];
    if ("each" in field) return elementProblems(spec, field, { isArray: count !== undefined, path: place });
    if (!("buffer" in field)) return scalarProblems(spec, field, place);
    return field.stride === undefined ? [] : sizeProblems(spec, field.stride, [...place, "stride"], 0);
  });
  return [...counted, ...each];
}

function bytesOfField({ inputs }: KernelSpec, field: StructureField): number {
  if ("buffer" in field) return addressBytes;
  const dtype = "each" in field ? inputs[field.each]?.dtype : field.dtype;
  return dtype === undefined ? 0 : itemBytes[dtype];
}

/** Elements of an input stand in an array of structures, and stay as they are. */
function elementProblems(
  { outputs }: KernelSpec,
  { each }: ElementField,
  { isArray, path }: { readonly isArray: boolean; readonly path: SpecPath },
): readonly PathProblem[] {
  if (!isArray)
    return [{ path, message: `"each" needs an array of structures: write its "count", or a "value" here` }];
  if (outputs[each] === undefined) return [];
  return [
    { path, message: `"${each}" is an output, and what stands in a structure is an input: name one here` },
  ];
}

function nameProblems(spec: KernelSpec, name: string, path: SpecPath): readonly PathProblem[] {
  const tensors = [
    ...Object.keys(spec.inputs),
    ...Object.keys(spec.outputs),
    ...Object.keys(scratchOf(spec)),
  ];
  if (tensors.includes(name)) return [];
  const advice = Object.hasOwn(spec.shapes[0]?.sizes ?? {}, name)
    ? `write { "value": "${name}", "dtype": "int32" } for a size`
    : knownOrMeant(name, tensors);
  return [{ path, message: `"${name}" is neither an input nor an output: ${advice}` }];
}

/** Numbers of a floating type and the cases' own values are no sizes that have to work out. */
function scalarProblems(spec: KernelSpec, argument: ScalarArgument, path: SpecPath): readonly PathProblem[] {
  const { value, dtype } = argument;
  if (typeof value === "number" && /^b?float/.test(dtype)) return [];
  if (Object.hasOwn(spec.shapes[0]?.values ?? {}, value)) return [];
  return sizeProblems(spec, value, [...path, "value"], -Infinity);
}

function checkReference(spec: KernelSpec): readonly PathProblem[] {
  if (spec.reference.kind !== "expression") return [];
  const given = Object.keys(spec.reference.expressions);
  const wanted = Object.keys(spec.outputs);
  return [
    ...wanted
      .filter((name) => !given.includes(name))
      .map((name) => ({
        path: ["reference", "expressions"],
        message: `the expression for the output "${name}" is missing`,
      })),
    ...given
      .filter((name) => !wanted.includes(name))
      .map((name) => ({
        path: ["reference", "expressions", name],
        message: noOutput(name, wanted),
      })),
  ];
}

/** A whole sentence each, so that it can be translated as one. */
function noOutput(name: string, outputs: readonly string[]): string {
  const meant = likelyMeant(name, outputs);
  return meant === undefined
    ? `"${name}" is not an output; known are ${outputs.join(", ")}`
    : `"${name}" is not an output; did you mean "${meant}"?`;
}

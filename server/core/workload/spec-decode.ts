import { at as elementAt } from "../base/known";
import { isJsonObject, type Json, type JsonObject } from "../base/json";
import { list, object, oneOf, onlyKnown, size, string, text, type Report, type SpecPath } from "./spec-json";
import { dataTypes, decodeArguments } from "./argument-decode";
import { isPythonExpression } from "./entry/python-call";
import { decodeCase, decodeDistribution, decodeOrigins, decodeProgram } from "./workload-decode";
import type {
  Dialect,
  KernelSpec,
  ReferenceSpec,
  ShapeCase,
  SizeExpression,
  TensorSpec,
  Tolerance,
} from "./spec";

const objectives: readonly KernelSpec["objective"][] = ["modelled-bound"];

const namePattern = /^[A-Za-z_]\w*$/;
const kernelPattern = /^([^:]+)::([A-Za-z_][\w.:<>, ]*)$/;
const callablePattern = /^[^:]+\.py::[A-Za-z_][\w.]*$/;
const entryPattern =
  /^[^:]+\.(?:py::[A-Za-z_](?:(?!::)[^\n])*|(?:cu|cuh|cpp|cc|h|hpp)::[A-Za-z_][\w:<>, ]*)$/;
const known = [
  "$schema",
  "version",
  "kernel",
  "launch",
  "entry",
  "inputs",
  "outputs",
  "shapes",
  "reference",
  "tolerance",
  "objective",
  "editable",
  "program",
  "origins",
];

/** The dialect that the ending of a kernel's file means; undefined for other files. */
function dialectOfSuffix(file: string): Dialect | undefined {
  if (/\.(cu|cuh|cpp)$/.test(file)) return "cuda";
  return file.endsWith(".py") ? "triton" : undefined;
}

/**
 * Turns JSON into a spec, reporting every entry that has the wrong form. The value is usable only when
 * nothing was reported.
 */
export function decodeSpec(value: Json, report: Report): KernelSpec | undefined {
  if (!isJsonObject(value)) {
    report([], 'a kernel spec is an object: { "version": 1, "kernel": … }');
    return undefined;
  }
  onlyKnown(value, [], known, report);
  if (value["version"] !== 1)
    report(
      ["version"],
      value["version"] === undefined
        ? '"version": 1 is missing'
        : "the version must be 1: this program reads no other",
    );
  const named = decodeKernel(value["kernel"], report);
  const run = decodeRun(value, report);
  const inputs = decodeTensors(value["inputs"], ["inputs"], report);
  const outputs = decodeTensors(value["outputs"], ["outputs"], report);
  const shapes = list(value["shapes"], ["shapes"], 'an array of shapes, each with "sizes"', report).map(
    (shape, index) => decodeShape(shape, ["shapes", index], report),
  );
  const reference = decodeReference(value["reference"], report);
  const tolerance = optional(value["tolerance"], (given) => decodeTolerance(given, report));
  const objective =
    value["objective"] === undefined
      ? "modelled-bound"
      : oneOf(value["objective"], objectives, ["objective"], report);
  const editable = optional(value["editable"], (given) =>
    list(given, ["editable"], "an array of paths", report).map((path, index) =>
      string(path, ["editable", index], "a path relative to this file", report),
    ),
  );
  const program = optional(value["program"], (given) => decodeProgram(given, report));
  const origins = optional(value["origins"], (given) => decodeOrigins(given, report));
  if (run === undefined || reference === undefined || objective === undefined || named === undefined)
    return undefined;
  return {
    ...named,
    run,
    inputs,
    outputs,
    shapes,
    reference,
    objective,
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(editable === undefined ? {} : { editable }),
    ...(program === undefined ? {} : { program }),
    ...(origins === undefined ? {} : { origins }),
  };
}

/** What an entry holds that may be left out. */
function optional<Value>(value: Json | undefined, decode: (given: Json) => Value): Value | undefined {
  return value === undefined ? undefined : decode(value);
}

function decodeKernel(
  value: Json | undefined,
  report: Report,
): Pick<KernelSpec, "file" | "kernel" | "dialect"> | undefined {
  const match = typeof value === "string" ? kernelPattern.exec(value) : null;
  if (match === null) {
    report(["kernel"], '"kernel" must be "FILE::NAME", such as "softmax.cu::softmax"');
    return undefined;
  }
  const file = elementAt(match, 1);
  const dialect = dialectOfSuffix(file);
  if (dialect !== undefined) return { file, kernel: elementAt(match, 2), dialect };
  report(["kernel"], `the file ${file} has no known ending: .cu, .cuh or .cpp for CUDA, .py for Triton`);
  return undefined;
}

function decodeRun(value: JsonObject, report: Report): KernelSpec["run"] | undefined {
  const { launch, entry } = value;
  if ((launch === undefined) === (entry === undefined)) {
    report(
      launch === undefined ? [] : ["entry"],
      launch === undefined
        ? 'either "launch" (a CUDA kernel, launched directly) or "entry" (a host function that launches it) is missing'
        : '"launch" and "entry" exclude each other: remove one',
    );
    return undefined;
  }
  if (launch !== undefined) {
    const found = object(launch, ["launch"], '{ "arguments": [ … ] }', report);
    onlyKnown(
      found,
      ["launch"],
      ["grid", "block", "sharedBytes", "arguments", "symbols", "instance"],
      report,
    );
    const dimensions = (
      name: "grid" | "block",
    ): { readonly [Name in typeof name]?: readonly SizeExpression[] } =>
      found[name] === undefined ? {} : { [name]: decodeDimensions(found[name], ["launch", name], report) };
    const shared = found["sharedBytes"];
    return {
      kind: "launch",
      launch: {
        ...dimensions("grid"),
        ...dimensions("block"),
        ...(shared === undefined ? {} : { sharedBytes: size(shared, ["launch", "sharedBytes"], report) }),
        arguments: decodeArguments(found["arguments"], ["launch", "arguments"], report),
        ...optionalWords(found, "symbols", report),
        ...optionalWords(found, "instance", report),
      },
    };
  }
  const found = object(entry, ["entry"], '{ "call": "FILE::FUNCTION", "arguments": [ … ] }', report);
  onlyKnown(found, ["entry"], ["call", "arguments"], report);
  const call = text(found["call"]) ?? "";
  if (!entryPattern.test(call))
    report(
      ["entry", "call"],
      '"call" must be "FILE::FUNCTION", such as "softmax.py::softmax" or "softmax.cu::launch_softmax", or "FILE.py::EXPRESSION", such as "norm.py::RMSNorm(hidden)(x)"',
    );
  const given =
    found["arguments"] === undefined && isPythonExpression({ call, arguments: [] })
      ? []
      : decodeArguments(found["arguments"], ["entry", "arguments"], report);
  return { kind: "entry", entry: { call, arguments: given } };
}

function decodeDimensions(
  value: Json | undefined,
  path: SpecPath,
  report: Report,
): readonly SizeExpression[] {
  const items = list(value, path, "an array of one to three sizes, x first", report);
  if (items.length < 1 || items.length > 3) report(path, "one to three sizes were expected, x first");
  return items.map((item, index) => size(item, [...path, index], report));
}

/** An array of texts of the launch that may be left out. */
function optionalWords(
  found: JsonObject,
  name: "symbols" | "instance",
  report: Report,
): { readonly [Name in typeof name]?: readonly string[] } {
  const path = ["launch", name];
  const words = optional(found[name], (given) =>
    list(given, path, "an array of texts", report).map((word, index) =>
      string(word, [...path, index], "a text", report),
    ),
  );
  return words === undefined ? {} : { [name]: words };
}

function decodeTensors(
  value: Json | undefined,
  path: SpecPath,
  report: Report,
): Readonly<Record<string, TensorSpec>> {
  const found = object(value, path, 'an object: NAME → { "dtype": …, "shape": [ … ] }', report);
  return Object.fromEntries(
    Object.entries(found).map(([name, tensor]): [string, TensorSpec] => {
      const at = [...path, name];
      if (!namePattern.test(name)) report(at, `"${name}" is not a name: letters, digits and _ were expected`);
      const entry = object(tensor, at, '{ "dtype": …, "shape": [ … ] }', report);
      onlyKnown(
        entry,
        at,
        path[0] === "inputs" ? ["dtype", "shape", "distribution"] : ["dtype", "shape"],
        report,
      );
      const shape = list(
        entry["shape"],
        [...at, "shape"],
        "an array of sizes, slowest dimension first",
        report,
      );
      const distribution = optional(entry["distribution"], (given) =>
        decodeDistribution(given, (path, message) => report([...at, "distribution", ...path], message)),
      );
      return [
        name,
        {
          dtype: oneOf(entry["dtype"], dataTypes, [...at, "dtype"], report) ?? "float32",
          shape: shape.map((item, index) => size(item, [...at, "shape", index], report)),
          ...(distribution === undefined ? {} : { distribution }),
        },
      ];
    }),
  );
}

function decodeShape(value: Json, path: SpecPath, report: Report): ShapeCase {
  const found = object(value, path, '{ "sizes": { "n": 1024 } }', report);
  onlyKnown(found, path, ["sizes", "heldOut", "values", "recorded", "results", "weight"], report);
  const sizes = object(found["sizes"], [...path, "sizes"], "an object: NAME → whole number", report);
  for (const [name, size] of Object.entries(sizes)) {
    if (!namePattern.test(name))
      report([...path, "sizes", name], `"${name}" is not a name: letters, digits and _ were expected`);
    else if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
      report([...path, "sizes", name], `"${name}" must be a whole number, zero or more`);
  }
  const heldOut = found["heldOut"];
  if (heldOut !== undefined && typeof heldOut !== "boolean")
    report([...path, "heldOut"], '"heldOut" is true or false');
  return {
    sizes: sizes as Readonly<Record<string, number>>,
    ...(typeof heldOut === "boolean" ? { heldOut } : {}),
    ...decodeCase(found, path, report),
  };
}

function decodeReference(value: Json | undefined, report: Report): ReferenceSpec | undefined {
  const expected =
    '"reference" must be "baseline", "FILE.py::FUNCTION" or { "expressions": { OUTPUT: "numpy expression" } }';
  if (value === "baseline") return { kind: "baseline" };
  if (typeof value === "string" && callablePattern.test(value)) return { kind: "callable", callable: value };
  if (!isJsonObject(value)) {
    report(["reference"], expected);
    return undefined;
  }
  onlyKnown(value, ["reference"], ["expressions"], report);
  const expressions = object(
    value["expressions"],
    ["reference", "expressions"],
    "an object: OUTPUT → numpy expression",
    report,
  );
  for (const [name, expression] of Object.entries(expressions))
    string(
      expression,
      ["reference", "expressions", name],
      "a numpy expression over the inputs and sizes",
      report,
    );
  return { kind: "expression", expressions: expressions as Readonly<Record<string, string>> };
}

function decodeTolerance(value: Json | undefined, report: Report): Tolerance {
  const found = object(value, ["tolerance"], '{ "absolute": 1e-5, "relative": 1e-4 }', report);
  onlyKnown(found, ["tolerance"], ["absolute", "relative"], report);
  const part = (name: string): number => {
    const number = found[name];
    if (typeof number === "number" && number >= 0) return number;
    report(["tolerance", name], `"${name}" must be a number, zero or more`);
    return 0;
  };
  return { absolute: part("absolute"), relative: part("relative") };
}

import { isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { TritonModel } from "../../../../language/triton/model";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import type { TensorSpec } from "../../../../workload/spec";
import { freshName, indentOf, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { onlyAssignment } from "../kernel";
import table from "./torch-operations.json";

const unary: Readonly<Record<string, string>> = table.unary;
const binary: Readonly<Record<string, string>> = table.binary;

/** Stands behind each operation for the rounding of its result. */
const ROUNDED = "\u0000";

/** A statement of the host that works out a tensor by elements, and what a kernel would do for it. */
interface TorchWork {
  readonly statement: SyntaxNode;
  /** The name that the result gets. */
  readonly target: string;
  /** Tensors that it takes, each once. */
  readonly tensors: readonly string[];
  /** The value of an element in Triton's words, tensors by their names. */
  readonly value: string;
}

/** What torch does by elements in a function, to a tensor of a launch and with tensors of its shape. */
export function torchWork(
  input: RuleInput,
  { launches }: TritonModel,
  host: SyntaxNode,
): TorchWork | undefined {
  const passed = new Set(
    launches
      .filter(({ call }) => isInside(call, host))
      .flatMap(({ positional, keywords }) => [...positional, ...keywords.values()])
      .flatMap((node) => (node.type === "identifier" ? [node.text] : [])),
  );
  const shapes = shapesIn(input, host);
  for (const statement of partsOf(host.childForFieldName("body"))) {
    const work = workOf(statement, shapes);
    if (work === undefined) continue;
    const isLinked = work.tensors.some((name) => passed.has(name)) || passed.has(work.target);
    if (isLinked && isGivenOnce(host, work)) return work;
  }
  return undefined;
}

/** A name that is given a value elsewhere as well may be another tensor there. */
function isGivenOnce(host: SyntaxNode, { target, tensors }: TorchWork): boolean {
  return [target, ...tensors].every((name) => {
    const given = host
      .descendantsOfType(["assignment", "augmented_assignment"])
      .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
    return given.length <= 1 && given.every(({ type }) => type === "assignment");
  });
}

function workOf(statement: SyntaxNode, shapes: ReadonlyMap<string, string>): TorchWork | undefined {
  const [part] = partsOf(statement);
  const left = part?.type === "assignment" ? part.childForFieldName("left") : undefined;
  const right = part?.childForFieldName("right");
  if (!right || left?.type !== "identifier") return undefined;
  const tensors = new Set<string>();
  const value = valueOf(right, { shapes, tensors });
  const [shape, ...others] = new Set([...tensors].map((name) => shapes.get(name)));
  if (value === undefined || shape === undefined || others.length > 0) return undefined;
  const type = shape.replace(/\[.*/, "");
  if (unwrapped(right).type === "identifier" || type === "float64") return undefined;
  // Torch rounds what each operation gives to the tensor's type.
  const rounding = type === "float32" ? "" : `.to(tl.${type}).to(tl.float32)`;
  return { statement, target: left.text, tensors: [...tensors], value: value.replaceAll(ROUNDED, rounding) };
}

interface Reading {
  readonly shapes: ReadonlyMap<string, string>;
  readonly tensors: Set<string>;
}

/** An expression by elements in Triton's words; undefined where it is more. */
function valueOf(node: SyntaxNode, reading: Reading): string | undefined {
  const inner = unwrapped(node);
  if (inner.type === "integer" || inner.type === "float") return inner.text;
  if (inner.type === "identifier") {
    if (!reading.shapes.has(inner.text)) return undefined;
    reading.tensors.add(inner.text);
    return `${inner.text}_value`;
  }
  if (inner.type === "binary_operator") {
    const template = binary[inner.childForFieldName("operator")?.text ?? ""];
    return filled(template, partsOf(inner), reading);
  }
  return inner.type === "call" ? callValue(inner, reading) : undefined;
}

/** `torch.relu(x)`, `F.relu(x)`, `x.relu()`, `torch.add(x, y)`. */
function callValue(call: SyntaxNode, reading: Reading): string | undefined {
  const callee = call.childForFieldName("function");
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  if (!owner) return undefined;
  const name = callee?.childForFieldName("attribute")?.text ?? "";
  const given = partsOf(call.childForFieldName("arguments"));
  const ofModule = /^(torch|F|torch\.nn\.functional)$/.test(owner.text);
  const operands = ofModule ? given : [owner, ...given];
  return filled((operands.length === 1 ? unary : binary)[name], operands, reading);
}

function filled(
  template: string | undefined,
  operands: readonly SyntaxNode[],
  reading: Reading,
): string | undefined {
  const values = operands.map((operand) => valueOf(operand, reading));
  if (template === undefined || values.some((value) => value === undefined)) return undefined;
  const worked = template.replace(/\{(\d)\}/g, (_, place: string) => values[Number(place)] ?? "");
  return `${worked}${ROUNDED}`;
}

/**
 * Tensors of real numbers that a function is given or makes, each with its shape and type as one text: those
 * of the spec's input, or of what it is made like.
 */
function shapesIn({ spec }: RuleInput, host: SyntaxNode): ReadonlyMap<string, string> {
  const shapes = new Map(givenShapes(spec, host));
  for (const act of host.descendantsOfType("assignment")) {
    const name = act.childForFieldName("left")?.text ?? "";
    const made = /^torch\.(?:empty|zeros)_like\((\w+)(?:, memory_format=[\w.]+)?\)$/;
    const like = made.exec(act.childForFieldName("right")?.text ?? "");
    const shape = shapes.get(like?.[1] ?? "");
    if (shape !== undefined) shapes.set(name, shape);
  }
  return shapes;
}

/** Those that the spec hands to the function that it calls. */
function givenShapes(
  { run, inputs }: RuleInput["spec"],
  host: SyntaxNode,
): readonly (readonly [string, string])[] {
  const entry = run.kind === "entry" ? run.entry : undefined;
  if (entry?.call.split("::").at(-1) !== host.childForFieldName("name")?.text) return [];
  const parameters = partsOf(host.childForFieldName("parameters")).map(parameterName);
  return parameters.flatMap((name, place) => {
    const argument = entry?.arguments[place];
    const tensor = typeof argument === "string" ? inputs[argument] : undefined;
    return tensor?.dtype.includes("float") ? [[name, textOf(tensor)] as const] : [];
  });
}

function textOf({ dtype, shape }: TensorSpec): string {
  return `${dtype}[${shape.join()}]`;
}

/** The same work as a kernel of its own, with its launch. */
export function asKernel(
  source: string,
  host: SyntaxNode,
  { statement, target, tensors, value }: TorchWork,
): { readonly edit: TextEdit; readonly kernel: string } {
  const kernel = freshName(source, "by_elements");
  const indent = indentOf(source, statement);
  const [first = ""] = tensors;
  const loads = tensors.map(
    (name) => `    ${name}_value = tl.load(${name} + at, mask=at < count).to(tl.float32)\n`,
  );
  const head = [...tensors, "into", "count", "BLOCK: tl.constexpr"].join(", ");
  const text = [
    `@triton.jit\ndef ${kernel}(${head}):\n`,
    "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n",
    ...loads,
    `    tl.store(into + at, ${value}, mask=at < count)`,
  ].join("");
  // What the function is given may have any strides; what it makes for kernels has none of its own.
  const isMade = (name: string): boolean => onlyAssignment(host, name) !== undefined;
  const given = tensors.map((name) => (isMade(name) ? name : `${name}.contiguous()`)).join(", ");
  const format = isMade(first) ? "" : ", memory_format=torch.contiguous_format";
  const lines = [
    `${target} = torch.empty_like(${first}${format})`,
    `${kernel}[(triton.cdiv(${first}.numel(), 1024),)](${given}, ${target}, ${first}.numel(), BLOCK=1024)`,
  ];
  const { startIndex: start, endIndex: end } = statement;
  return { edit: { start, end, text: lines.join(`\n${indent}`) }, kernel: text };
}

import { fieldText, partsOf, unwrapped } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { onlyAssignment } from "../../kernel";
import table from "./operations.json";

const unary: Readonly<Record<string, string>> = table.unary;
const binary: Readonly<Record<string, string>> = table.binary;
const ternary: Readonly<Record<string, string>> = table.ternary;

/** A type of torch, by the name that it has in a spec and in Triton. */
type ElementType = "float16" | "bfloat16" | "float32" | "bool";

/** A tensor of the host, as far as it is known. */
export interface HostTensor {
  readonly type: ElementType;
  /** Its extents in words that are the same for the same extent. */
  readonly shape: readonly string[];
}

/** What a function of the host works with. */
export interface Reading {
  readonly host: SyntaxNode;
  readonly tensors: ReadonlyMap<string, HostTensor>;
  /** Parameters of the function that are numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Tensors that the expression takes, each in the one shape that it has there. */
  readonly taken: Map<string, HostTensor>;
  /** Numbers of the host that the expression takes, by the names that a kernel has for them. */
  readonly passed: Map<string, string>;
  /** Statements whose values the expression takes over. */
  readonly statements: SyntaxNode[];
  /** True for a statement whose value may be worked out where it is used. */
  readonly isOwn: (statement: SyntaxNode) => boolean;
}

/** The value of an element in Triton's words; without a tensor it is a number. */
interface ElementValue {
  readonly text: string;
  readonly tensor?: HostTensor;
}

/** An expression by elements in Triton's words; undefined where it is more. */
export function elementValue(node: SyntaxNode, reading: Reading): ElementValue | undefined {
  const inner = unwrapped(node);
  if (inner.type === "identifier" && reading.tensors.has(inner.text)) return tensorValue(inner.text, reading);
  if (isNumber(inner, reading)) return { text: numberText(inner, reading) };
  switch (inner.type) {
    case "identifier":
      return nameValue(inner.text, reading);
    case "binary_operator":
      return operatorValue(inner, reading);
    case "comparison_operator":
      return comparedValue(inner, reading);
    case "unary_operator":
      return signValue(inner, reading);
    case "subscript":
      return widenedValue(inner, reading);
    case "call":
      return callValue(inner, reading);
    default:
      return undefined;
  }
}

function tensorValue(
  name: string,
  { tensors, taken }: Reading,
  shape = tensors.get(name)?.shape,
): ElementValue | undefined {
  const [own, known] = [tensors.get(name), taken.get(name)];
  if (own === undefined || shape === undefined) return undefined;
  if (known !== undefined && known.shape.join() !== shape.join()) return undefined;
  const tensor = { ...own, shape };
  taken.set(name, tensor);
  return { text: `${name}_value`, tensor };
}

/** `bias[None, :]`: the same elements with dimensions of one. */
function widenedValue(node: SyntaxNode, reading: Reading): ElementValue | undefined {
  const owner = node.childForFieldName("value");
  const axes = node.childrenForFieldName("subscript").map(({ text }) => text);
  const name = owner?.type === "identifier" ? owner.text : "";
  const extents = [...(reading.tensors.get(name)?.shape ?? [])];
  const isWhole = axes.filter((axis) => axis === ":").length === extents.length;
  if (!isWhole || !axes.every((axis) => /^(?::|None)$/.test(axis))) return undefined;
  const shape = axes.map((axis) => (axis === ":" ? (extents.shift() ?? "1") : "1"));
  return tensorValue(name, reading, shape);
}

/** A name that an earlier statement gives its only value, which nobody else reads. */
function nameValue(name: string, reading: Reading): ElementValue | undefined {
  const given = onlyAssignment(reading.host, name);
  const [statement, right] = [given?.parent, given?.childForFieldName("right")];
  if (!statement || !right || !reading.isOwn(statement)) return undefined;
  const value = elementValue(right, reading);
  if (value?.tensor === undefined) return undefined;
  reading.statements.push(statement);
  return value;
}

const ofNumbers = /^(?:math\.\w+|float|int|len|max|min|abs)$/;

/** An expression of numbers alone: literals, sizes, and what the function is given as a number. */
function isNumber(node: SyntaxNode, reading: Reading): boolean {
  const inner = unwrapped(node);
  if (inner.type === "integer" || inner.type === "float") return true;
  if (/^[\w.]+\.(?:shape\[-?\d+\]|size\(-?\d+\)|numel\(\))$/.test(inner.text)) return true;
  if (inner.type === "identifier") return isNumberName(inner.text, reading);
  if (inner.type === "binary_operator" || inner.type === "unary_operator")
    return partsOf(inner).every((part) => isNumber(part, reading));
  const callee = inner.type === "call" ? fieldText(inner, "function") : "";
  if (!ofNumbers.test(callee)) return false;
  const given = partsOf(inner.childForFieldName("arguments"));
  return given.every((part) => /^float\(["']-?inf["']\)$/.test(inner.text) || isNumber(part, reading));
}

function isNumberName(name: string, reading: Reading): boolean {
  if (reading.numbers.has(name)) return true;
  const right = onlyAssignment(reading.host, name)?.childForFieldName("right");
  return right ? isNumber(right, { ...reading, numbers: reading.numbers }) : false;
}

/** A literal as it is; another number under a name that the launch passes it by. */
function numberText(node: SyntaxNode, { passed }: Reading): string {
  if (/^-?[\d.]+(?:e[+-]?\d+)?$/i.test(node.text))
    return node.text.startsWith("-") ? `(${node.text})` : node.text;
  const known = [...passed].find(([, text]) => text === node.text)?.[0];
  const name = known ?? `number${passed.size + 1}`;
  passed.set(name, node.text);
  return name;
}

function operatorValue(node: SyntaxNode, reading: Reading): ElementValue | undefined {
  const operator = fieldText(node, "operator");
  const parts = partsOf(node);
  const [base, power] = parts;
  if (operator === "**" && base && power) {
    const name = { "2": "square", "0.5": "sqrt", "-0.5": "rsqrt" }[power.text];
    return name === undefined ? undefined : filled(unary[name], [base], reading);
  }
  if (operator === "&" || operator === "|") {
    const values = valuesOf(parts, reading);
    if (values?.every(({ tensor }) => tensor?.type === "bool") !== true) return undefined;
    const text = `(${values.map((each) => each.text).join(` ${operator} `)})`;
    return withShape(text, "bool", values);
  }
  return filled(binary[operator], parts, reading);
}

function comparedValue(node: SyntaxNode, reading: Reading): ElementValue | undefined {
  const [left, right, ...more] = partsOf(node);
  if (!left || !right || more.length > 0) return undefined;
  const operator = node.text
    .slice(left.endIndex - node.startIndex, right.startIndex - node.startIndex)
    .trim();
  const values = valuesOf([left, right], reading);
  const [one, other] = values ?? [];
  if (!values || !one || !other || !/^(?:[<>]=?|[!=]=)$/.test(operator)) return undefined;
  return withShape(`(${one.text} ${operator} ${other.text})`, "bool", values);
}

/** `-x`, `~mask`. */
function signValue(node: SyntaxNode, reading: Reading): ElementValue | undefined {
  const argument = node.childForFieldName("argument");
  if (argument === null) return undefined;
  if (node.text.startsWith("-")) return filled(unary["neg"], [argument], reading);
  const value = node.text.startsWith("~") ? elementValue(argument, reading) : undefined;
  return value?.tensor?.type === "bool" ? { ...value, text: `(${value.text} == 0)` } : undefined;
}

const conversions: Readonly<Record<string, ElementType>> = {
  float: "float32",
  half: "float16",
  bfloat16: "bfloat16",
};

/** `torch.relu(x)`, `F.relu(x)`, `x.relu()`, `torch.add(x, y)`, `x.masked_fill(m, v)`, `x.float()`. */
function callValue(call: SyntaxNode, reading: Reading): ElementValue | undefined {
  const callee = call.childForFieldName("function");
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  if (!owner) return undefined;
  const name = fieldText(callee, "attribute");
  const given = partsOf(call.childForFieldName("arguments"));
  if (/^(torch|F|torch\.nn\.functional)$/.test(owner.text)) return namedValue(name, given, reading);
  if (given.length === 0 && /^(?:contiguous|clone)$/.test(name)) return elementValue(owner, reading);
  const type = convertedTo(name, given, reading);
  return type === undefined
    ? namedValue(name, [owner, ...given], reading)
    : converted(elementValue(owner, reading), type);
}

const filledWith: Readonly<Record<string, string>> = { zeros_like: "0.0", ones_like: "1.0" };

/** An operation of torch by its name. */
function namedValue(name: string, given: readonly SyntaxNode[], reading: Reading): ElementValue | undefined {
  const constant = given.length === 1 ? filledWith[name] : undefined;
  if (constant !== undefined) return { text: constant };
  const operands = boundsIn(name, given) ?? given;
  return filled([unary, binary, ternary][operands.length - 1]?.[name], operands, reading);
}

/** `x.float()`, `x.to(torch.float16)`, `x.to(y.dtype)`, `x.type_as(y)`. */
function convertedTo(
  name: string,
  given: readonly SyntaxNode[],
  { tensors }: Reading,
): ElementType | undefined {
  const [asked, ...more] = given;
  if (asked === undefined) return conversions[name];
  if (more.length > 0 || !/^(?:to|type_as)$/.test(name)) return undefined;
  const like = name === "to" ? /^(\w+)\.dtype$/.exec(asked.text)?.[1] : asked.text;
  const tensor = like === undefined ? undefined : tensors.get(like);
  if (tensor !== undefined) return tensor.type;
  const [, type] = /^torch\.(float16|bfloat16|float32|half|float)$/.exec(asked.text) ?? [];
  return type === undefined ? undefined : (conversions[type] ?? (type as ElementType));
}

function converted(value: ElementValue | undefined, type: ElementType): ElementValue | undefined {
  if (value?.tensor === undefined || value.tensor.type === "bool") return undefined;
  const text = value.tensor.type === type ? value.text : `${value.text}${roundedTo(type)}`;
  return { text, tensor: { ...value.tensor, type } };
}

/** `x.clamp(min=a, max=b)` with its bounds in their order; undefined for anything without names. */
function boundsIn(name: string, operands: readonly SyntaxNode[]): readonly SyntaxNode[] | undefined {
  const [first, ...others] = operands;
  const named = new Map(others.map((node) => [fieldText(node, "name"), node.childForFieldName("value")]));
  const [least, most] = [named.get("min"), named.get("max")];
  const isBoth = first && least && most && others.length === 2;
  return /^cl(?:amp|ip)$/.test(name) && isBoth ? [first, least, most] : undefined;
}

/** Torch rounds what each operation gives to the tensor's type. */
function roundedTo(type: ElementType): string {
  return type === "float32" ? "" : `.to(tl.${type}).to(tl.float32)`;
}

function valuesOf(nodes: readonly SyntaxNode[], reading: Reading): readonly ElementValue[] | undefined {
  const values = nodes.flatMap((node) => elementValue(node, reading) ?? []);
  return values.length === nodes.length ? values : undefined;
}

function filled(
  template: string | undefined,
  operands: readonly SyntaxNode[],
  reading: Reading,
): ElementValue | undefined {
  const values = template === undefined ? undefined : valuesOf(operands, reading);
  if (template === undefined || values === undefined) return undefined;
  const masks = /where\(\{(\d)\},/.exec(template);
  const numbers = values.filter((_, place) => String(place) !== masks?.[1]);
  if (masks !== null && values[Number(masks[1])]?.tensor?.type !== "bool") return undefined;
  if (numbers.some(({ tensor }) => tensor?.type === "bool")) return undefined;
  const types = new Set(numbers.flatMap(({ tensor }) => tensor?.type ?? []));
  const [type, ...others] = types;
  if (type === undefined) return undefined;
  // Of two types of 16 bits, and of one with float32, torch makes float32.
  const result = others.length === 0 ? type : "float32";
  const worked = template.replace(/\{(\d)\}/g, (_, place: string) => values[Number(place)]?.text ?? "");
  return withShape(`${worked}${roundedTo(result)}`, result, values);
}

/** The value with the shape that its operands are broadcast to; undefined where they do not fit. */
function withShape(
  text: string,
  type: ElementType,
  values: readonly ElementValue[],
): ElementValue | undefined {
  const shapes = values.flatMap(({ tensor }) => (tensor === undefined ? [] : [tensor.shape]));
  const shape = shapes.reduce<readonly string[] | undefined>(
    (one, other) => (one === undefined ? undefined : broadcast(one, other)),
    [],
  );
  return shape === undefined ? undefined : { text, tensor: { type, shape } };
}

function broadcast(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  const rank = Math.max(one.length, other.length);
  const extents = Array.from({ length: rank }, (_, place) => {
    const [a = "1", b = "1"] = [one[one.length - rank + place], other[other.length - rank + place]];
    if (a === b || b === "1") return a;
    return a === "1" ? b : undefined;
  });
  return extents.includes(undefined) ? undefined : extents.map(String);
}

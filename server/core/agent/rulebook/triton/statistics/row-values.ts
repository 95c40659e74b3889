import { fieldText, partsOf, unwrapped } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { onlyAssignment, positional } from "../kernel";

/** Something that is put together of all elements of a row: what of each, how, and what is done to it. */
export interface RowSum {
  readonly kind: "sum" | "max" | "min";
  /** The value of an element `{x}` in Triton's words; `{mean}` is the name of a sum that comes before. */
  readonly element: string;
  /** The name that the sum gets. */
  readonly name: string;
}

/** One value for each row, as torch works it out in front of a launch. */
export interface RowValue {
  readonly sums: readonly RowSum[];
  /** The value in Triton's words, of the names of sums. */
  readonly text: string;
  /** Numbers of the host in it. */
  readonly numbers: readonly string[];
  /** Assignments of the host that lead to it, beside its own. */
  readonly through: readonly SyntaxNode[];
}

interface Reading {
  readonly host: SyntaxNode;
  /** Names of the tensor that the kernel has the rows of. */
  readonly tensors: readonly string[];
  readonly library: string;
  /** The number of elements of a row, in the kernel's words. */
  readonly length: string;
  readonly name: (wanted: string) => string;
  /** Sums that several values share. */
  readonly known: RowSum[];
  readonly sums: RowSum[];
  readonly numbers: Set<string>;
  readonly through: SyntaxNode[];
}

/** Reads what the host works out for each row of a tensor; undefined where it is anything else. */
export function rowValue(
  node: SyntaxNode,
  asks: Pick<Reading, "host" | "tensors" | "library" | "length" | "name" | "known">,
): RowValue | undefined {
  const reading: Reading = { ...asks, sums: [], numbers: new Set(), through: [] };
  const text = valueOf(node, reading, 0);
  const { sums, numbers, through } = reading;
  return text === undefined || sums.length === 0 ? undefined : { sums, text, numbers: [...numbers], through };
}

function valueOf(node: SyntaxNode, reading: Reading, depth: number): string | undefined {
  const inner = unwrapped(node);
  if (depth > 8) return undefined;
  if (inner.type === "integer" || inner.type === "float") return inner.text;
  if (inner.type === "identifier") return namedValue(inner, reading, depth);
  if (inner.type === "binary_operator") {
    const operator = fieldText(inner, "operator");
    const [left, right] = partsOf(inner).map((part) => valueOf(part, reading, depth + 1));
    const known = /^[-+*/]$/.test(operator) && left !== undefined && right !== undefined;
    return known ? `(${left} ${operator} ${right})` : undefined;
  }
  const call = callIn(inner);
  if (call === undefined) return undefined;
  return reduced(call, reading) ?? worked(call, reading, depth);
}

/** A number that the function is handed, or what a name stands for. */
function namedValue(node: SyntaxNode, reading: Reading, depth: number): string | undefined {
  const { host } = reading;
  const act = onlyAssignment(host, node.text);
  const value = act?.childForFieldName("right");
  if (act && value) {
    if (!reading.through.includes(act)) reading.through.push(act);
    return valueOf(value, reading, depth + 1);
  }
  const declared = partsOf(host.childForFieldName("parameters")).find(
    (each) => parameterName(each) === node.text,
  );
  const start = declared?.childForFieldName("value");
  if (start?.type !== "float" && start?.type !== "integer" && !/:\s*float\b/.test(declared?.text ?? ""))
    return undefined;
  reading.numbers.add(node.text);
  return node.text;
}

interface Call {
  readonly method: string;
  readonly object: SyntaxNode;
  readonly given: readonly SyntaxNode[];
  readonly named: ReadonlyMap<string, string>;
}

/** `x.amax(-1)` and `torch.amax(x, dim=-1)` alike, `.values` of `x.max(-1)`. */
function callIn(node: SyntaxNode): Call | undefined {
  const call =
    node.type === "attribute" && fieldText(node, "attribute") === "values" ? partsOf(node)[0] : node;
  const callee = call?.type === "call" ? call.childForFieldName("function") : null;
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  if (!owner || call === undefined) return undefined;
  const given = positional(call);
  const ofModule = /^torch(?:\.linalg)?$/.test(owner.text);
  const object = ofModule ? given[0] : owner;
  const named = new Map(
    partsOf(call.childForFieldName("arguments"))
      .filter(({ type }) => type === "keyword_argument")
      .map((each) => [fieldText(each, "name"), fieldText(each, "value")] as const),
  );
  const method = fieldText(callee, "attribute");
  return object && { method, object, given: ofModule ? given.slice(1) : given, named };
}

const kinds: Readonly<Record<string, RowSum["kind"]>> = {
  sum: "sum",
  mean: "sum",
  amax: "max",
  amin: "min",
  max: "max",
  min: "min",
};

/** A reduction of rows of the tensor, by elements before it is put together. */
function reduced(call: Call, reading: Reading): string | undefined {
  const { method, object } = call;
  const element = goesAlongRows(call) ? elementOf(object, reading, 0) : undefined;
  if (element === undefined) return undefined;
  const { library, length } = reading;
  const kind = kinds[method];
  if (kind !== undefined) {
    const name = added(reading, { kind, element }, `row_${kind}`);
    return method === "mean" ? `(${name} / ${length})` : name;
  }
  if (method === "norm" && isEuclidean(call)) {
    const squares = added(reading, { kind: "sum", element: `${element} * ${element}` }, "row_squares");
    return `${library}sqrt(${squares})`;
  }
  return method === "var" || method === "std" ? spread(call, element, reading) : undefined;
}

function goesAlongRows({ method, given, named }: Call): boolean {
  const place = method === "norm" && given.length > 1 ? 1 : 0;
  return /^\(?-?1,?\)?$/.test(named.get("dim") ?? named.get("axis") ?? given[place]?.text ?? "");
}

function isEuclidean({ given, named }: Call): boolean {
  return (named.get("p") ?? "2") === "2" && (given.length < 2 || given[0]?.text === "2");
}

/** The variance or the deviation, of what is left of each element without the mean. */
function spread({ method, named }: Call, element: string, reading: Reading): string {
  const { library, length } = reading;
  const total = added(reading, { kind: "sum", element }, "row_sum");
  const apart = `(${element} - ${total} / ${length})`;
  const squares = added(reading, { kind: "sum", element: `${apart} * ${apart}` }, "row_squares");
  const biased = named.get("unbiased") === "False" || named.get("correction") === "0";
  const variance = biased ? `(${squares} / ${length})` : `(${squares} / (${length} - 1))`;
  return method === "var" ? variance : `${library}sqrt(${variance})`;
}

function added(reading: Reading, sum: Omit<RowSum, "name">, wanted: string): string {
  const { sums, known, name } = reading;
  const same = known.find(({ kind, element }) => kind === sum.kind && element === sum.element);
  const own = same ?? { ...sum, name: name(wanted) };
  if (same === undefined) known.push(own);
  if (!sums.includes(own)) sums.push(own);
  return own.name;
}

/** What torch makes of each element before a row is put together. */
function elementOf(node: SyntaxNode, reading: Reading, depth: number): string | undefined {
  const inner = unwrapped(node);
  if (depth > 4) return undefined;
  if (inner.type === "identifier") return reading.tensors.includes(inner.text) ? "{x}" : undefined;
  if (inner.type === "binary_operator") return productOf(inner, reading, depth);
  const call = callIn(inner);
  const element = call && elementOf(call.object, reading, depth + 1);
  if (call === undefined || element === undefined) return undefined;
  return elementBy(call, element, reading.library);
}

/** What a method makes of an element. */
function elementBy({ method, given }: Call, element: string, library: string): string | undefined {
  if (method === "to") return given.some(({ text }) => /float32/.test(text)) ? element : undefined;
  if (method === "abs") return `${library}abs(${element})`;
  const squares = method === "square" || (method === "pow" && given[0]?.text === "2");
  if (squares) return `(${element} * ${element})`;
  return /^(?:float|contiguous|detach)$/.test(method) ? element : undefined;
}

/** `x * x` and `x ** 2`. */
function productOf(node: SyntaxNode, reading: Reading, depth: number): string | undefined {
  const [left, right] = partsOf(node);
  const operator = fieldText(node, "operator");
  if (left === undefined || right === undefined) return undefined;
  const squares = operator === "**" && right.text === "2";
  if (!squares && operator !== "*") return undefined;
  const one = elementOf(left, reading, depth + 1);
  const two = squares ? one : elementOf(right, reading, depth + 1);
  return one !== undefined && two !== undefined ? `(${one} * ${two})` : undefined;
}

const unchanged = /^(?:float|contiguous|squeeze|unsqueeze|detach|view|reshape|flatten)$/;

/** What torch does to the value of each row. */
function worked(call: Call, reading: Reading, depth: number): string | undefined {
  const { method, object, given } = call;
  const value = valueOf(object, reading, depth + 1);
  if (value === undefined || unchanged.test(method)) return value;
  const { library } = reading;
  if (method === "to") return given.some(({ text }) => /float32/.test(text)) ? value : undefined;
  if (/^(?:r?sqrt|abs|exp|log)$/.test(method)) return `${library}${method}(${value})`;
  if (method === "reciprocal") return `(1.0 / ${value})`;
  const least = leastOf(call);
  return least === undefined ? undefined : `${library}maximum(${value}, ${least})`;
}

/** The number in `clamp(min=1e-8)` and `clamp_min(1e-8)`. */
function leastOf({ method, given, named }: Call): string | undefined {
  if ((method !== "clamp" && method !== "clamp_min") || named.has("max") || given.length > 1)
    return undefined;
  const least = named.get("min") ?? given[0]?.text ?? "";
  return /^[\d.e+-]+$/.test(least) ? least : undefined;
}

import { findNodeAtOffset, getLocation, getNodeValue, parseTree } from "jsonc-parser";
import { isJsonObject, type Json } from "../../base/json";
import type { Span } from "./marks";

/** What may stand at a place of a spec file. */
interface SpecCompletion {
  readonly label: string;
  /** What it is: `input, float32`. */
  readonly detail: string;
  /** What is replaced, and by what. */
  readonly span: Span;
  readonly text: string;
}

/** Functions of size expressions that are offered. */
const sizeFunctions: readonly string[] = ["ceil_div", "min", "max", "next_power_of_2"];

/**
 * Names that may stand in the string at an offset: buffers among arguments, sizes in size expressions,
 * functions (`FILE.py::FUNCTION`) as reference or entry. The rest of a spec is the JSON Schema's to complete.
 */
export function specCompletions(
  text: string,
  offset: number,
  functions: readonly string[],
): readonly SpecCompletion[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtOffset(root, offset);
  const { path, isAtPropertyKey } = getLocation(text, offset);
  if (root === undefined || node?.type !== "string" || isAtPropertyKey) return [];
  const whole = { start: node.offset, end: node.offset + node.length };
  const named = (label: string, detail: string): SpecCompletion => ({
    label,
    detail,
    span: whole,
    text: JSON.stringify(label),
  });
  const spec = getNodeValue(root) as Json;
  const place = path.map((part) => (typeof part === "number" ? "*" : part)).join(".");
  if (/^(?:launch|entry)\.arguments\.\*(?:(?:\.fields\.\*)?\.(?:buffer|each))?$/.test(place))
    return buffersOf(spec).map(([name, what]) => named(name, what));
  if (place === "reference")
    return [named("baseline", "the kernel as it is"), ...functions.map((each) => named(each, "reference"))];
  if (place === "entry.call") return functions.map((each) => named(each, "function"));
  return sizePlace.test(place) ? sizesAt(text, offset, spec) : [];
}

/** Where size expressions stand. */
const sizePlace =
  /^(?:launch\.(?:grid|block)\.\*|launch\.sharedBytes|(?:inputs|outputs)\.[^.]+\.shape\.\*|(?:launch|entry)\.arguments\.\*\.(?:count|(?:fields\.\*\.)?(?:value|offset|stride)))$/;

/** Inputs and outputs by name, with what they are. */
function buffersOf(spec: Json): readonly (readonly [string, string])[] {
  const found = new Map<string, string>();
  for (const side of ["inputs", "outputs"] as const) {
    const tensors = isJsonObject(spec) ? spec[side] : undefined;
    for (const [name, tensor] of isJsonObject(tensors) ? Object.entries(tensors) : []) {
      const dtype = isJsonObject(tensor) ? String(tensor["dtype"]) : "";
      found.set(name, `${found.has(name) ? "input and output" : side.slice(0, -1)}, ${dtype}`);
    }
  }
  return [...found];
}

/** Sizes and functions in place of the word before the offset. */
function sizesAt(text: string, offset: number, spec: Json): readonly SpecCompletion[] {
  const word = /\w*$/.exec(text.slice(0, offset))?.[0] ?? "";
  const span = { start: offset - word.length, end: offset };
  const shapes = isJsonObject(spec) && Array.isArray(spec["shapes"]) ? spec["shapes"] : [];
  const [first] = shapes;
  const sizes = isJsonObject(first) && isJsonObject(first["sizes"]) ? Object.entries(first["sizes"]) : [];
  return [
    ...sizes.map(([name, value]) => ({
      label: name,
      detail: `size, first ${String(value)}`,
      span,
      text: name,
    })),
    ...sizeFunctions.map((name) => ({ label: name, detail: "function", span, text: `${name}(` })),
  ];
}

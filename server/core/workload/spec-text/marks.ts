import { at } from "../../base/known";
import { findNodeAtLocation, getNodePath, type JSONPath, type Node, parseTree } from "jsonc-parser";
import type { Provenance } from "../spec";

/** Offsets in a text, [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A fact of a spec file about which the file says more than its value. */
export interface SpecMark {
  /** In the file: `launch.grid`; empty for the whole file. */
  readonly path: string;
  /** Undefined where `origins` does not name the fact: it is the user's own. */
  readonly origin: Provenance | undefined;
  /** What the comments `// unknown: …` above the entry say. */
  readonly sentences: readonly string[];
  /** The lines of these comments, with their ends. */
  readonly comments: readonly Span[];
  /** Name and value; of what is not in the file, the nearest entry around it. */
  readonly entry: Span;
  /** The value alone. */
  readonly value: Span;
}

const unknownLine = /^[ \t]*\/\/ unknown: (.*)\r?\n?/gm;

/**
 * What a spec file says about its facts, in the order of the text: where they come from, and what is not
 * known of them. A text that is not whole gives what can be read.
 */
export function readSpecMarks(text: string): readonly SpecMark[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  const marks = new Map<string, SpecMark>();
  const remark = (path: string, more: Partial<SpecMark>): void => {
    const known = marks.get(path) ?? {
      path,
      origin: undefined,
      sentences: [],
      comments: [],
      ...placeOf(root, path),
    };
    const sentences = [...known.sentences, ...(more.sentences ?? [])];
    marks.set(path, {
      ...known,
      ...more,
      sentences,
      comments: [...known.comments, ...(more.comments ?? [])],
    });
  };
  const entries = entriesOf(root);
  for (const found of text.matchAll(unknownLine)) {
    const end = found.index + found[0].length;
    const next = entries.find(({ offset }) => offset >= end);
    const path = found.index < root.offset || next === undefined ? "" : pathOf(next);
    remark(path, { sentences: [at(found, 1)], comments: [{ start: found.index, end }] });
  }
  for (const property of findNodeAtLocation(root, ["origins"])?.children ?? []) {
    const [name, value] = property.children ?? [];
    if (typeof name?.value === "string" && typeof value?.value === "string")
      remark(name.value, { origin: value.value as Provenance });
  }
  return [...marks.values()].sort((a, b) => a.entry.start - b.entry.start);
}

function segmentsOf(root: Node, path: string): JSONPath {
  const segments: JSONPath = [];
  for (const part of path === "" ? [] : path.split(".")) {
    const isList = findNodeAtLocation(root, segments)?.type === "array";
    segments.push(isList ? Number(part) : part);
  }
  return segments;
}

/** Where a fact stands, or the nearest entry around it. */
function placeOf(root: Node, path: string): Pick<SpecMark, "entry" | "value"> {
  const segments = segmentsOf(root, path);
  for (let length = segments.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, segments.slice(0, length));
    if (node !== undefined)
      return { entry: spanOf(node.parent?.type === "property" ? node.parent : node), value: spanOf(node) };
  }
  const top = { start: root.offset, end: root.offset + 1 };
  return { entry: top, value: top };
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

/** Entries of objects and lists, in the order of the text. */
function entriesOf(node: Node): readonly Node[] {
  const children = node.children ?? [];
  if (node.type === "object")
    return children.flatMap((child) => [child, ...entriesOf(child.children?.[1] ?? child)]);
  return node.type === "array" ? children.flatMap((child) => [child, ...entriesOf(child)]) : [];
}

function pathOf(entry: Node): string {
  return getNodePath(entry.type === "property" ? (entry.children?.[1] ?? entry) : entry).join(".");
}

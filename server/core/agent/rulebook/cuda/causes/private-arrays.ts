import { at } from "../../../../base/known";
import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { collapse, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { estimatedValue, type KernelView, scalarBytes } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { localArraysMoved } from "../lists/local-arrays";

/**
 * Arrays of each thread that an index of run time puts into local memory, moved to shared memory: each
 * thread has a column of its own there, so nobody has to wait.
 */
export const indexRegisters = defineRule("cuda-index-registers", (input, entry) =>
  localArraysMoved(input, entry, {
    terms: ["l1", "l2", "issue"],
    edits: (view, arrays) => columns(input, view, { entry, arrays }),
  }),
);

interface Arrays {
  readonly entry: RuleEntry;
  readonly arrays: readonly KernelArray[];
}

/** The arrays as columns of shared memory; a guard's answer where they do not fit. */
function columns(
  input: RuleInput,
  view: KernelView,
  { entry, arrays }: Arrays,
): readonly TextEdit[] | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const [wide, high, deep] = block.sizes;
  if (deep > 1) return not("launch", "the block has three dimensions", view.line);
  const threads = wide * high;
  let bytes = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  for (const array of arrays) {
    const size = bytesOf(view, array);
    if (isNot(size)) return size;
    bytes += size * threads;
  }
  const most = threshold(entry, "sharedBytesMost");
  if (bytes > most)
    return not("limit", `arrays of ${threads} threads take ${bytes} bytes of shared memory`, view.line);
  const thread = high === 1 ? "threadIdx.x" : `threadIdx.y * ${wide} + threadIdx.x`;
  const edits: TextEdit[] = [];
  for (const array of arrays) {
    const begun = declared(array, threads, thread);
    if (isNot(begun)) return begun;
    edits.push(begun);
    for (const { node } of array.accesses)
      if (!isInside(node, array.declaration))
        edits.push({ start: node.endIndex, end: node.endIndex, text: `[${thread}]` });
  }
  return edits;
}

function bytesOf(
  view: KernelView,
  { name, type, sizes, escape, declaration }: KernelArray,
): number | RuleHold {
  const each = scalarBytes(view, type);
  const counts = sizes.flatMap((size) => estimatedValue(view, size) ?? []);
  if (escape !== undefined) return not("aliasing", `${name} is used other than element by element`, escape);
  if (each === undefined) return not("type", `the size of ${type} is not known`, declaration);
  return counts.length === sizes.length && counts.length > 0
    ? counts.reduce((product, count) => product * count, each)
    : not("limit", `the size of ${name} is no constant`, declaration);
}

/** The declaration in shared memory, with what it begins with as statements. */
function declared({ name, type, sizes, declaration }: KernelArray, threads: number, thread: string) {
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  if (others.length > 0 || declarator === undefined || /\b(?:const|constexpr)\b/.test(declaration.text))
    return not("no-rewrite", `${name} is declared together with something else, or constant`, declaration);
  const extents = [...sizes.map(({ text }) => text), String(threads)].map((text) => `[${text}]`).join("");
  const shared = `__shared__ ${type} ${name}${extents};`;
  const value = declarator.childForFieldName("value");
  if (value === null) return replaceNode(declaration, shared);
  const starts = sizes.length === 1 ? startsOf(value, at(sizes, 0)) : undefined;
  if (starts === undefined || fieldText(declarator, "value") === "")
    return not("no-rewrite", `${name} begins with values that are no list`, declaration);
  const lines = starts.map((start, place) => `${name}[${place}][${thread}] = ${start};`);
  return replaceNode(declaration, [shared, ...lines].join(" "));
}

/** The values of `{a, b, 0}`, zero for those that are left out; undefined for any other start. */
function startsOf(value: SyntaxNode, size: SyntaxNode): readonly string[] | undefined {
  const count = Number(size.text);
  if (value.type !== "initializer_list" || !Number.isInteger(count) || count > 16) return undefined;
  const given = partsOf(value).map(({ text }) => collapse(text));
  return Array.from({ length: count }, (_, place) => given[place] ?? "0");
}

import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, estimatedValue, type KernelView, scalarBytes } from "../kernel";
import { blockShape, type BlockShape } from "../launch/block-shape";
import { structureLayout } from "../structures/structure-layout";
import { rangesIn } from "./ranges";

/** Shared memory of a multiprocessor on the GPUs that are modelled, and what a block takes beside its own. */
const sharedBytesAll = 167_936;

/**
 * Makes tiles in shared memory as large as they are used, and takes away those that nothing is read from, so
 * that more blocks share a multiprocessor.
 */
export const shrinkSharedTile = defineRule("cuda-shrink-shared-tile", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const value = Math.max(0, ...input.facts.map(({ sharedBytes }) => sharedBytes));
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const warps = Math.ceil((block.sizes[0] * block.sizes[1] * block.sizes[2]) / 32);
  if (Math.floor(sharedBytesAll / Math.max(1, value)) * warps >= threshold(entry, "warpsLeast"))
    return not("no-evidence", "shared memory leaves room for enough warps", view.line);
  if (view.launches.length > 1)
    return not("launch", "the kernel has more than one launch", view.launches[0]?.call ?? view.line);
  const spared = arraysOf(view.body).flatMap((array) => sparedBy(view, block.sizes, array) ?? []);
  const [first] = [...spared].sort((a, b) => b.bytes - a.bytes);
  if (first === undefined) return not("no-pattern", "all of the shared memory is used", view.line);
  const saved = spared.reduce((sum, { bytes }) => sum + bytes, 0);
  const gain = gainOn(input, ["latency", "dram", "l2", "issue", "fp32"], (0.5 * saved) / Math.max(1, value));
  const facts = { file: input.file, line: lineOf(first.array.declaration), counter: "sharedBytes" as const };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      spared.flatMap(({ edits }) => edits),
    ),
    hypothesis: fillSentence(entry.hypothesis, {
      arrays: spared.map(({ array }) => array.name).join(" and "),
    }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: value - saved }),
    gain,
  };
});

interface Spared {
  readonly array: KernelArray;
  readonly bytes: number;
  readonly edits: readonly TextEdit[];
}

function sparedBy(view: KernelView, sizes: BlockShape["sizes"], array: KernelArray): Spared | undefined {
  if (array.storage !== "shared" || array.escape !== undefined || array.accesses.length === 0)
    return undefined;
  const extents = array.sizes.map((size) => estimatedValue(view, size));
  const known = extents.flatMap((extent) => extent ?? []);
  const each = scalarBytes(view, array.type) ?? structureLayout(view, array.type)?.bytes;
  if (known.length < extents.length || each === undefined) return undefined;
  const bytes = known.reduce((product, extent) => product * extent, each);
  const dead = neverRead(array);
  if (dead !== undefined) return { array, bytes, edits: dead };
  const ranges = rangesIn(view, sizes);
  const used = array.sizes.map((_, place) => {
    const all = array.accesses
      .map(({ indices }) => indices[place])
      .map((index) => (index ? ranges(index) : undefined));
    return Math.max(...all.map((range) => (range === undefined ? Number.POSITIVE_INFINITY : range.high))) + 1;
  });
  const wanted = known.map((extent, place) =>
    wantedExtent(extent, used[place] ?? extent, place === known.length - 1),
  );
  const edits = array.sizes.flatMap((size, place) =>
    wanted[place] === known[place] ? [] : [replaceNode(size, String(wanted[place]))],
  );
  const left = wanted.reduce((product, extent) => product * extent, each);
  return edits.length === 0 ? undefined : { array, bytes: bytes - left, edits };
}

/** A few columns beyond those that are used keep rows in different banks. */
function wantedExtent(extent: number, used: number, isLast: boolean): number {
  if (!Number.isFinite(used) || used < 1 || used >= extent) return extent;
  return isLast && extent - used <= 8 ? extent : used;
}

/** Takes away an array to which values are only stored; undefined where one is read, or made by a call. */
function neverRead({ declaration, accesses }: KernelArray): readonly TextEdit[] | undefined {
  if (declaration.childrenForFieldName("declarator").length !== 1) return undefined;
  const statements: SyntaxNode[] = [];
  for (const { node } of accesses) {
    const act = node.parent;
    const statement = act?.parent;
    const sets =
      act?.type === "assignment_expression" &&
      fieldText(act, "operator") === "=" &&
      act.childForFieldName("left")?.id === node.id &&
      statement?.type === "expression_statement";
    const value = act?.childForFieldName("right");
    if (!sets || !value || value.descendantsOfType(["call_expression", "update_expression"]).length > 0)
      return undefined;
    if (partsOf(statement).length !== 1) return undefined;
    statements.push(statement);
  }
  const empty = (node: SyntaxNode): TextEdit =>
    replaceNode(node, node.parent?.type === "compound_statement" ? "" : ";");
  return [...statements, declaration].map(empty);
}

import { coefficient, type Form, formOf } from "../../../../language/cuda/body/forms";
import { collapse, compact, fieldText, lineOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOnHidden } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { beforeKernel } from "./before-kernel";
import { commonType, type WholeType } from "./whole-types";

/** `(x + dx + n) % n`: a sum that leaves the range of the remainder by one length at most. */
interface Wrap {
  readonly node: SyntaxNode;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
  /** That both sides become. */
  readonly type: WholeType;
}

/**
 * Takes the remainder of places on a ring by a comparison: what lies within one length of the range, as a
 * neighbour across a periodic border does, loses the length once. Anything else is divided as before.
 */
export const compareForRemainder = defineRule("cuda-compare-for-remainder", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const wraps = view.body
    .descendantsOfType("binary_expression")
    .filter((node) => fieldText(node, "operator") === "%")
    .flatMap((node) => wrapIn(view, node) ?? []);
  const [first] = wraps;
  if (first === undefined) return not("no-pattern", "no remainder is that of a place on a ring", view.line);
  const lines = new Set(wraps.map(({ node }) => lineOf(node)));
  const value = wraps
    .filter(({ node }, place) => wraps.findIndex((each) => lineOf(each.node) === lineOf(node)) === place)
    .reduce((sum, { node }) => sum + countsOf(input, node).instructions, 0);
  const blanks = { remainder: compact(first.node) };
  const facts = { file: input.file, line: lineOf(first.node), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, wraps)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.round(value / 2) }, blanks),
    gain: gainOnHidden(input, threshold(entry, "share"), lines),
  };
});

function wrapIn(view: KernelView, node: SyntaxNode): Wrap | undefined {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (left === null || right === null) return undefined;
  if (!/^[A-Za-z_]\w*(?:(?:\.|->)\w+)*$/.test(compact(right))) return undefined;
  if (view.scope.value(right) !== undefined) return undefined;
  const type = commonType(view, [left, right]);
  if (type === undefined || /sizeof/.test(left.text)) return undefined;
  return isNearRing(view, unwrapped(left), compact(right)) ? { node, left, right, type } : undefined;
}

/**
 * True for a sum with the length in it once, as it is written for places that may lie before the start, and
 * for a place with its neighbour's distance: nothing in it is multiplied.
 */
function isNearRing({ scope }: KernelView, sum: SyntaxNode, length: string): boolean {
  if (sum.type !== "binary_expression" || !/^[+-]$/.test(fieldText(sum, "operator"))) return false;
  const form: Form = formOf(sum, { ...scope, meaning: () => undefined });
  const isPlain = [...form].every(([key, times]) => Math.abs(times) === 1 || key === "");
  if (!isPlain || [...form.keys()].some((key) => /\*(?![^[]*\])/.test(key) || /^\(|\w\(/.test(key)))
    return false;
  if (coefficient(form, length) === 1) return form.size > 1;
  return coefficient(form, length) === 0 && form.size === 2 && form.has("");
}

function edits(view: KernelView, wraps: readonly Wrap[]): readonly TextEdit[] {
  let taken = view.source;
  const names = new Map<string, string>();
  for (const type of new Set(wraps.map((each) => each.type))) {
    const name = freshName(taken, "onRing");
    taken += ` ${name} `;
    names.set(type, name);
  }
  const helpers = [...names].map(([type, name]) => {
    const isFar = type.startsWith("unsigned") ? "place >= length" : "place < 0";
    const joined = type.startsWith("unsigned") ? "&&" : "||";
    return [
      `// The remainder of a place that lies within one length of the ring; of others by division.`,
      `static __device__ __forceinline__ ${type} ${name}(${type} place, ${type} length) {`,
      `  if (${isFar} ${joined} place - length >= length) return place % length;`,
      `  return place < length ? place : place - length;`,
      "}",
    ];
  });
  return [
    beforeKernel(view, helpers),
    ...wraps.map(({ node, left, right, type }) =>
      replaceNode(node, `${names.get(type) ?? ""}(${collapse(unwrapped(left).text)}, ${right.text})`),
    ),
  ];
}

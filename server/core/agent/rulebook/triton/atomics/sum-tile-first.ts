import { collapse, fieldText, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  isCallOf,
  languageCalls,
  launchConstant,
  maskOf,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { axesOf, type TileAxis, type TilePart, tileSum } from "./tile-axes";

/**
 * A tile of which each element is added to memory, all rows to the same places: the program sums the tile
 * along that axis first, and adds one row.
 */
export const sumTileFirst = defineRule("triton-sum-tile-first", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [found] = languageCalls(view, ["atomic_add"]).flatMap((call) => repeatedRow(view, call) ?? []);
  if (found === undefined)
    return not("no-pattern", "no tile is added to places that differ along one axis alone", view.line);
  const { call, summed } = found;
  const times = extentOf(view, summed);
  if (times !== undefined && times < threshold(entry, "ratio"))
    return not("no-evidence", "few rows are added to the same places", call);
  const { globalAtomicPasses: value } = countsOf(input, statementOf(call));
  const ideal = Math.ceil(value / (times ?? 2));
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - ideal / Math.max(1, value));
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal });
  const edits = summedFirst(view, found);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

interface RepeatedRow {
  readonly call: SyntaxNode;
  readonly pointer: SyntaxNode;
  readonly value: SyntaxNode;
  /** The address of one row. */
  readonly row: string;
  /** The axis along which all elements have the same place. */
  readonly summed: TileAxis;
}

/** An addition of a tile whose addresses differ along one of its axes alone. */
function repeatedRow(view: TritonView, call: SyntaxNode): RepeatedRow | undefined {
  const [pointer, value] = positional(call);
  const address = pointer && tileSum(view, pointer, "+");
  if (pointer === undefined || value === undefined || !address?.isSpread) return undefined;
  const axes = axesIn(address.parts);
  const [kept] = axes;
  if (kept === undefined || axes.size > 1) return undefined;
  const row = address.parts.map(({ flat }) => flat).join(" + ");
  return { call, pointer, value, row, summed: kept === 0 ? 1 : 0 };
}

function axesIn(parts: readonly TilePart[]): ReadonlySet<TileAxis> {
  return new Set(parts.flatMap(({ axes }) => [...axes]));
}

function summedFirst(
  view: TritonView,
  { call, pointer, value, row, summed }: RepeatedRow,
): readonly TextEdit[] | RuleHold {
  if (call.parent?.type !== "expression_statement")
    return not("dependence", "what the atomic returns is used", call);
  if (axesOf(view, value)?.size !== 2)
    return not("no-rewrite", "what is added is not seen to be a tile", value);
  const mask = maskOf(view, call);
  const conditions = mask === undefined ? [] : tileSum(view, mask, "&")?.parts;
  if (conditions === undefined || conditions.some(({ axes }) => axes.size > 1))
    return not("no-rewrite", "the mask is no condition of each axis by itself", mask ?? call);
  const module = fieldText(call.childForFieldName("function"), "object");
  const dot = module === "" ? "" : `${module}.`;
  const isMasked = conditions.some(({ axes }) => axes.has(summed));
  const text = collapse(value.text);
  const elements = mask && isMasked ? `${dot}where(${mask.text}, ${text}, 0)` : text;
  const kept = conditions.filter(({ axes }) => !axes.has(summed)).map(({ flat }) => flat);
  return [
    replaceNode(pointer, row),
    replaceNode(value, `${dot}sum(${elements}, axis=${summed})`),
    ...(mask === undefined ? [] : maskEdits(mask, kept)),
  ];
}

/** The mask of one row; none where no condition is left. */
function maskEdits(mask: SyntaxNode, kept: readonly string[]): readonly TextEdit[] {
  const [only, ...more] = kept;
  if (only !== undefined)
    return [replaceNode(mask, more.length === 0 ? only : kept.map((each) => `(${each})`).join(" & "))];
  const argument = mask.parent?.type === "keyword_argument" ? mask.parent : mask;
  const before = argument.previousNamedSibling;
  return before === null ? [] : [{ start: before.endIndex, end: argument.endIndex, text: "" }];
}

/** Elements of a tile along an axis, where its only blocks there have one length that the launch says. */
function extentOf(view: TritonView, axis: TileAxis): number | undefined {
  const blocks = view.body
    .descendantsOfType("subscript")
    .filter((node) => axesOf(view, node)?.has(axis) === true)
    .flatMap((node) => node.childForFieldName("value") ?? [])
    .map((block) => onlyAssignment(view.body, block.text)?.childForFieldName("right") ?? block);
  const aranges = blocks.flatMap((block) =>
    [block, ...block.descendantsOfType("call")].filter((node) => isCallOf(view, node, "arange")),
  );
  const lengths = new Set(aranges.map((call) => positional(call)[1]?.text ?? ""));
  const [length] = lengths;
  if (length === undefined || lengths.size > 1) return undefined;
  return /^\d+$/.test(length) ? Number(length) : launchConstant(view, length)?.value;
}

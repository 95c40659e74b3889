import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  constantEdits,
  gridFollows,
  isCallOf,
  languageCalls,
  launchConstant,
  positional,
  servesLaunchOnly,
  statementOf,
  tritonKernel,
  type TritonView,
  walkIn,
} from "../kernel";
import { warpsEdit } from "../fewer-warps";
import { addressTerms } from "./address";
import { dependencesOf } from "./dependence";
import { neighbourAxis } from "./neighbours";
import { severalEdits, type SingleIndex, singleIndex } from "./programs";

/**
 * A program that works down one column becomes one that works down several neighbouring columns, so that what
 * it moves at once lies side by side.
 */
export const columnsEach = defineRule("triton-columns-each", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const worst = worstColumn(input, view);
  if (worst === undefined) return not("no-pattern", "no program works down a column", view.line);
  const { at, value, ideal, counter } = worst;
  if (wasteOf(value, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "accesses move the sectors that they need", at);
  const { totals } = input.counters;
  const moved = totals.globalLoadSectors + totals.globalStoreSectors;
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(value - ideal, moved));
  const evidence = evidenceFor(entry, { file: input.file, line: lineOf(at), counter, value, ideal });
  const single = singleIndex(view, worst.axis);
  if (isNot(single)) return { ...single, sentence: `${evidence.sentence}; ${single.sentence}`, gain };
  const [few, many] = [threshold(entry, "few"), threshold(entry, "many")];
  const atOnce = moreAtOnce(single, threshold(entry, "elements") / few, threshold(entry, "warps"));
  const tried = [
    ...(atOnce.length === 0 ? [] : [{ columns: few, more: atOnce }]),
    { columns: few, more: [] },
    { columns: many, more: [] },
  ];
  return tried.map(({ columns, more: own }): RuleAnswer => {
    const more = own.length > 0 ? own : fewerAtOnce(single, threshold(entry, "elements") / columns);
    const edits = severalEdits(single, { name: "COLUMNS", each: String(columns), first: false, more });
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const hypothesis = fillSentence(entry.hypothesis, { columns });
    return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
  });
});

/**
 * More warps for the tile, and a block of more rows where it is short, so that a program waits less often:
 * fewer programs are left to wait beside it. None where the grid follows the block.
 */
function moreAtOnce({ view, lanes }: SingleIndex, rows: number, warps: number): readonly TextEdit[] {
  const constant = lanes && launchConstant(view, lanes.text);
  if (!lanes || !constant || gridFollows(view, lanes.text, constant.local)) return [];
  const { local, value } = constant;
  const isFree = local === undefined || servesLaunchOnly(view, local);
  const longer = isFree && value < rows ? constantEdits(constant, rows) : [];
  const more = warpsEdit(view, warps);
  return [...longer, ...(isNot(more) ? [] : [more])];
}

/** A block of fewer rows where the tile would hold more elements than a program keeps in registers. */
function fewerAtOnce({ view, lanes }: SingleIndex, rows: number): readonly TextEdit[] {
  const constant = lanes && launchConstant(view, lanes.text);
  if (!lanes || !constant || constant.value <= rows) return [];
  const { local } = constant;
  const walks = walkIn(view, lanes.text) !== undefined || gridFollows(view, lanes.text, local);
  const isFree = local === undefined || servesLaunchOnly(view, local);
  return walks && isFree ? constantEdits(constant, rows) : [];
}

/** The access down a column that wastes most. */
function worstColumn(input: RuleInput, view: TritonView) {
  const accesses = (["load", "store"] as const).flatMap((which) =>
    languageCalls(view, [which]).flatMap((at) => {
      const axis = columnAxis(view, at);
      if (axis === undefined) return [];
      const counts = countsOf(input, statementOf(at));
      const counter = which === "load" ? ("globalLoadSectors" as const) : ("globalStoreSectors" as const);
      return [{ at, axis, counter, value: counts[counter], ideal: counts[`${counter}Ideal`] }];
    }),
  );
  const [worst] = accesses.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  return worst;
}

/**
 * The axis of the grid whose neighbouring programs touch neighbouring elements, where the address also has
 * blocks that are no plain lanes.
 */
export function columnAxis(view: TritonView, access: SyntaxNode): number | undefined {
  const [address] = positional(access);
  const terms = address === undefined ? [] : addressTerms(view, address);
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  if (!terms.some((term) => of(term).lanes) || terms.some((term) => isLanes(view, term))) return undefined;
  return neighbourAxis(view, terms);
}

/** `tl.arange(…)`, or that less something: lanes side by side. */
function isLanes(view: TritonView, term: SyntaxNode): boolean {
  const less = term.type === "binary_operator" && term.childForFieldName("operator")?.text === "-";
  const left = less ? term.childForFieldName("left") : null;
  if (left !== null) return addressTerms(view, left).some((part) => isLanes(view, part));
  return isCallOf(view, term, "arange");
}

import { lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, targetGpu } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { isCallOf, languageCalls, maskOf, positional, tritonKernel, type TritonView } from "../kernel";
import { multiprocessorsText } from "../multiprocessors";
import { dependencesOf } from "../spread/dependence";
import { extentsOfGrid, isAxis, parameterEdit } from "../spread/programs";
import { aloneEdits, aloneText } from "./alone";
import { type Repeat, repeatedBody } from "./repeated-body";

/**
 * Programs that each add to the same places, one row after the other: fewer programs take several rows in
 * turn, sum in registers, and add once.
 */
export const rowsInTurn = defineRule("triton-rows-in-turn", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = [0, 1, 2].map((axis) => sharedPlaces(view, axis)).find(({ calls }) => calls.length > 0);
  const [call] = found?.calls ?? [];
  if (found === undefined || call === undefined)
    return not("no-pattern", "no places are the same for several programs", view.line);
  return rowsAnswers(input, entry, { view, ...found, call });
});

interface SharedPlaces {
  readonly axis: number;
  /** Additions whose places do not depend on the program's number along the axis. */
  readonly calls: readonly SyntaxNode[];
}

/** Additions of the kernel's own level to places that all programs along the axis share. */
function sharedPlaces(view: TritonView, axis: number): SharedPlaces {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "program_id") ? { programs: isAxis(node, axis), lanes: false } : undefined,
  );
  const calls = languageCalls(view, ["atomic_add"]).filter((call) => {
    const statement = call.parent;
    const [address, value] = positional(call);
    const mask = maskOf(view, call);
    const own = statement?.type === "expression_statement" && statement.parent?.id === view.body.id;
    const place = [address, mask].flatMap((node) => node ?? []);
    return own && value !== undefined && of(value).programs && place.every((node) => !of(node).programs);
  });
  return { axis, calls };
}

interface Found extends SharedPlaces {
  readonly view: TritonView;
  readonly call: SyntaxNode;
}

function rowsAnswers(
  input: RuleInput,
  entry: RuleEntry,
  { view, axis, calls, call }: Found,
): RuleAnswer | readonly RuleAnswer[] {
  const { multiprocessors } = targetGpu(input);
  const programs = programsOf(input);
  const few = threshold(entry, "few") * multiprocessors;
  if (programs === undefined || programs < threshold(entry, "ratio") * few)
    return not("no-evidence", "few programs add to the same places", call);
  const value = calls.reduce((sum, each) => sum + countsOf(input, each).globalAtomicPasses, 0);
  const ideal = Math.ceil((value * few) / programs);
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal }, { programs });
  const gain = gainOn(input, ["atomics", "latency", "l2"], shareSaved(value - ideal, value));
  const alone = aloneEdits(view, { axis, calls }, (found) => turnEdits(view, found));
  const propose = { kind: "proposal" as const, evidence, gain, isAlternative: true };
  const own: readonly RuleAnswer[] = isNot(alone)
    ? []
    : [{ ...propose, tree: editedTree(input, alone), hypothesis: aloneText }];
  const others = [threshold(entry, "many"), threshold(entry, "few")].map((each): RuleAnswer => {
    const asked = multiprocessorsText(view, multiprocessors);
    const edits = turnEdits(view, { axis, calls, most: each === 1 ? asked : `${each} * ${asked}` });
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const hypothesis = fillSentence(entry.hypothesis, { each });
    return { ...propose, tree: editedTree(input, edits), hypothesis };
  });
  return [...own, ...others];
}

/** Programs of the kernel's launches at the sizes of the counters. */
function programsOf({ launches, facts }: RuleInput): number | undefined {
  const blocks = launches?.map((launch) => launch.blocks) ?? [];
  return blocks.length === 0 || facts.length > 1 ? undefined : Math.max(...blocks);
}

interface Turns extends SharedPlaces {
  /** True where one program takes all turns. */
  readonly alone?: boolean;
  /** How many programs are left, at most, in the host's words. */
  readonly most: string;
}

function turnEdits(
  view: TritonView,
  { axis, calls, most, alone = false }: Turns,
): readonly TextEdit[] | RuleHold {
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const extent = grid.extents[axis];
  const last = partsOf(view.launch.call.childForFieldName("arguments")).at(-1);
  if (extent === undefined || last === undefined)
    return not("launch", "the grid is no tuple that the host writes", view.launch.call);
  if (grid.chosen.some((name) => usesOf(extent, name).length > 0))
    return not("launch", "the grid counts blocks that the launch chooses", extent);
  const count = freshName(view.source, "n_turns");
  const declared = parameterEdit(view, count);
  if (isNot(declared)) return declared;
  const repeat: Repeat = { view, axis, calls, count, indent: indentOf(view.source, firstOf(view)), alone };
  const body = repeatedBody(repeat);
  if (isNot(body)) return body;
  return [
    declared,
    replaceNode(extent, alone ? "1" : `min(${extent.text}, ${shareOf(grid.extents, extent, most)})`),
    { start: last.endIndex, end: last.endIndex, text: `, ${count}=${extent.text}` },
    { start: view.body.startIndex, end: view.body.endIndex, text: body },
  ];
}

/** Of so many programs those along one axis, in the host's words: others are left to the other axes. */
function shareOf(extents: readonly SyntaxNode[], own: SyntaxNode, most: string): string {
  const others = extents.filter(({ id, text }) => id !== own.id && text !== "1");
  const product = others.map(({ text }) => (/^[\w.]+$/.test(text) ? text : `(${text})`)).join(" * ");
  return others.length === 0 ? most : `max(1, ${most} // (${product}))`;
}

/** The first statement of the kernel. */
function firstOf({ body }: TritonView): SyntaxNode {
  return partsOf(body)[0] ?? body;
}

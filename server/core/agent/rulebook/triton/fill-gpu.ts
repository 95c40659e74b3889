import { isInside, lineOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../edits";
import { evidenceFor, targetGpu } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { type GridWalks, gridWalks } from "./grid-walks";
import { multiprocessorsText } from "./multiprocessors";
import { languageCalls, onlyAssignment, tritonKernel, type TritonView } from "./kernel";
import { extentsOfGrid } from "./spread/programs";

/** A grid of a few programs, whatever the sizes: enough of them for every multiprocessor. */
export const fillGpuWithPrograms = defineRule("triton-fill-gpu", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const { call } = view.launch;
  const parts = extentsOf(view);
  const product = parts.reduce((all, { text }) => all * Number(text), 1);
  const isNumber = parts.length > 0 && Number.isInteger(product);
  const walks = isNumber ? undefined : gridWalks(view);
  const value = isNumber ? product : programsOf(input);
  const most = targetGpu(input).multiprocessors;
  if (value === undefined || (!isNumber && walks === undefined))
    return not("no-pattern", "the grid follows from the sizes", call);
  if (value >= most) return not("no-evidence", `${value} programs give every multiprocessor one`, call);
  const gain = 1 - value / most;
  const facts = { file: input.file, line: lineOf(call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: most });
  const hypothesis = fillSentence(entry.hypothesis, {});
  const counts = [threshold(entry, "programsEach"), threshold(entry, "programsMany")];
  return (walks === undefined ? counts.slice(0, 1) : counts).map((each): RuleAnswer => {
    const wanted = { each, multiprocessors: most };
    const edits = walks === undefined ? morePrograms(view, parts, wanted) : freePrograms(view, walks, wanted);
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const tree = editedTree(input, edits);
    return { kind: "proposal", tree, hypothesis, evidence, gain, isAlternative: walks !== undefined };
  });
});

/** Programs of the kernel's launches at the sizes of the counters. */
function programsOf({ launches, facts }: RuleInput): number | undefined {
  const blocks = launches?.map((launch) => launch.blocks) ?? [];
  return blocks.length === 0 || facts.length > 1 ? undefined : Math.max(...blocks);
}

/** As many programs as there are turns, or as fill the GPU. */
function freePrograms(
  view: TritonView,
  { turns }: GridWalks,
  { each, multiprocessors }: Wanted,
): readonly TextEdit[] | RuleHold {
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const [extent, ...others] = grid.extents;
  if (extent === undefined || others.some(({ text }) => text !== "1"))
    return not("launch", "the grid has more than one dimension", view.launch.call);
  const most = `${each} * ${multiprocessorsText(view, multiprocessors)}`;
  return [replaceNode(extent, turns === undefined ? most : `max(1, min(${turns}, ${most}))`)];
}

/** The numbers of the grid, where all of its extents are numbers, directly or through names. */
function extentsOf(view: TritonView): readonly SyntaxNode[] {
  const grid = view.launch.grid && followed(view, view.launch.grid);
  const parts = grid?.type === "tuple" ? grid.namedChildren.map((part) => followed(view, part)) : [];
  return parts.every(({ type }) => type === "integer") ? parts : [];
}

function followed({ host, model }: TritonView, node: SyntaxNode): SyntaxNode {
  if (node.type !== "identifier") return node;
  const assignment = onlyAssignment(host, node.text) ?? onlyAssignment(model.root, node.text);
  return assignment?.childForFieldName("right") ?? node;
}

interface Wanted {
  /** Programs for each multiprocessor. */
  readonly each: number;
  /** Of the GPU that was judged for. */
  readonly multiprocessors: number;
}

function morePrograms(
  view: TritonView,
  [extent, ...others]: readonly SyntaxNode[],
  { each, multiprocessors }: Wanted,
): readonly TextEdit[] | RuleHold {
  const { launch, host, body } = view;
  if (extent === undefined || others.some(({ text }) => text !== "1"))
    return not("launch", "the grid has more than one dimension", launch.call);
  const counted = languageCalls(view, ["num_programs"]).length > 0;
  const walks = body.descendantsOfType(["for_statement", "while_statement"]).length > 0;
  const named =
    extent.parent?.type === "assignment" ? extent.parent.childForFieldName("left")?.text : undefined;
  const passed = named !== undefined && usesOf(launch.call, named).some((use) => !inGrid(view, use));
  if (!walks || !(counted || passed))
    return not("no-rewrite", "no loop of the kernel walks over the grid", launch.call);
  const literal = !counted || named !== undefined ? undefined : otherLiteral(host, extent);
  if (literal !== undefined)
    return not("fixed-elsewhere", `the number ${extent.text} stands in the function as well`, literal);
  // A number of the file is there before any GPU is.
  const asked = isInside(extent, host) ? multiprocessorsText(view, multiprocessors) : String(multiprocessors);
  const programs = /^\d+$/.test(asked) ? String(each * multiprocessors) : `${each} * ${asked}`;
  return [replaceNode(extent, programs)];
}

function inGrid({ launch }: TritonView, use: SyntaxNode): boolean {
  return launch.grid !== undefined && isInside(use, launch.grid);
}

/** The same number elsewhere in the launching function: an array of that many partial results. */
function otherLiteral(host: SyntaxNode, extent: SyntaxNode): SyntaxNode | undefined {
  return host.descendantsOfType("integer").find(({ id, text }) => id !== extent.id && text === extent.text);
}

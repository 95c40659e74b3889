import { compact, fieldText, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, outdented, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { launchValue, positional, tritonKernel, type TritonView } from "../kernel";
import { isSteadyLength } from "../passes/fuse-row-passes";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid } from "../spread/programs";

/** Axes that a grid of Triton has at most. */
const axesMost = 3;

/** A few programs that do one independent piece of work after the other: each gets a program of its own. */
export const turnsInGrid = defineRule("triton-turns-in-grid", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const blocks = input.launches?.map((launch) => launch.blocks) ?? [];
  const programs = Math.max(0, ...blocks);
  const most = targetGpu(input).multiprocessors;
  if (programs === 0 || programs >= most)
    return not("no-evidence", "every multiprocessor has a program", view.launch.call);
  const loop = partsOf(view.body).find(({ type }) => type === "for_statement");
  if (loop === undefined) return not("no-pattern", "the kernel has no loop to share", view.line);
  const gain = 1 - programs / most;
  const facts = { file: input.file, line: lineOf(loop), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: programs, ideal: most });
  const edits = gridEdits(view, loop);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

function gridEdits(view: TritonView, loop: SyntaxNode): readonly TextEdit[] | RuleHold {
  const { source } = view;
  const [variable, body] = [loop.childForFieldName("left"), loop.childForFieldName("body")];
  const [first] = body?.namedChildren ?? [];
  const turns = turnsOf(view, loop);
  const held = dependenceOf(view, loop);
  if (held !== undefined) return held;
  if (variable?.type !== "identifier" || !body || first === undefined || turns === undefined)
    return not("no-pattern", "how many turns the loop takes is no size of the launch", loop);
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const { extents } = grid;
  const last = extents.at(-1);
  if (last === undefined || extents.length >= axesMost)
    return not("launch", "the grid has no axis left", view.launch.call);
  const axis = `${variable.text} = ${libraryOf(view)}program_id(${extents.length})`;
  const outer = indentOf(source, loop);
  const columns = indentOf(source, first).length - outer.length;
  return [
    { start: loop.startIndex, end: first.startIndex, text: `${axis}\n${outer}` },
    ...outdented(source, { start: first.startIndex, end: loop.endIndex }, columns),
    replaceNode(last, `${last.text}, ${turns}`),
  ];
}

/** What the host passes for the end of `range(end)`, where the loop takes every number below it. */
function turnsOf(view: TritonView, loop: SyntaxNode): string | undefined {
  const range = loop.childForFieldName("right");
  const isRange = /^(?:\w+\.)?range$/.test(compact(range?.childForFieldName("function")));
  const given = range && isRange ? positional(range) : [];
  const [end] = given.length === 2 && given[0]?.text === "0" ? given.slice(1) : given;
  if (end?.type !== "identifier" || given.length > 2) return undefined;
  const passed = launchValue(view, end.text);
  return passed !== undefined && isInside(passed, view.launch.call) && isSteadyLength(passed)
    ? passed.text
    : undefined;
}

/** What a turn leaves to a later one, or to what comes behind the loop. */
function dependenceOf({ body }: TritonView, loop: SyntaxNode): RuleHold | undefined {
  const behind = partsOf(body).find(({ startIndex }) => startIndex > loop.endIndex);
  if (behind !== undefined) return not("dependence", "more is done behind the loop", behind);
  const [leaving] = loop.descendantsOfType(["break_statement", "continue_statement", "return_statement"]);
  if (leaving !== undefined) return not("dependence", "a turn may leave the loop", leaving);
  const acts = loop.descendantsOfType(["assignment", "augmented_assignment"]);
  const carried = acts.find((act) => isCarried(loop, act));
  return carried && not("dependence", `${fieldText(carried, "left")} is carried from turn to turn`, carried);
}

/** True for a change of a name that a turn has not given a value before. */
function isCarried(loop: SyntaxNode, act: SyntaxNode): boolean {
  const names = act.childForFieldName("left")?.descendantsOfType("identifier") ?? [];
  return names.some(({ text }) => {
    const [use] = usesOf(loop.childForFieldName("body") ?? loop, text);
    const given = use?.parent;
    const isGiven = given?.type === "assignment" && given.childForFieldName("left")?.id === use?.id;
    return !isGiven || usesOf(given.childForFieldName("right") ?? given, text).length > 0;
  });
}

import { enclosing, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  languageCalls,
  launchValue,
  maskOf,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { addressTerms } from "../spread/address";
import { isSteady, neededStatements } from "./steady";

/** Loads in front of a loop what each of its turns loads again from the same place. */
export const loadBeforeLoop = defineRule("triton-load-before-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const loads = languageCalls(view, ["load"]).filter((load) => isRepeated(view, load));
  const [load] = loads;
  if (load === undefined) return not("no-pattern", "no loop loads the same again and again", view.line);
  const value = loads.reduce((sum, each) => sum + countsOf(input, statementOf(each)).globalLoadRequests, 0);
  const share = shareSaved(value, input.counters.totals.globalLoadRequests);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "what is loaded again is a small part of all", load);
  const gain = gainOn(input, ["l2", "l1", "issue", "latency"], share);
  const facts = { file: input.file, line: lineOf(load), counter: "globalLoadRequests" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: 0 });
  const edits = movedEdits(view, loads);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** `w = tl.load(…)` in a loop, where nothing in it changes from turn to turn. */
function isRepeated(view: TritonView, load: SyntaxNode): boolean {
  const loop = enclosing(load, "for_statement", "while_statement");
  const statement = statementOf(load);
  return loop !== undefined && isSteady(view, loop, statement);
}

function movedEdits(view: TritonView, loads: readonly SyntaxNode[]): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  for (const load of loads) {
    const loop = enclosing(load, "for_statement", "while_statement");
    if (loop === undefined) continue;
    const aliased = aliasOf(view, load);
    if (aliased !== undefined) return aliased;
    if (maskOf(view, load) === undefined && !runsAlways(view, loop))
      return not("dependence", "the loop may run no turn, and the load has no mask", load);
    const needed = neededStatements(view, loop, statementOf(load)).filter(
      (statement) => !edits.some(({ end }) => end === statement.endIndex),
    );
    const indent = indentOf(view.source, loop);
    const text = needed.map((statement) => `${statement.text}\n${indent}`).join("");
    edits.push({ start: loop.startIndex, end: loop.startIndex, text });
    edits.push(...needed.map((statement) => lineTaken(view, statement)));
  }
  return edits;
}

function lineTaken({ source }: TritonView, statement: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", statement.startIndex), end: statement.endIndex, text: "" };
}

/** `for i in range(ROWS)` over a constant. */
function runsAlways(view: TritonView, loop: SyntaxNode): boolean {
  const range = loop.childForFieldName("right");
  const [count, ...others] = range?.type === "call" ? positional(range) : [];
  const constant = view.parameters.some(({ name, constexpr }) => constexpr && name === count?.text);
  return others.length === 0 && (constant || count?.type === "integer");
}

/** What is stored might be what is loaded, unless the host has made the tensor for this launch. */
function aliasOf(view: TritonView, load: SyntaxNode): RuleHold | undefined {
  const [address] = positional(load);
  const terms = address === undefined ? [] : addressTerms(view, address).map(({ text }) => text);
  const loaded = view.parameters.find(({ name, pointer }) => pointer && terms.includes(name));
  if (loaded === undefined || !loaded.readOnly)
    return not("aliasing", "the kernel stores to what it loads in the loop", load);
  const stored = view.parameters.filter(({ pointer, readOnly }) => pointer && !readOnly);
  const shared = stored.find(({ name }) => !isMade(view, name));
  return shared && not("aliasing", `${shared.name} is no tensor that the host has just made`, load);
}

/** `y = torch.empty_like(x)`: nothing else lies there. */
function isMade(view: TritonView, parameter: string): boolean {
  const passed = launchValue(view, parameter);
  const made = passed?.type === "identifier" ? onlyAssignment(view.host, passed.text) : undefined;
  const value = made?.childForFieldName("right");
  const callee = value?.childForFieldName("function")?.text ?? "";
  return (
    !!value && isInside(value, view.host) && /\.(new_)?(empty|zeros|ones|full)(_like|_strided)?$/.test(callee)
  );
}

import { enclosing, isInside, lineOf, partsOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, indentOf, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleHold } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import {
  isCallOf,
  languageCalls,
  launchValue,
  maskOf,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";
import { addressTerms } from "./spread/address";

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

/** An assignment of the loop's own level to a name of its own, of names that the loop leaves alone. */
function isSteady(view: TritonView, loop: SyntaxNode, statement: SyntaxNode, depth = 0): boolean {
  const [assignment] = partsOf(statement);
  const name = assignment?.type === "assignment" ? assignment.childForFieldName("left") : undefined;
  const value = assignment?.childForFieldName("right");
  if (name?.type !== "identifier" || !value || depth > 8) return false;
  if (statement.parent?.id !== loop.childForFieldName("body")?.id) return false;
  if (onlyAssignment(view.body, name.text) === undefined) return false;
  const writes = value
    .descendantsOfType("call")
    .some((call) => isCallOf(view, call, "store") || /atomic_/.test(call.text));
  return !writes && namesOf(value).every((used) => isKept(view, loop, used, depth));
}

function namesOf(node: SyntaxNode): readonly string[] {
  return [...new Set(node.descendantsOfType("identifier").map(({ text }) => text))];
}

/** True for a name that is the same in each turn: it is given elsewhere, or here from what is. */
function isKept(view: TritonView, loop: SyntaxNode, name: string, depth: number): boolean {
  const given = givenIn(loop, name);
  const [act] = given;
  if (act === undefined) return true;
  const statement = act.parent;
  return (
    given.length === 1 &&
    act.type === "assignment" &&
    statement !== null &&
    isSteady(view, loop, statement, depth + 1)
  );
}

function givenIn(loop: SyntaxNode, name: string): readonly SyntaxNode[] {
  return [loop, ...loop.descendantsOfType(["assignment", "augmented_assignment", "for_statement"])].filter(
    (act) => {
      const left = act.childForFieldName("left");
      return left !== null && usesOf(left, name).length > 0;
    },
  );
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

/** The statements of the loop that a load is made of, itself last. */
function neededStatements(view: TritonView, loop: SyntaxNode, statement: SyntaxNode): readonly SyntaxNode[] {
  const names = namesOf(partsOf(statement)[0]?.childForFieldName("right") ?? statement);
  const before = names.flatMap((name) => {
    const [act] = givenIn(loop, name);
    return act?.parent ? neededStatements(view, loop, act.parent) : [];
  });
  const all = [...before, statement];
  return all.filter(({ id }, place) => all.findIndex((other) => other.id === id) === place);
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

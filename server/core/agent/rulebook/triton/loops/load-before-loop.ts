import { enclosing, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
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
import { isKept, isSteady, namesOf, neededStatements } from "./steady";

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

/** A load in every turn of a loop, where nothing in it changes from turn to turn. */
function isRepeated(view: TritonView, load: SyntaxNode): boolean {
  const loop = enclosing(load, "for_statement", "while_statement");
  const statement = statementOf(load);
  if (loop === undefined) return false;
  return isSteady(view, loop, statement) || isSteadyPart(view, loop, load);
}

/** `v * tl.load(…)`: the load is the same in each turn, and what is made with it is not. */
function isSteadyPart(view: TritonView, loop: SyntaxNode, load: SyntaxNode): boolean {
  const own = statementOf(load).parent?.id === loop.childForFieldName("body")?.id;
  const always = enclosing(load, "conditional_expression", "lambda") === undefined;
  return own && always && namesOf(load).every((name) => isKept(view, loop, name, 0));
}

function movedEdits(view: TritonView, loads: readonly SyntaxNode[]): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const names: string[] = [];
  for (const load of loads) {
    const loop = enclosing(load, "for_statement", "while_statement");
    if (loop === undefined) continue;
    const aliased = aliasOf(view, load);
    if (aliased !== undefined) return aliased;
    const masked = maskText(view, loop, load);
    if (masked === undefined)
      return not("dependence", "the loop may run no turn, and the load has no mask", load);
    const statement = statementOf(load);
    const whole = isSteady(view, loop, statement);
    const needed = neededFor(view, loop, whole ? statement : load).filter(
      ({ endIndex }) => !edits.some(({ end }) => end === endIndex),
    );
    const indent = indentOf(view.source, loop);
    const lines = needed.map((each) =>
      isInside(load, each) ? textWith(view, each, load, masked) : each.text,
    );
    if (!whole) {
      const name = freshName(`${view.source} ${names.join(" ")}`, "steady");
      names.push(name);
      lines.push(`${name} = ${textWith(view, load, load, masked)}`);
      edits.push(replaceNode(load, name));
    }
    const text = lines.map((line) => `${line}\n${indent}`).join("");
    edits.push({ start: loop.startIndex, end: loop.startIndex, text });
    edits.push(...needed.map((each) => lineTaken(view, each)));
  }
  return edits;
}

/** The statements of the loop that a statement needs, itself last; of a part only what it needs. */
function neededFor(view: TritonView, loop: SyntaxNode, node: SyntaxNode): readonly SyntaxNode[] {
  const all = neededStatements(view, loop, node);
  return node.type === "call" ? all.slice(0, -1) : all;
}

/**
 * What has to stand behind a load's arguments so that it loads nothing where the loop runs no turn; undefined
 * where that cannot be told.
 */
function maskText(view: TritonView, loop: SyntaxNode, load: SyntaxNode): string | undefined {
  if (maskOf(view, load) !== undefined || runsAlways(view, loop)) return "";
  const range = loop.childForFieldName("right");
  const given = range?.type === "call" ? positional(range) : [];
  const [first, second] = given;
  const end = given.length > 1 && first?.text === "0" ? second : first;
  if (end === undefined || (given.length > 1 && first?.text !== "0")) return undefined;
  return end.type === "identifier" ? `, mask=${end.text} > 0` : undefined;
}

/** The text of a node with something behind the arguments of the load in it. */
function textWith({ source }: TritonView, node: SyntaxNode, load: SyntaxNode, more: string): string {
  const { endIndex } = positional(load).at(-1) ?? load;
  const range = { start: node.startIndex, end: node.endIndex };
  return editedText(source, range, more === "" ? [] : [{ start: endIndex, end: endIndex, text: more }]);
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

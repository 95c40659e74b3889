import { collapse, lineOf, operands, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { DataType } from "../../../../workload/spec";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { loadedType } from "../argument-types";
import {
  isCallOf,
  keyword,
  languageCalls,
  maskOf,
  onlyAssignment,
  positional,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { multipliesTf32, threeProducts } from "./float-tensor-dot";
import { holdOfSides } from "./tile-sides";
import { outerIn, type Outer, type Side } from "./outer-product";
import { type Dependences, dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";

/**
 * A product of matrices that adds one outer product in each turn takes a block of them at once, by `tl.dot`.
 */
export const dotForOuter = defineRule("triton-dot-for-outer", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const loops = view.body.descendantsOfType("for_statement");
  const [outer] = loops.flatMap((loop) => outerIn(view, loop) ?? []);
  if (outer === undefined)
    return not("no-pattern", "no loop adds the product of a column and a row", view.line);
  const { loop, left, right } = outer;
  const { instructions: value } = countsOf(input, loop);
  const share = shareSaved(value, input.counters.totals.instructions);
  const gain = gainOn(input, ["issue", "fp32", "latency", "l1"], share);
  const facts = { file: input.file, line: lineOf(outer.add), counter: "instructions" as const };
  const evidence = evidenceFor(entry, {
    ...facts,
    value,
    ideal: Math.ceil(value / threshold(entry, "depth")),
  });
  const types = [left, right].map(({ load }) => loadedType(input, view, load));
  const [type] = types;
  const option = optionFor(input, type);
  if (type === undefined || option === undefined || types[1] !== type)
    return {
      ...not("type", `${evidence.sentence}; the operands are not both of one type that these multiply`, loop),
      gain,
    };
  const held = holdOfSides(view, loop);
  if (held !== undefined) return { ...held, sentence: `${evidence.sentence}; ${held.sentence}`, gain };
  const edits = dotEdits(view, outer, { depth: threshold(entry, "depth"), option });
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, { type });
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** What `tl.dot` is told for operands of a type; undefined where the tensor cores do not multiply them. */
function optionFor(input: RuleInput, type: DataType | undefined): string | undefined {
  if (type === "float16" || type === "bfloat16") return "";
  return type === "float32" && multipliesTf32(input) ? threeProducts : undefined;
}

interface Naming {
  readonly view: TritonView;
  readonly outer: Outer;
  readonly lanes: Dependences;
  /** The block of turns. */
  readonly turns: string;
}

function dotEdits(
  view: TritonView,
  outer: Outer,
  { depth, option }: { readonly depth: number; readonly option: string },
): readonly TextEdit[] | RuleHold {
  const { loop, variable, end, add, left, right, walks } = outer;
  const library = libraryOf(view);
  const turns = freshName(view.source, `${wordOf(variable)}_block`);
  const start = freshName(view.source, `${wordOf(variable)}_start`);
  const lanes = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const naming = { view, outer, lanes, turns };
  const [heads, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  const [first] = partsOf(loop.childForFieldName("body"));
  const stray = walks.find(({ name }) => ![left, right].some(({ load }) => addressName(load) === name));
  if (stray !== undefined)
    return not("dependence", `${stray.name} is carried from turn to turn`, stray.statement);
  const [rows, columns] = [loadText(naming, left, true), loadText(naming, right, false)];
  if (!heads || !range || first === undefined || rows === undefined || columns === undefined)
    return not("no-rewrite", "an operand is not loaded by plain lanes", loop);
  const indent = indentOf(view.source, first);
  const callee = range.childForFieldName("function")?.text ?? "range";
  const opening = `${turns} = ${start} + ${library}arange(0, ${depth})\n${indent}`;
  const narrowed = ({ act, name }: Side, text: string): TextEdit => replaceNode(act, `${name} = ${text}`);
  const product = `${library}dot(${left.name}, ${right.name}${option})`;
  const term = operands(add, "+").find((each) => /None/.test(each.text)) ?? add;
  return [
    replaceNode(heads, start),
    replaceNode(range, `${callee}(0, ${collapse(end.text)}, ${depth})`),
    { start: first.startIndex, end: first.startIndex, text: opening },
    narrowed(left, rows),
    narrowed(right, columns),
    replaceNode(term, product),
    ...walks.map(({ statement, step }) => {
      const by = partsOf(statement)[0]?.childForFieldName("right") ?? step;
      return replaceNode(by, `${factorOf(step)} * ${depth}`);
    }),
  ];
}

/** The name of an address that is one. */
function addressName(load: SyntaxNode): string | undefined {
  const [address] = positional(load);
  return address?.type === "identifier" ? address.text : undefined;
}

/** A load of one operand for a block of turns, as a tile. */
function loadText(naming: Naming, { load }: Side, isLeft: boolean): string | undefined {
  const { view, outer, turns } = naming;
  const [address] = positional(load);
  const mask = maskOf(view, load);
  const across = isLeft ? "[None, :]" : "[:, None]";
  const where = address && tileText(naming, address, isLeft);
  const held = mask === undefined ? undefined : tileText(naming, mask, isLeft);
  if (where === undefined || (mask !== undefined && held === undefined)) return undefined;
  const step = outer.walks.find(({ name }) => name === addressName(load))?.step;
  const moved =
    step === undefined ? "" : ` + (${turns} - ${turnsStart(naming)})${across} * ${factorOf(step)}`;
  const inside = `(${turns}${across} < ${collapse(outer.end.text)})`;
  const masked = held === undefined ? inside : `(${held}) & ${inside}`;
  const cache = keyword(load, "eviction_policy");
  const option = cache === undefined ? "" : `, eviction_policy=${cache.text}`;
  return `${libraryOf(view)}load(${where}${moved}, mask=${masked}, other=0.0${option})`;
}

/** The loop's variable, or a name for one that is not used. */
function wordOf(variable: string): string {
  return /^_+$/.test(variable) ? "k" : variable;
}

/** In brackets where it is more than a name. */
function factorOf(step: SyntaxNode): string {
  return step.type === "identifier" ? step.text : `(${collapse(step.text)})`;
}

function turnsStart({ view, outer }: Naming): string {
  return freshName(view.source, `${wordOf(outer.variable)}_start`);
}

/** An expression with lanes along one side of the tile and turns along the other. */
function tileText(
  { view, outer, lanes, turns }: Naming,
  node: SyntaxNode,
  isLeft: boolean,
): string | undefined {
  const [own, across] = isLeft ? ["[:, None]", "[None, :]"] : ["[None, :]", "[:, None]"];
  if (node.descendantsOfType("subscript").length > 0) return undefined;
  const edits: TextEdit[] = [];
  const ranges = languageCalls(view, ["arange"], node);
  for (const call of ranges) edits.push({ start: call.endIndex, end: call.endIndex, text: own });
  for (const name of node.descendantsOfType("identifier")) {
    if (ranges.some((call) => name.startIndex >= call.startIndex && name.endIndex <= call.endIndex)) continue;
    if (name.parent?.type === "attribute" || name.parent?.type === "keyword_argument") continue;
    const local = onlyAssignment(outer.loop, name.text);
    if (local !== undefined && name.text !== outer.variable) return undefined;
    if (name.text === outer.variable) edits.push(replaceNode(name, `${turns}${across}`));
    else if (lanes(name).lanes) edits.push(replaceNode(name, `${name.text}${own}`));
  }
  return collapse(editedText(view.source, { start: node.startIndex, end: node.endIndex }, edits));
}

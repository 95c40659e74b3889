import { compact, enclosing, fieldText, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { type RangeLoop, rangeLoops } from "../masks/limits";
import { languageCalls, positional, tritonKernel, type TritonView } from "../kernel";
import { addressTerms } from "../spread/address";
import { isMemberName } from "../fusing/renaming";

/**
 * Carries from turn to turn what each turn makes anew of all turns before it, as the sum of all blocks in
 * front of a block: the last one of them is all that is new.
 */
export const carryPrefix = defineRule("triton-carry-prefix", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const loops = rangeLoops(view);
  const [prefix] = loops.flatMap((inner) => prefixOf(loops, inner) ?? []);
  if (prefix === undefined) return not("no-pattern", "no turn begins with all turns before it", view.line);
  const { inner, outer } = prefix;
  const value = instructionsIn(input, inner.loop);
  const share = shareSaved(value, input.counters.totals.instructions) * threshold(entry, "saved");
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "the turns before take few instructions", inner.loop);
  const gain = gainOn(input, ["issue", "dram", "l2", "l1", "fp32", "latency"], share);
  const blanks = { outer: lineOf(outer.loop) };
  const facts = { file: input.file, line: lineOf(inner.loop), counter: "instructions" as const };
  const ideal = Math.round(value * (1 - threshold(entry, "saved")));
  const evidence = evidenceFor(entry, { ...facts, value, ideal }, blanks);
  const edits = carriedEdits(view, prefix);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, blanks);
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** A loop over all turns before that of the loop around it. */
interface Prefix {
  readonly inner: RangeLoop;
  readonly outer: RangeLoop;
  /** The number of the inner loop's last turn. */
  readonly last: string;
}

/** Instructions on the lines of a loop. */
function instructionsIn({ counters, file }: RuleInput, loop: SyntaxNode): number {
  const [first, last] = [loop.startPosition.row + 1, loop.endPosition.row + 1];
  const own = counters.lines.filter((each) => each.file === file && each.line >= first && each.line <= last);
  return own.reduce((sum, { instructions }) => sum + instructions, 0);
}

function prefixOf(loops: readonly RangeLoop[], inner: RangeLoop): Prefix | undefined {
  const around = enclosing(inner.loop, "for_statement", "while_statement");
  const outer = loops.find(({ loop }) => loop.id === around?.id);
  if (outer === undefined || inner.loop.parent?.id !== outer.body.id) return undefined;
  if ([inner, outer].some(({ start }) => start !== undefined && start.text !== "0")) return undefined;
  const last = lastTurn(inner, outer);
  return last === undefined ? undefined : { inner, outer, last };
}

/** `i - 1` for `range(i)`, `start - BLOCK` for `range(0, start, BLOCK)`, `(i - 1) * BLOCK` for a product. */
function lastTurn(inner: RangeLoop, outer: RangeLoop): string | undefined {
  const [step, every] = [inner.step?.text ?? "1", outer.step?.text ?? "1"];
  const end = compact(inner.end);
  if (end === outer.variable && step === every) return `${outer.variable} - ${step}`;
  const products = [`${outer.variable}*${step}`, `${step}*${outer.variable}`];
  return every === "1" && products.includes(end) ? `(${outer.variable} - 1) * ${step}` : undefined;
}

function carriedEdits(view: TritonView, prefix: Prefix): readonly TextEdit[] | RuleHold {
  const { inner, outer, last } = prefix;
  const { source } = view;
  const statements = partsOf(inner.body);
  const [first] = statements;
  const carried = carriedNames(statements);
  const [name, ...others] = carried;
  if (first === undefined || name === undefined || others.length > 0)
    return not("no-rewrite", "the loop makes more than one value", inner.loop);
  const begin = beginOf(prefix, name);
  if (begin === undefined) return not("dependence", `${name} does not begin anew in each turn`, inner.loop);
  const held = heldIn(view, prefix, name);
  if (held !== undefined) return held;
  const indent = indentOf(source, first);
  const line = source.lastIndexOf("\n", begin.startIndex) + 1;
  const behind = source.indexOf("\n", begin.endIndex) + 1;
  return [
    {
      start: outer.loop.startIndex,
      end: outer.loop.startIndex,
      text: `${begin.text}\n${indentOf(source, outer.loop)}`,
    },
    { start: line, end: behind, text: "" },
    {
      start: inner.loop.startIndex,
      end: first.startIndex,
      text: `if ${outer.variable} > 0:\n${indent}${inner.variable} = ${last}\n${indent}`,
    },
  ];
}

/** Names that a turn reads before it gives them a value. */
function carriedNames(statements: readonly SyntaxNode[]): readonly string[] {
  const acts = statements.flatMap((statement) => partsOf(statement));
  const given = new Set<string>();
  const carried = new Set<string>();
  const targets = new Set(acts.map((act) => fieldText(act, "left")));
  for (const act of acts) {
    const right = act.childForFieldName("right");
    const read = right === null ? [] : namesRead(right);
    const own = fieldText(act, "left");
    const all = act.type === "augmented_assignment" ? [...read, own] : read;
    for (const each of all) if (targets.has(each) && !given.has(each)) carried.add(each);
    given.add(own);
  }
  return [...carried];
}

/** Names but those of members and of keyword arguments. */
function namesRead(node: SyntaxNode): readonly string[] {
  const names = node.descendantsOfType("identifier").filter((each) => !isMemberName(each));
  return [...new Set(names.map(({ text }) => text))];
}

/** The statement that gives the name the same value in front of the inner loop in each turn. */
function beginOf({ inner, outer }: Prefix, name: string): SyntaxNode | undefined {
  const own = partsOf(outer.body).filter((part) => usesOf(part, name).length > 0);
  const [begin, next] = own;
  const act = partsOf(begin)[0];
  const right = act?.type === "assignment" ? act.childForFieldName("right") : null;
  if (!begin || !right || fieldText(act, "left") !== name || next?.id !== inner.loop.id) return undefined;
  const changed = new Set([outer.variable, ...givenIn(outer.body)]);
  const written = own.slice(2).some((part) => givenIn(part).includes(name));
  return written || namesRead(right).some((each) => changed.has(each)) ? undefined : begin;
}

function givenIn(node: SyntaxNode): readonly string[] {
  return node
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .map(({ text }) => text);
}

/** What a turn of the inner loop may see of the turn around it, or leave for others. */
function heldIn(view: TritonView, { inner, outer }: Prefix, name: string): RuleHold | undefined {
  const statements = partsOf(inner.body);
  const odd = statements.find((statement) => {
    const act = partsOf(statement)[0];
    const isPlain = act?.type === "assignment" || act?.type === "augmented_assignment";
    return !isPlain || act.childForFieldName("left")?.type !== "identifier";
  });
  if (odd !== undefined) return not("no-rewrite", "the loop does more than work out a value", odd);
  const own = new Set([name, inner.variable, ...givenIn(inner.body)]);
  const changed = new Set([outer.variable, ...givenIn(outer.body)]);
  const seen = namesRead(inner.body).find((each) => changed.has(each) && !own.has(each));
  if (seen !== undefined) return not("dependence", `${seen} is another one in each turn`, inner.loop);
  const written = languageCalls(view, ["store"], inner.body)[0];
  const load = languageCalls(view, ["load"], inner.body).find((each) => !isReadOnly(view, each));
  if (written !== undefined || load !== undefined)
    return not("aliasing", "the kernel may store to what the loop loads", written ?? load ?? inner.loop);
  return undefined;
}

function isReadOnly(view: TritonView, load: SyntaxNode): boolean {
  const [address] = positional(load);
  const terms = address === undefined ? [] : addressTerms(view, address).map(({ text }) => text);
  const known = view.parameters.filter(({ name, pointer }) => pointer && terms.includes(name));
  return known.length === 1 && known.every(({ readOnly }) => readOnly);
}

import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { localTypes } from "../spelling/calls/objects";
import { addedTerm, factorsOf, type Factor, withoutFactors } from "./factors";

const LOOPS = ["for_statement", "while_statement", "do_statement"];

/** A sum whose terms all have factors that no turn of its loop changes. */
interface Scaled {
  readonly name: string;
  readonly loop: SyntaxNode;
  readonly terms: readonly SyntaxNode[];
  /** Factors that each term has, in the order of the first. */
  readonly shared: readonly Factor[];
  /** The same in each of the terms. */
  readonly all: readonly Factor[];
  /** Instructions that a turn saves for each term, about. */
  readonly saved: number;
}

/**
 * Multiplies and divides a sum once behind its loop by what no turn of the loop changes. Compilers may not do
 * so, as the result is rounded otherwise.
 */
export const factorBehindLoop = defineRule("cuda-factor-behind-loop", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = scaledSums(view, threshold(entry, "division"));
  if (found.length === 0)
    return not("no-pattern", "no sum is multiplied in each turn with what no turn changes", view.line);
  return found.map((scaled) => (isNot(scaled) ? scaled : answer(input, entry, { view, scaled })));
});

interface Found {
  readonly view: KernelView;
  readonly scaled: Scaled;
}

function answer(input: RuleInput, entry: RuleEntry, { view, scaled }: Found): RuleAnswer {
  const { terms, shared, saved, loop, name } = scaled;
  const [first] = terms;
  if (first === undefined || saved <= 0)
    return not("no-evidence", `the factors of ${name} cost no instruction of their own`, loop);
  const statements = terms.map((term) => enclosing(term, "expression_statement") ?? term);
  const value = statements.reduce((sum, each) => sum + countsOf(input, each).instructions, 0);
  const least = saved / (saved + threshold(entry, "beside"));
  const share = shareSaved(value * least, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", `the factors of ${name} are a small part of all`, first);
  const edits = movedBehind(view, scaled);
  if (isNot(edits)) return edits;
  const blanks = { factors: shared.map(({ text }) => text).join(", "), sum: name };
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.round(value * (1 - least)) }, blanks),
    gain: gainOn(input, ["issue", "fp32", "fp64", "latency"], share),
  };
}

/** Sums that loops make, each in the outermost loop that its factors leave alone. */
function scaledSums(view: KernelView, division: number): readonly (Scaled | RuleHold)[] {
  const types = localTypes(view);
  const targets = new Map<string, SyntaxNode[]>();
  for (const { act, target } of changes(view.body)) {
    if (enclosing(act, ...LOOPS) === undefined || typeOf(types, target) === undefined) continue;
    const name = compact(target);
    targets.set(name, [...(targets.get(name) ?? []), act]);
  }
  return [...targets].flatMap(([name, acts]) => scaledSum(view, { name, acts, division }) ?? []);
}

const scalars = /^(?:float|double)$/;
const vectors = /^(float|double)[234]$/;

/** The type of a variable, or of a member of a vector. */
function typeOf(types: ReadonlyMap<string, string>, target: SyntaxNode): string | undefined {
  if (target.type === "identifier") {
    const type = types.get(target.text) ?? "";
    return scalars.test(type) ? type : undefined;
  }
  const object = target.type === "field_expression" ? target.childForFieldName("argument") : null;
  return object?.type === "identifier" ? vectors.exec(types.get(object.text) ?? "")?.[1] : undefined;
}

interface Changed {
  readonly name: string;
  readonly acts: readonly SyntaxNode[];
  readonly division: number;
}

function scaledSum(view: KernelView, { name, acts, division }: Changed): Scaled | RuleHold | undefined {
  const [base = name] = name.split(".");
  let found: Scaled | undefined;
  let held: RuleHold | undefined;
  let loop = enclosing(acts[0] ?? view.body, ...LOOPS);
  for (; loop !== undefined && isInside(loop, view.body); loop = enclosing(loop, ...LOOPS)) {
    const around = loop;
    const inside = acts.filter((act) => isInside(act, around));
    const terms = inside.map((act) => addedTerm(act, name));
    const factors = terms.map((term) => (term === undefined ? [] : factorsOf(view, around, term)));
    const shared = sharedFactors(factors);
    if (shared.length === 0 || declares(around, base)) break;
    const used = usesOf(around, name).length;
    const own = inside.reduce((count, act) => count + usesOf(act, name).length, 0);
    if (used > own) {
      held ??= not("dependence", `${name} is looked at inside the loop`, around);
      break;
    }
    const all = factors.flatMap((each) => chosen(each, shared));
    const saved = Math.min(...factors.map((each) => savedEach(each, chosen(each, shared), division)));
    found = { name, loop: around, terms: terms.flatMap((term) => term ?? []), shared, all, saved };
  }
  return found ?? held;
}

function declares(node: SyntaxNode, name: string): boolean {
  return node
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .some((each) => each.descendantsOfType("identifier")[0]?.text === name);
}

/** Steady factors that every term has. */
function sharedFactors(terms: readonly (readonly Factor[])[]): readonly Factor[] {
  const [first = [], ...others] = terms.map((factors) => factors.filter(({ steady }) => steady));
  const kept = others.reduce<readonly Factor[]>((rest, factors) => chosen(rest, factors), first);
  const left = terms.every((factors) => factors.some(({ steady }) => !steady));
  return left ? kept : [];
}

/** Of some factors those that others say, each as often as they say it. */
function chosen(factors: readonly Factor[], wanted: readonly Factor[]): readonly Factor[] {
  const open = wanted.map(({ text, divides }) => `${text} ${divides}`);
  return factors.filter(({ text, divides, steady }) => {
    const place = steady ? open.indexOf(`${text} ${divides}`) : -1;
    if (place >= 0) open.splice(place, 1);
    return place >= 0;
  });
}

/** Instructions of a term that go: of the products one is part of the addition, those in front are one. */
function savedEach(factors: readonly Factor[], gone: readonly Factor[], division: number): number {
  const products = (all: readonly Factor[]): number => {
    const multiplied = all.filter(({ divides }) => !divides);
    const ahead = multiplied.findIndex(({ steady }) => !steady);
    return Math.max(1, multiplied.length - Math.max(1, ahead));
  };
  const divided = gone.filter(({ divides }) => divides).length;
  const left = factors.filter((factor) => !gone.includes(factor));
  return products(factors) - products(left) + division * divided;
}

function movedBehind(view: KernelView, scaled: Scaled): readonly TextEdit[] | RuleHold {
  const { loop, name, all, shared } = scaled;
  const { source } = view;
  if (loop.parent?.type !== "compound_statement")
    return not("dependence", "the loop is no statement of a block", loop);
  const loads = shared.find(({ node }) => node.descendantsOfType("subscript_expression").length > 0);
  if (loads !== undefined) return not("dependence", `${loads.text} may be read by no turn`, loads.node);
  const places = [...new Map(all.map(({ whole }) => [whole.id, whole])).values()];
  const gone = new Set(all.map(({ node }) => node.id));
  const edits = places.map((whole) => replaceNode(whole, withoutFactors(whole, gone) ?? "1.0f"));
  const indent = indentOf(source, loop);
  const factors = shared.map(({ text, divides }) => ` ${divides ? "/" : "*"} ${text}`).join("");
  const behind = (text: string): TextEdit => ({
    ...{ start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${text}` },
  });
  if (beginsAtZero(view, scaled)) return [...edits, behind(`${name} = ${name}${factors};`)];
  const type = view.body
    .descendantsOfType(["identifier", "field_expression"])
    .filter((node) => compact(node) === name)
    .map((node) => typeOf(localTypes(view), node))
    .find((each) => each !== undefined);
  const part = freshName(source, `${name.replace(".", "_")}Part`);
  const uses = usesOf(loop, name).filter((use) => !places.some((whole) => isInside(use, whole)));
  const unroll = loop.previousNamedSibling;
  const first = unroll !== null && unroll.text.startsWith("#") ? unroll : loop;
  return [
    insertBefore(first, `${type} ${part} = 0;\n${indent}`),
    ...uses.map((use) => replaceNode(use, part)),
    ...edits,
    behind(`${name} += ${part}${factors};`),
  ];
}

/** True where a sum is nothing in front of its loop: it is declared so in the same block. */
function beginsAtZero({ body }: KernelView, { name, loop }: Scaled): boolean {
  for (let at = loop.previousNamedSibling; at !== null; at = at.previousNamedSibling) {
    const declared =
      at.type === "declaration" &&
      at.childrenForFieldName("declarator").find((each) => fieldText(each, "declarator") === name);
    if (declared) {
      const value = compact(declared.childForFieldName("value"));
      return isInside(loop, body) && /^(?:0|0?\.0*|0\.0*)[fF]?$|^\{\}$/.test(value);
    }
    if (usesOf(at, name).length > 0) return false;
  }
  return false;
}

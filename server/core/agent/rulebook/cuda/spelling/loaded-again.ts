import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { coefficient, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, isInside, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import { formIn, type KernelView } from "../kernel";
import { type Spelling, taken } from "./spelling";

/**
 * `int at = first[i]; for (; …; ++i) { int next = first[i + 1]; … at … at = next; }` with `first[i]` for
 * `at`: each turn then loads what it needs, and needs no other turn. So, too, for what is made of an element
 * alone, as in `float before = logf(price[0])`.
 */
export const loadedAgain: Spelling = (view) => {
  for (const loop of countedLoops(view.body)) {
    const byOne = loop.step.operator === "+" && loop.step.amount === undefined;
    if (!byOne) continue;
    for (const statement of statementsOf(loop.body)) {
      const kept = keptElement(view, loop, statement);
      if (kept === undefined) continue;
      const { local, uses, element } = kept;
      return [taken(local.declaration), taken(statement), ...uses.map((use) => replaceNode(use, element))];
    }
  }
  return undefined;
};

interface Kept {
  readonly local: LocalValue;
  readonly uses: readonly SyntaxNode[];
  /** What the variable is in each turn. */
  readonly element: string;
}

/** `at = next;` of a variable that begins with what the turn before the first would have loaded. */
function keptElement(view: KernelView, loop: CountedLoop, statement: SyntaxNode): Kept | undefined {
  const [left, right] = assignedIn(statement) ?? [];
  const local = localValues(view.body).find(({ name }) => name === left?.text);
  if (left === undefined || right === undefined || local === undefined) return undefined;
  const next = elementOf(view, nextOf(loop, right));
  const first = elementOf(view, local.value);
  if (next === undefined || next.made("") !== first?.made("")) return undefined;
  const each = coefficient(next.form, loop.variable);
  if (each === 0) return undefined;
  const uses = usesOf(view.body, local.name).filter(
    (use) => !isInside(use, local.declaration) && use.id !== left.id,
  );
  const before = uses.every((use) => isInside(use, loop.body) && use.endIndex <= statement.startIndex);
  const begins = sameForm(first.form, inFirstTurn(view, loop, next.form, each));
  return before && begins && isAlone(view, loop, local)
    ? { local, uses, element: next.made(`${next.index} - ${each}`) }
    : undefined;
}

/** Both sides of `name = value;`. */
function assignedIn(statement: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | undefined {
  const act = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
  const [left, right] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  const plain = act?.type === "assignment_expression" && fieldText(act, "operator") === "=";
  return plain && left?.type === "identifier" && right ? [left, right] : undefined;
}

/** True for a variable with a declaration of its own in front of the loop, which changes it once. */
function isAlone({ body }: KernelView, { loop }: CountedLoop, { name, declaration }: LocalValue): boolean {
  const changed = changes(body).filter(({ target }) => target.text === name);
  return (
    declaration.childrenForFieldName("declarator").length === 1 &&
    changed.length === 1 &&
    !isInside(declaration, loop)
  );
}

/** What a turn hands on: the value itself, or what a local of the loop holds. */
function nextOf({ body }: CountedLoop, value: SyntaxNode): SyntaxNode {
  const inner = unwrapped(value);
  const local = localValues(body).find(({ name }) => name === inner.text);
  const fixed = local && !changes(body).some(({ target }) => target.text === local.name);
  return fixed ? local.value : inner;
}

interface Element {
  /** The value made of the element at another index. */
  readonly made: (index: string) => string;
  readonly index: string;
  readonly form: Form;
}

/** An element of an array to which nothing is stored, or a value that is made of one and of nothing else. */
function elementOf(view: KernelView, value: SyntaxNode): Element | undefined {
  const inner = unwrapped(value);
  const own = inner.type === "subscript_expression" ? inner : onlySubscript(inner);
  const index = own && subscriptIndex(own);
  if (own === undefined || index === undefined) return undefined;
  const array = compact(own.childForFieldName("argument"));
  const known = view.kernel.facts.parameters.some(({ name, pointer }) => pointer && name === array);
  if (!known || cudaAccesses(view.kernel).stored.has(array)) return undefined;
  const [before, behind] = [
    view.source.slice(inner.startIndex, own.startIndex),
    view.source.slice(own.endIndex, inner.endIndex),
  ];
  const made = (text: string): string => collapse(`${before}${array}[${text}]${behind}`);
  return { made, index: collapse(index.text), form: formIn(view, index) };
}

/** Functions of one number, and casts: what they make of an element is the same in each turn. */
const functions = /^(?:(?:std::|__)?(?:log|exp|sqrt|abs|sin|cos|tanh)\w*|f?abs\w*|f?max\w*|f?min\w*|__ldg)$/;

/** The one element of a value in which there are otherwise numbers and functions of numbers alone. */
function onlySubscript(value: SyntaxNode): SyntaxNode | undefined {
  const [own, ...more] = value.descendantsOfType("subscript_expression");
  if (own === undefined || more.length > 0) return undefined;
  const outside = value
    .descendantsOfType(["identifier", "pointer_expression", "update_expression", "assignment_expression"])
    .filter((node) => !isInside(node, own));
  const isKnown = outside.every(({ type, text }) => type === "identifier" && functions.test(text));
  return isKnown ? own : undefined;
}

/** The index that the turn before the first would have had. */
function inFirstTurn(view: KernelView, { start, variable }: CountedLoop, form: Form, each: number): Form {
  const terms: Record<string, number> = Object.fromEntries([...form].filter(([key]) => key !== variable));
  for (const [key, factor] of formIn(view, start)) terms[key] = (terms[key] ?? 0) + factor * each;
  terms[""] = (terms[""] ?? 0) - each;
  return formFrom(Object.fromEntries(Object.entries(terms).filter(([, factor]) => factor !== 0)));
}

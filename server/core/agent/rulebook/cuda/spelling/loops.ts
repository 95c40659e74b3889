import { comparisonOf, countedLoops } from "../../../../language/cuda/body/loops";
import {
  changes,
  isAssigned,
  isPure,
  localValues,
  type LocalValue,
} from "../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  enclosing,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, replaceNode, type TextEdit } from "../../edits";
import { isBetween, type Spelling, staysSame, taken } from "./spelling";

/** `int i = 0; while (i < n) { …; i++; }` as a loop that says all of it in its head. */
export const countedWhile: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("while_statement")) {
    const condition = loop.childForFieldName("condition")?.childForFieldName("value");
    const inner = loop.childForFieldName("body");
    const last = partsOf(inner).at(-1);
    const step = last?.type === "expression_statement" ? last.namedChildren[0] : undefined;
    if (!condition || inner?.type !== "compound_statement" || last === undefined || step === undefined)
      continue;
    const name = steppedName(step);
    if (name === undefined || comparisonOf(condition, name) === undefined || skips(loop)) continue;
    if (changes(inner).some(({ act, target }) => target.text === name && act.id !== step.id)) continue;
    const start = startOf(body, loop, name);
    if (start === undefined) continue;
    const head = `for (${start.text} ${collapse(condition.text)}; ${collapse(step.text)}) `;
    return [
      taken(start.declaration),
      { start: loop.startIndex, end: inner.startIndex, text: head },
      taken(last),
    ];
  }
  return undefined;
};

/** `int i = tid; for (; i < n; i += step) …` with the declaration in the head. */
export const countedFor: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("for_statement")) {
    const condition = loop.childForFieldName("condition");
    const semicolon = loop.children.find(({ type }) => type === ";");
    const update = loop.childForFieldName("update");
    if (loop.childForFieldName("initializer") !== null || !condition || !update || !semicolon) continue;
    const name = steppedName(update);
    if (name === undefined || comparisonOf(condition, name) === undefined) continue;
    const start = startOf(body, loop, name);
    if (start === undefined) continue;
    return [
      taken(start.declaration),
      { start: semicolon.startIndex, end: semicolon.endIndex, text: start.text },
    ];
  }
  return undefined;
};

/** `for (…; s; …)` as `s != 0`, and `!=` of a loop that counts up from a number by one as `<`. */
export const plainCondition: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("for_statement")) {
    const condition = loop.childForFieldName("condition");
    if (condition?.type === "identifier") return [replaceNode(condition, `${condition.text} != 0`)];
  }
  for (const { start, step, comparison, condition, bound, body: inner, variable } of countedLoops(body)) {
    const sign = condition.childForFieldName("operator");
    const up = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
    const steady = isPure(bound) && !isAssigned(inner, variable) && usesOf(bound, variable).length === 0;
    if (comparison === "!=" && sign && up && steady && /^[01][uUlL]*$/.test(start.text))
      return [replaceNode(sign, "<")];
  }
  return undefined;
};

/** `for (int d = n - 1; d >= 0; --d) …` as `for (int dUp = 0; dUp < n; ++dUp) …` over `n - 1 - dUp`. */
export const countedUp: Spelling = ({ body, source }) => {
  for (const counted of countedLoops(body)) {
    const { loop, start, step, comparison, bound, body: inner, variable, type, update, condition } = counted;
    const byOne = step.operator === "-" && (step.amount === undefined || step.amount.text === "1");
    const signed = /^(?:int|long|long long|int(?:32|64)_t|ptrdiff_t)$/.test(type);
    const steady = [start, bound].every((end) => isPure(end) && staysSame(end, inner, () => false));
    if (!byOne || !signed || !steady || !/^>=?$/.test(comparison) || isAssigned(inner, variable)) continue;
    const [initializer, name] = [loop.childForFieldName("initializer"), freshName(source, `${variable}Up`)];
    if (initializer === null) continue;
    const [first, last] = [start, bound].map((end) => `(${collapse(end.text)})`);
    const zero = compact(bound) === "0" ? "" : ` - ${last}`;
    const count = comparison === ">" ? `${first}${zero}` : `${first}${zero} + 1`;
    return [
      replaceNode(initializer, `${type} ${name} = 0;`),
      replaceNode(condition, `${name} < ${count}`),
      replaceNode(update, `++${name}`),
      ...usesOf(inner, variable).map((use) => replaceNode(use, `(${first} - ${name})`)),
    ];
  }
  return undefined;
};

/** `i < a && i < b` in the head of a loop as `i < (a < b ? a : b)`, where the loop changes neither. */
export const boundsTogether: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("for_statement")) {
    const condition = loop.childForFieldName("condition");
    const update = loop.childForFieldName("update");
    const name = update === null ? undefined : steppedName(update);
    if (!condition || name === undefined) continue;
    const parts = operands(condition, "&&").map((part) => comparisonOf(part, name));
    const bounds = parts.flatMap((part) => (part?.comparison === "<" ? [part.bound] : []));
    const [first, second, ...more] = bounds;
    const inner = loop.childForFieldName("body");
    if (!first || !second || more.length > 0 || parts.length !== 2 || inner === null) continue;
    const steady = bounds.every((bound) => isPure(bound) && staysSame(bound, inner, () => false));
    if (!steady || usesIn(first, name) || usesIn(second, name)) continue;
    const [one, other] = [`(${collapse(first.text)})`, `(${collapse(second.text)})`];
    return [replaceNode(condition, `${name} < (${one} < ${other} ? ${one} : ${other})`)];
  }
  return undefined;
};

/** The variable that a step changes. */
function steppedName(step: SyntaxNode): string | undefined {
  const target = step.childForFieldName("left") ?? step.childForFieldName("argument");
  const changing = step.type === "update_expression" || step.type === "assignment_expression";
  const plain = step.childForFieldName("operator")?.text === "=";
  const own = plain && target !== null && !usesIn(step.childForFieldName("right"), target.text);
  return changing && target?.type === "identifier" && !own ? target.text : undefined;
}

function usesIn(node: SyntaxNode | null, name: string): boolean {
  return node !== null && usesOf(node, name).length > 0;
}

/** A `continue` of this very loop would pass over the step at its end. */
function skips(loop: SyntaxNode): boolean {
  return loop
    .descendantsOfType("continue_statement")
    .some((node) => enclosing(node, "for_statement", "while_statement", "do_statement")?.id === loop.id);
}

/** The declaration of a variable that serves one loop alone, and its text as the start of a loop's head. */
function startOf(
  body: SyntaxNode,
  loop: SyntaxNode,
  name: string,
): { readonly declaration: SyntaxNode; readonly text: string } | undefined {
  const found = localValues(body).filter((local) => local.name === name);
  const local = found.find(({ declaration }) => servesAlone(body, declaration, loop, name));
  if (local === undefined || !canMove(body, local, loop)) return undefined;
  const text = collapse(local.declaration.text).replace(/^const /, "");
  return { declaration: local.declaration, text };
}

function servesAlone(body: SyntaxNode, declaration: SyntaxNode, loop: SyntaxNode, name: string): boolean {
  const block = declaration.parent;
  if (block === null || block.type !== "compound_statement" || block.id !== loop.parent?.id) return false;
  if (declaration.childrenForFieldName("declarator").length !== 1) return false;
  if (declaration.startIndex > loop.startIndex) return false;
  return (
    usesOf(block, name).every(
      (use) =>
        isInside(use, declaration) || isInside(use, loop) || isElsewhere(use, block, declaration, loop),
    ) && usesOf(body, name).length > 1
  );
}

/** A use that means another variable of the same name: that of a loop's own head. */
function isElsewhere(use: SyntaxNode, block: SyntaxNode, declaration: SyntaxNode, loop: SyntaxNode): boolean {
  if (isBetween(use, declaration, loop)) return false;
  for (
    let around = enclosing(use, "for_statement");
    around !== undefined;
    around = enclosing(around, "for_statement")
  ) {
    if (!isInside(around, block)) return false;
    const head = around.childForFieldName("initializer");
    if (head?.type === "declaration" && localValues(head).some(({ name }) => name === use.text)) return true;
  }
  return false;
}

/** True when the start's value is the same at the loop as where it is declared. */
function canMove(body: SyntaxNode, { value, declaration }: LocalValue, loop: SyntaxNode): boolean {
  const loads = value.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
  if (!isPure(value) || loads || compact(unwrapped(value)) === "") return false;
  return staysSame(value, body, (act) => !isBetween(act, declaration, loop));
}

/** `do { … } while (false);` around all of a block as the block alone. */
export const onceUnwrapped: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("do_statement")) {
    const inner = loop.childForFieldName("body");
    const condition = loop.childForFieldName("condition");
    const alone = loop.parent?.type === "compound_statement" && partsOf(loop.parent).length === 1;
    const leaves = loop.descendantsOfType(["break_statement", "continue_statement"]).some((node) => {
      const around = enclosing(node, "do_statement", "while_statement", "for_statement", "switch_statement");
      return around?.id === loop.id;
    });
    if (inner?.type !== "compound_statement" || condition === null || !alone || leaves) continue;
    if (!/^(?:false|0)$/.test(compact(unwrapped(condition)))) continue;
    const [open, close] = [inner.children[0], inner.children.at(-1)];
    if (!open || !close) continue;
    return [blank(loop.startIndex, open.endIndex, loop), blank(close.startIndex, loop.endIndex, loop)];
  }
  return undefined;
};

/** Takes a range of a node's text away; its line breaks stay. */
function blank(start: number, end: number, { text, startIndex }: SyntaxNode): TextEdit {
  return { start, end, text: text.slice(start - startIndex, end - startIndex).replace(/[^\n]/g, "") };
}

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
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import { isBetween, type Spelling, staysSame, taken } from "./spelling";

/** `int i = 0; while (i < n) { …; i++; … }` as a loop that says all of it in its head. */
export const countedWhile: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("while_statement")) {
    const condition = loop.childForFieldName("condition")?.childForFieldName("value");
    const inner = loop.childForFieldName("body");
    if (!condition || inner?.type !== "compound_statement" || skips(loop)) continue;
    for (const { statement, step, name, later } of stepsOf(inner)) {
      if (comparisonOf(condition, name) === undefined) continue;
      const start = startOf(body, loop, name);
      if (start === undefined) continue;
      const head = `for (${start.text} ${collapse(condition.text)}; ${collapse(step.text)}) `;
      return [
        taken(start.declaration),
        { start: loop.startIndex, end: inner.startIndex, text: head },
        taken(statement),
        ...later,
      ];
    }
  }
  return undefined;
};

interface WhileStep {
  readonly statement: SyntaxNode;
  readonly step: SyntaxNode;
  readonly name: string;
  /** What the uses behind the step become, once it is done at the end. */
  readonly later: readonly TextEdit[];
}

/** Statements of a loop's body that alone step a variable. */
function stepsOf(inner: SyntaxNode): readonly WhileStep[] {
  const all = partsOf(inner);
  return all.flatMap((statement, place) => {
    const step = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const name = step && steppedName(step);
    if (step === undefined || name === undefined) return [];
    const others = changes(inner).some(({ act, target }) => target.text === name && act.id !== step.id);
    const uses = all.slice(place + 1).flatMap((node) => usesOf(node, name));
    const next = nextOf(step, name);
    if (others || (uses.length > 0 && next === undefined)) return [];
    const later = uses.map((use) => replaceNode(use, next ?? name));
    return [{ statement, step, name, later }];
  });
}

/** A variable's value behind a step by a number, in terms of that before it. */
function nextOf(step: SyntaxNode, name: string): string | undefined {
  if (step.type === "update_expression") return `(${name} ${step.text.includes("++") ? "+" : "-"} 1)`;
  const [operator, right] = [fieldText(step, "operator"), step.childForFieldName("right")];
  const known = right?.type === "number_literal" && /^[-+]=$/.test(operator);
  return known ? `(${name} ${operator.charAt(0)} ${right.text})` : undefined;
}

const wholeType = /^(?:(?:unsigned )?(?:int|long|long long)|unsigned|size_t|u?int(?:32|64)_t) /;

/**
 * `do { … } while (++i < n);` as a loop that says all of it in its head, with an end that lets it run once at
 * least.
 */
export const countedDo: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("do_statement")) {
    const inner = loop.childForFieldName("body");
    const counted = doCount(loop, inner);
    const start = counted && startOf(body, loop, counted.name);
    if (inner === null || counted === undefined || start === undefined) continue;
    const { name, bound, last } = counted;
    const first = compact(localValues(start.declaration)[0]?.value);
    if (!wholeType.test(start.text) || !/^\d+u?$/i.test(first)) continue;
    const least = `${Number.parseInt(first) + 1}`;
    const end = `((${collapse(bound.text)}) > ${least} ? (${collapse(bound.text)}) : ${least})`;
    const head = `for (${start.text} ${name} < ${end}; ++${name}) `;
    return [
      taken(start.declaration),
      { start: loop.startIndex, end: inner.startIndex, text: head },
      ...(last === undefined ? [] : [taken(last)]),
      { start: inner.endIndex, end: loop.endIndex, text: "" },
    ];
  }
  return undefined;
};

/** How a loop counts whose condition stands at its end. */
function doCount(loop: SyntaxNode, inner: SyntaxNode | null): DoCount | undefined {
  const written = loop.childForFieldName("condition");
  const condition = written && unwrapped(written);
  if (!condition || inner?.type !== "compound_statement" || skips(loop)) return undefined;
  const counted = stepInCondition(condition) ?? stepAtEnd(inner, condition);
  return counted && isOnlyStep(inner, counted) ? counted : undefined;
}

/** True where nothing else in a body changes the variable, or where it ends. */
function isOnlyStep(inner: SyntaxNode, { name, bound, last }: DoCount): boolean {
  const others = changes(inner).filter(
    ({ act, target }) => target.text === name && (last === undefined || !isInside(act, last)),
  );
  return others.length === 0 && isPure(bound) && staysSame(bound, inner, () => false);
}

interface DoCount {
  readonly name: string;
  readonly bound: SyntaxNode;
  /** The statement that steps; undefined where the condition does. */
  readonly last: SyntaxNode | undefined;
}

/** `++i < n`. */
function stepInCondition(condition: SyntaxNode): DoCount | undefined {
  const [left, bound] = [condition.childForFieldName("left"), condition.childForFieldName("right")];
  if (left?.type !== "update_expression" || !bound || fieldText(condition, "operator") !== "<")
    return undefined;
  const name = left.childForFieldName("argument");
  return left.text.startsWith("++") && name?.type === "identifier"
    ? { name: name.text, bound, last: undefined }
    : undefined;
}

/** `i++; } while (i < n)`. */
function stepAtEnd(inner: SyntaxNode, condition: SyntaxNode): DoCount | undefined {
  const last = partsOf(inner).at(-1);
  const step = last?.type === "expression_statement" ? last.namedChildren[0] : undefined;
  const name = step?.childForFieldName("argument")?.text;
  if (step?.type !== "update_expression" || !step.text.includes("++") || name === undefined) return undefined;
  const compared = comparisonOf(condition, name);
  return compared?.comparison === "<" ? { name, bound: compared.bound, last } : undefined;
}

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

/** `!threadIdx.x` as `threadIdx.x == 0`. */
export const plainZero: Spelling = ({ body }) => {
  for (const node of body.descendantsOfType("unary_expression")) {
    const number = /^!\s*\(?\s*(threadIdx\.[xyz])\s*\)?$/.exec(node.text)?.[1];
    if (number !== undefined) return [replaceNode(node, `(${number} == 0)`)];
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
    const toZero = /^(?:>|!=)$/.test(comparison) && compact(bound) === "0";
    const signed = toZero || /^(?:int|long|long long|int(?:32|64)_t|ptrdiff_t)$/.test(type);
    const steady = [start, bound].every((end) => isPure(end) && staysSame(end, inner, () => false));
    if (!byOne || !signed || !steady || isAssigned(inner, variable)) continue;
    if (!toZero && !/^>=?$/.test(comparison)) continue;
    const [initializer, name] = [loop.childForFieldName("initializer"), freshName(source, `${variable}Up`)];
    if (initializer === null) continue;
    const [first, last] = [start, bound].map((end) => `(${collapse(end.text)})`);
    const zero = compact(bound) === "0" ? "" : ` - ${last}`;
    const count = comparison !== ">=" ? `${first}${zero}` : `${first}${zero} + 1`;
    return [
      replaceNode(initializer, `${type} ${name} = 0;`),
      replaceNode(condition, `${name} < ${count}`),
      replaceNode(update, `++${name}`),
      ...usesOf(inner, variable).map((use) => replaceNode(use, `(${first} - ${name})`)),
    ];
  }
  return undefined;
};

/** `while (k--) …` as `for (int kUp = 0; kUp < k; ++kUp) …` over `k - 1 - kUp`. */
export const countedDown: Spelling = (view) => {
  const { body, source } = view;
  for (const loop of body.descendantsOfType("while_statement")) {
    const condition = loop.childForFieldName("condition")?.childForFieldName("value");
    const inner = loop.childForFieldName("body");
    const name = condition ? downIn(unwrapped(condition)) : undefined;
    if (inner === null || name === undefined || isAssigned(inner, name)) continue;
    const count = countOf(view, loop, name);
    if (count === undefined) continue;
    const up = freshName(source, `${name}Up`);
    return [
      ...(count.declaration === undefined ? [] : [taken(count.declaration)]),
      {
        ...{ start: loop.startIndex, end: inner.startIndex },
        text: `for (${count.type} ${up} = 0; ${up} < ${count.text}; ++${up}) `,
      },
      ...usesOf(inner, name).map((use) => replaceNode(use, `(${count.text} - 1 - ${up})`)),
    ];
  }
  return undefined;
};

/** The variable of `k--`, `k-- > 0`, `k-- != 0` and `--k >= 0`. */
function downIn(condition: SyntaxNode): string | undefined {
  const left = condition.type === "binary_expression" ? condition.childForFieldName("left") : condition;
  const right = compact(condition.childForFieldName("right"));
  const name = left?.childForFieldName("argument");
  if (left?.type !== "update_expression" || name?.type !== "identifier") return undefined;
  const sign = `${left.text.startsWith("--") ? "--k" : "k--"}${fieldText(condition, "operator")}${right}`;
  const plain = condition.id === left.id ? left.text.endsWith("--") : /^(?:k--(?:>|!=)0|--k>=0)$/.test(sign);
  return plain ? name.text : undefined;
}

interface Count {
  readonly type: string;
  readonly text: string;
  readonly declaration?: SyntaxNode;
}

/** How many turns a variable that counts down has: a local for this loop alone, or such a parameter. */
function countOf({ body, kernel }: KernelView, loop: SyntaxNode, name: string): Count | undefined {
  const integer = /^(?:const )?(?:unsigned|int|long|long long|unsigned int|size_t|u?int(?:32|64)_t)$/;
  const local = startOf(body, loop, name);
  if (local !== undefined) {
    const [known] = localValues(local.declaration);
    const type = collapse(fieldText(local.declaration, "type"));
    const steady = known !== undefined && staysSame(known.value, body, () => false);
    return integer.test(type) && steady
      ? { type, text: `(${collapse(known.value.text)})`, declaration: local.declaration }
      : undefined;
  }
  const parameter = kernel.facts.parameters.find((each) => each.name === name && !each.pointer);
  const alone = usesOf(body, name).every((use) => isInside(use, loop));
  const inLoop = enclosing(loop, "for_statement", "while_statement", "do_statement") !== undefined;
  return parameter !== undefined && alone && !inLoop && integer.test(parameter.type)
    ? { type: parameter.type.replace(/^const /, ""), text: name }
    : undefined;
}

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

import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { comparisonOf, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import {
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
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import { estimatedValue, type KernelView } from "../kernel";

const LOOPS = ["for_statement", "while_statement"];

/** A loop that walks along a list one by one, to an end that is known at run time alone. */
export interface WalkedLoop {
  readonly loop: SyntaxNode;
  /** The variable that walks. */
  readonly variable: string;
  /** What the loop's head does to it first: `int i = 7;`, or nothing. */
  readonly start: string;
  readonly condition: SyntaxNode | undefined;
  readonly body: SyntaxNode;
  /** The step, where it stands in the body. */
  readonly step: SyntaxNode | undefined;
  readonly isDown: boolean;
  /** The first and the last place of the list that a turn may have, as text and as a number. */
  readonly high: string;
  readonly low: number;
}

/**
 * The loop in which an index walks along an array. A guard's answer where the loop cannot be written with a
 * constant count; undefined where no loop walks so.
 */
export function walkedLoop(
  view: KernelView,
  array: KernelArray,
  index: SyntaxNode,
): WalkedLoop | RuleHold | undefined {
  for (let loop = enclosing(index, ...LOOPS); loop !== undefined; loop = enclosing(loop, ...LOOPS)) {
    if (!isInside(loop, view.body)) return undefined;
    const head = headOf(loop);
    if (head === undefined || offsetOf(view, index, head.variable) === undefined) continue;
    const held = heldBack(loop, head);
    return held ?? withPlaces(view, array, { loop, ...head });
  }
  return undefined;
}

type Head = Omit<WalkedLoop, "loop" | "high" | "low">;

/** What a loop's head or its last statement says of the variable that it moves by one. */
function headOf(loop: SyntaxNode): Head | undefined {
  const body = loop.childForFieldName("body");
  const condition = loop.childForFieldName("condition");
  if (body === null || condition === null) return undefined;
  const asked = condition.childForFieldName("value") ?? condition;
  if (loop.type === "while_statement") {
    const last = statementsOf(body).at(-1);
    const step = last && stepIn(partsOf(last)[0]);
    return step && { ...step, start: "", condition: asked, body, step: last };
  }
  const step = stepIn(loop.childForFieldName("update") ?? undefined);
  const start = loop.childForFieldName("initializer")?.text.replace(/;?\s*$/, "") ?? "";
  return step && { ...step, start: start === "" ? "" : `${start};`, condition: asked, body, step: undefined };
}

function stepIn(node: SyntaxNode | undefined): Pick<Head, "variable" | "isDown"> | undefined {
  const target = node?.childForFieldName("argument") ?? node?.childForFieldName("left");
  if (node === undefined || target?.type !== "identifier") return undefined;
  const operator = fieldText(node, "operator");
  const isOne =
    node.type === "update_expression" || (/^[-+]=$/.test(operator) && fieldText(node, "right") === "1");
  return isOne ? { variable: target.text, isDown: operator.startsWith("-") } : undefined;
}

/** `c` of `i + c`; undefined for an index that is no place near the variable. */
function offsetOf(view: KernelView, index: SyntaxNode, variable: string): number | undefined {
  const inner = unwrapped(index);
  if (compact(inner) === variable) return 0;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const operator = fieldText(inner, "operator");
  if (inner.type !== "binary_expression" || left === null || right === null) return undefined;
  if (operator === "+" && compact(right) === variable) return estimatedValue(view, left);
  const added = compact(left) === variable ? estimatedValue(view, right) : undefined;
  if (added === undefined || !/^[-+]$/.test(operator)) return undefined;
  return operator === "+" ? added : -added;
}

function heldBack(loop: SyntaxNode, { variable, condition, body, step }: Head): RuleHold | undefined {
  if (condition !== undefined && !isPure(condition))
    return not("dependence", "what ends the loop is no plain condition", condition);
  const update = step ?? loop.childForFieldName("update");
  const changed = changes(loop).find(
    ({ act, target }) =>
      target.text === variable && !(update !== null && isInside(act, update)) && isInside(act, body),
  );
  if (changed !== undefined) return not("dependence", `${variable} changes in the loop`, changed.act);
  const [leaves] = body.descendantsOfType(["continue_statement", "goto_statement", ...LOOPS, "do_statement"]);
  if (leaves !== undefined)
    return not("no-rewrite", "the loop that moves elements has another loop or a jump in it", leaves);
  return undefined;
}

/** The places that the accesses of the loop leave its variable: it is used outside of the list otherwise. */
function withPlaces(
  view: KernelView,
  array: KernelArray,
  { loop, ...head }: Head & { readonly loop: SyntaxNode },
): WalkedLoop | RuleHold {
  const { variable, condition } = head;
  const [size] = array.sizes;
  const offsets = array.accesses
    .filter(({ node }) => isInside(node, loop) && isSure(node, head.body))
    .flatMap(({ indices: [index] }) => (index && offsetOf(view, index, variable)) ?? []);
  if (size === undefined || offsets.length === 0)
    return not("limit", `the places that ${variable} walks along are not known`, loop);
  const number = estimatedValue(view, size);
  const compared = condition === undefined ? [] : operands(condition, "&&");
  const limits = compared.flatMap((part) => limitOf(view, part, variable) ?? []);
  const low = Math.max(...offsets.map((offset) => -offset), ...limits.flatMap(({ least }) => least ?? []));
  const below = Math.max(...offsets);
  if (number === undefined) return not("limit", `the length of ${array.name} is not known`, loop);
  const ends = limits.flatMap(({ most: end }) => end ?? []);
  const high = Math.min(number - 1 - below, ...ends);
  const isFixed = view.scope.value(size) !== undefined;
  const text = isFixed || ends.includes(high) ? String(high) : `${size.text} - ${1 + below}`;
  return { loop, ...head, low, high: text };
}

/** False for an access that a turn of the loop may leave out. */
function isSure(node: SyntaxNode, body: SyntaxNode): boolean {
  const inBody = isInside(node, body);
  for (let at = node.parent; at !== null && !LOOPS.includes(at.type); at = at.parent) {
    const operator = fieldText(at, "operator");
    if (operator === "||" || (operator === "&&" && inBody)) return false;
    if (/^(?:if_statement|conditional_expression|switch_statement)$/.test(at.type)) return false;
  }
  return true;
}

/** The least or the greatest value with which a part of the condition lets a turn begin. */
function limitOf(
  view: KernelView,
  part: SyntaxNode,
  variable: string,
): { readonly least?: number; readonly most?: number } | undefined {
  const compared = comparisonOf(part, variable);
  const bound = compared && view.scope.value(compared.bound);
  if (compared === undefined || bound === undefined) return undefined;
  switch (compared.comparison) {
    case ">":
      return { least: bound + 1 };
    case ">=":
      return { least: bound };
    case "<":
      return { most: bound - 1 };
    case "<=":
      return { most: bound };
    default:
      return undefined;
  }
}

/** The text of a part of the loop with another name for its variable. */
export function textWith({ source }: KernelView, node: SyntaxNode, variable: string, name: string): string {
  const range = { start: node.startIndex, end: node.endIndex };
  return editedText(
    source,
    range,
    usesOf(node, variable).map((use) => replaceNode(use, name)),
  );
}

/** What a turn does, without its step, for another name of its variable. */
export function movedLines(
  view: KernelView,
  { body, step, variable }: WalkedLoop,
  name: string,
): readonly string[] {
  return statementsOf(body)
    .filter((statement) => statement.id !== step?.id)
    .map((node) => textWith(view, node, variable, name));
}

/** Where a loop begins together with the hint above it. */
export function wholeLoop(loop: SyntaxNode): number {
  const hint = loop.previousNamedSibling;
  return hint !== null && /^#\s*pragma\b/.test(hint.text) ? hint.startIndex : loop.startIndex;
}

/**
 * The loop with a constant count: each of its turns asks whether the variable is there, and moves it on. An
 * early end leaves the variable where it is, so that no further turn is its.
 */
export function walkedEdit(view: KernelView, walked: WalkedLoop): TextEdit {
  const { loop, variable, start, condition, isDown, high, low } = walked;
  const { source } = view;
  const place = freshName(source, "place");
  const indent = indentOf(source, loop);
  const asked = condition === undefined ? "" : ` && (${textWith(view, condition, variable, place)})`;
  const [from, to, turn] = isDown
    ? [high, `${place} >= ${low}`, `--${place}`]
    : [String(low), `${place} <= ${high}`, `++${place}`];
  const lines = [
    "{",
    ...(start === "" ? [] : [`  ${start}`]),
    "  #pragma unroll",
    `  for (int ${place} = ${from}; ${to}; ${turn})`,
    `    if (${place} == ${variable}${asked}) {`,
    ...movedLines(view, walked, place).map((line) => `      ${line}`),
    `      ${variable} = ${place} ${isDown ? "-" : "+"} 1;`,
    "    }",
    "}",
  ];
  return { start: wholeLoop(loop), end: loop.endIndex, text: lines.join(`\n${indent}`) };
}

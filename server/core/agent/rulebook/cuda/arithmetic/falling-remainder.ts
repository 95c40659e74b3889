import { coefficient, type Form, formOf } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { isFormOfSizes, typeOf, unsignedIn } from "./sign";

/** A remainder in a loop, whose dividend has a form. */
interface Remainder {
  readonly loop: CountedLoop;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

const long = /long|64|size_t|ptrdiff_t/;

/** True for a dividend that is less by one in each turn: `i - k` while k grows, `i + k` while it falls. */
export function fallsByOne(form: Form, { variable, step, comparison }: CountedLoop): boolean {
  const ends = step.operator === "+" ? ["<", "<="] : [">", ">="];
  if (!ends.includes(comparison)) return false;
  const byOne = step.amount === undefined || step.amount.text === "1";
  return byOne && coefficient(form, variable) === (step.operator === "-" ? 1 : -1);
}

/**
 * What keeps a falling remainder from being carried: a counter that is unsigned, but shorter than the
 * dividend, would hide that the remainder is below zero.
 */
export function hiddenSign(view: KernelView, { loop, left, right }: Remainder): RuleHold | undefined {
  const counter = typeOf(view, loop.variable) ?? loop.type;
  const unsigned = usesVariable(unsignedIn(view, left), loop.variable);
  if (!unsigned || long.test(counter)) return undefined;
  const names = [left, right].flatMap((side) => side.descendantsOfType("identifier"));
  const longer = names.find(({ text }) => long.test(typeOf(view, text) ?? ""));
  return longer && not("type", `${longer.text} has more bits than ${loop.variable}`, longer);
}

function usesVariable(part: SyntaxNode | undefined, variable: string): boolean {
  return part !== undefined && compact(part) === variable;
}

/**
 * The remainder of the next turn: one less, or from zero on the end again. Where a dividend of the loop may
 * be below zero, which is known in front of the loop, it is taken as before: `first` is the dividend of the
 * first turn.
 */
export function fallenText(
  view: KernelView,
  { loop, left, right, first, name }: Remainder & { readonly first: string; readonly name: string },
): string {
  const size = grouped(right);
  const next = `${name} > 0 ? ${name} - 1 : ${size} - 1`;
  if (staysPositive(view, loop, left)) return next;
  const part = unsignedIn(view, left);
  const unsigned = part !== undefined && /^u/.test(typeOf(view, part.text) ?? "");
  // Both, since the number of turns may be unsigned where the dividend is not.
  const negative = unsigned ? "" : `${first} < 0 || `;
  return `${negative}${first} < ${turnsOf(loop)} ? ${grouped(left)} % ${size} : ${next}`;
}

/** By how much the loop's variable changes until the end. */
function turnsOf({ start, bound, step }: CountedLoop): string {
  const [from, to] = step.operator === "+" ? [start, bound] : [bound, start];
  return from.text === "0" ? grouped(to) : `${grouped(to)} - ${grouped(from)}`;
}

/** True where the dividend of the last turn is a sum of sizes: those before it are greater. */
function staysPositive(view: KernelView, loop: CountedLoop, left: SyntaxNode): boolean {
  const { bound, variable, step } = loop;
  const up = step.operator === "+";
  const rest = new Map([...formOf(left, view.scope)].filter(([key]) => key !== variable));
  const sign = up ? -1 : 1;
  for (const [key, factor] of formOf(bound, view.scope)) rest.set(key, (rest.get(key) ?? 0) + sign * factor);
  return isFormOfSizes(view, rest);
}

/** The text of an expression that other operators may stand around. */
export function grouped(node: SyntaxNode): string {
  return ["identifier", "number_literal", "field_expression", "parenthesized_expression"].includes(node.type)
    ? node.text
    : `(${node.text})`;
}

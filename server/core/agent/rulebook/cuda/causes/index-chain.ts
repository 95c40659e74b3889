import { at } from "../../../../base/known";
import { isAssigned, isPure, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";

/** A local that is one digit of a number: `number / (A * B) % C`. */
interface Digit {
  readonly local: LocalValue;
  readonly number: string;
  /** What the number is divided by first, as sorted texts. */
  readonly below: readonly string[];
  /** Undefined for the leading digit. */
  readonly size: string | undefined;
}

/**
 * The digits of a number from the last one on, each with the sizes below it: a chain in which every division
 * can go on from the one before.
 */
interface DigitChain {
  readonly digits: readonly Digit[];
  readonly type: string;
}

/** A number that is taken apart into digits by sizes, each division from the whole number. */
export function digitChain(view: KernelView): DigitChain | undefined {
  const block = partsOf(view.body);
  const found = localValues(view.body).flatMap((local) => digitOf(local) ?? []);
  for (const number of new Set(found.map((digit) => digit.number))) {
    const own = found.filter((digit) => digit.number === number);
    const digits = ordered(own.filter(({ local }) => block.some(({ id }) => id === local.declaration.id)));
    const type = digits.length > 2 ? typeOf(view, digits) : undefined;
    const steady = [number, ...digits.flatMap(({ size }) => size ?? [])].every(
      (name) => !isAssigned(view.body, name),
    );
    if (type !== undefined && steady) return { digits, type };
  }
  return undefined;
}

/** `number % D`, `number / P % D` or `number / P` of plain names. */
function digitOf(local: LocalValue): Digit | undefined {
  if (!isPure(local.value)) return undefined;
  const value = unwrapped(local.value);
  const isRest = fieldText(value, "operator") === "%";
  const size = isRest ? nameOf(value.childForFieldName("right")) : undefined;
  const dividend = isRest ? value.childForFieldName("left") : value;
  if ((isRest && size === undefined) || dividend === null) return undefined;
  const below: string[] = [];
  let at = unwrapped(dividend);
  while (fieldText(at, "operator") === "/") {
    const [left, right] = [at.childForFieldName("left"), at.childForFieldName("right")];
    const factors = right === null ? [] : operands(right, "*").map(nameOf);
    if (left === null || factors.some((factor) => factor === undefined)) return undefined;
    below.push(...factors.flatMap((factor) => factor ?? []));
    at = unwrapped(left);
  }
  const number = nameOf(at);
  const divides = isRest || below.length > 0;
  return number !== undefined && divides ? { local, number, below: below.sort(), size } : undefined;
}

function nameOf(node: SyntaxNode | null): string | undefined {
  return node && /^[A-Za-z_]\w*(?:\.\w+)?$/.test(compact(unwrapped(node)))
    ? compact(unwrapped(node))
    : undefined;
}

/** The digits whose sizes build up one on the other; empty where one is missing in between. */
function ordered(digits: readonly Digit[]): readonly Digit[] {
  const chain: Digit[] = [];
  let below: readonly string[] = [];
  for (;;) {
    const next = digits.find((digit) => digit.below.join() === below.join() && !chain.includes(digit));
    if (next === undefined) break;
    chain.push(next);
    if (next.size === undefined) break;
    below = [...below, next.size].sort();
  }
  return chain;
}

/** The one type of the number and its sizes, which are parameters or locals. */
function typeOf({ kernel, body }: KernelView, digits: readonly Digit[]): string | undefined {
  const names = [at(digits, 0).number, ...digits.flatMap(({ size }) => size ?? [])];
  const types = names.map((name) => {
    const local = localValues(body).find((each) => each.name === name);
    const parameter = kernel.facts.parameters.find((each) => each.name === name);
    const type = parameter?.type ?? fieldText(local?.declaration, "type");
    return type.replace(/\bconst\b/g, "").trim();
  });
  const [type, ...others] = new Set(types);
  return type !== undefined &&
    others.length === 0 &&
    /^(?:int|unsigned|unsigned int|u?int32_t|long|size_t|u?int64_t)$/.test(type)
    ? type
    : undefined;
}

/** Divides once for each digit: what is left is divided on, and a rest is what the product leaves. */
export function chainEdits(view: KernelView, { digits, type }: DigitChain): readonly TextEdit[] {
  const { source } = view;
  const [first] = [...digits].sort((a, b) => a.local.declaration.startIndex - b.local.declaration.startIndex);
  const number = at(digits, 0).number;
  const left = [number];
  const lines: string[] = [];
  for (const { size } of digits) {
    if (size === undefined) continue;
    const name = freshName(source, `${number}Left${left.length === 1 ? "" : left.length}`);
    lines.push(`const ${type} ${name} = ${left.at(-1) ?? number} / ${size};`);
    left.push(name);
  }
  const values = digits.map(({ local, size }, place) => {
    const [own, next] = [left[place] ?? number, left[place + 1] ?? number];
    return replaceNode(local.value, size === undefined ? own : `${own} - ${next} * ${size}`);
  });
  const before = first?.local.declaration ?? view.body;
  const indent = indentOf(source, before);
  return [insertBefore(before, lines.map((line) => `${line}\n${indent}`).join("")), ...values];
}

import { at } from "../../../../base/known";
import { changes, isPure, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import { structureNamed } from "../structures/structure-layout";

/** A local that is one digit of a number: `number / (A * B) % C`. */
interface Digit {
  readonly local: LocalValue;
  readonly number: string;
  /** What the number is divided by first, as sorted texts. */
  readonly below: readonly string[];
  /** The factors of how many values it takes, as sorted texts; undefined for the leading digit. */
  readonly size: readonly string[] | undefined;
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
  const found = localValues(view.body).flatMap((local) => digitOf(view, local) ?? []);
  for (const number of new Set(found.map((digit) => digit.number))) {
    const own = found.filter((digit) => digit.number === number);
    const block = own[0]?.local.declaration.parent?.id;
    const digits = ordered(own.filter(({ local }) => local.declaration.parent?.id === block));
    const type = digits.length > 2 ? typeOf(view, digits) : undefined;
    const steady = [number, ...digits.flatMap(({ size }) => size ?? [])].every((name) =>
      isSteady(view.body, name),
    );
    if (type !== undefined && steady) return { digits, type };
  }
  return undefined;
}

/** True for a name that changes in the head of a loop alone. */
function isSteady(body: SyntaxNode, name: string): boolean {
  return changes(body)
    .filter(({ target }) => target.text === name)
    .every(
      ({ act }) =>
        act.parent?.type === "for_statement" && act.parent.childForFieldName("update")?.id === act.id,
    );
}

/** `number % D`, `number / P % D` or `number / P` of plain names. */
function digitOf(view: KernelView, local: LocalValue): Digit | undefined {
  if (!isPure(local.value)) return undefined;
  const value = unwrapped(local.value);
  const isRest = fieldText(value, "operator") === "%";
  const size = isRest ? factorsOf(view, value.childForFieldName("right")) : undefined;
  const dividend = isRest ? value.childForFieldName("left") : value;
  if ((isRest && size === undefined) || dividend === null) return undefined;
  const below: string[] = [];
  let at = unwrapped(dividend);
  while (fieldText(at, "operator") === "/") {
    const [left, right] = [at.childForFieldName("left"), at.childForFieldName("right")];
    const factors = factorsOf(view, right);
    if (left === null || factors === undefined) return undefined;
    below.push(...factors);
    at = unwrapped(left);
  }
  const number = nameOf(at);
  const divides = isRest || below.length > 0;
  return number !== undefined && divides ? { local, number, below: below.sort(), size } : undefined;
}

/**
 * The names that a product is made of, sorted; undefined for anything else. A local that is a product of
 * names (`const int plane = width * height;`) is those.
 */
function factorsOf(view: KernelView, node: SyntaxNode | null): readonly string[] | undefined {
  const factors = node === null ? [] : operands(node, "*").map((factor) => factorNames(view, factor));
  const names = factors.flatMap((factor) => factor ?? []);
  return names.length === 0 || factors.includes(undefined) ? undefined : names.sort();
}

function factorNames(view: KernelView, factor: SyntaxNode): readonly string[] | undefined {
  const name = nameOf(factor);
  const meaning = name === undefined ? undefined : view.scope.meaning(name);
  const isProduct = typeof meaning === "object" && fieldText(unwrapped(meaning), "operator") === "*";
  const inner = isProduct ? factorsOf(view, meaning) : undefined;
  return inner ?? (name === undefined ? undefined : [name]);
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
    below = [...below, ...next.size].sort();
  }
  return chain;
}

const whole = /^(?:int|(?:unsigned )?long long|unsigned|unsigned int|u?int32_t|uint|long|size_t|u?int64_t)$/;

/** The one type of the number and its sizes, which are parameters or locals. */
function typeOf(view: KernelView, digits: readonly Digit[]): string | undefined {
  const { kernel, body, model } = view;
  const names = [at(digits, 0).number, ...digits.flatMap(({ size }) => size ?? [])];
  const types = names.map((name) => {
    const local = localValues(body).find((each) => each.name === name);
    const parameter = kernel.facts.parameters.find((each) => each.name === name);
    const type = parameter?.type ?? memberType(view, name) ?? fieldText(local?.declaration, "type");
    return type.replace(/\bconst\b/g, "").trim();
  });
  const [type, ...others] = new Set(types);
  return type !== undefined && others.length === 0 && whole.test(model.types.get(type) ?? type)
    ? type
    : undefined;
}

/** The type of `extent.x` of a structure that the kernel is handed. */
function memberType({ kernel, model }: KernelView, name: string): string | undefined {
  const [object, member] = name.split(".");
  const parameter = kernel.facts.parameters.find((each) => each.name === object && !each.pointer);
  const type = parameter?.type.replace(/\b(?:const|struct)\b|&/g, "").trim();
  const fields = member === undefined || type === undefined ? undefined : structureNamed(model.root, type);
  const field = fields?.body.namedChildren.find((node) =>
    node.childrenForFieldName("declarator").some(({ text }) => text === member),
  );
  return field && fieldText(field, "type");
}

function productOf(factors: readonly string[]): string {
  return factors.length === 1 ? factors.join() : `(${factors.join(" * ")})`;
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
    lines.push(`const ${type} ${name} = ${left.at(-1) ?? number} / ${productOf(size)};`);
    left.push(name);
  }
  const values = digits.map(({ local, size }, place) => {
    const [own, next] = [left[place] ?? number, left[place + 1] ?? number];
    return replaceNode(local.value, size === undefined ? own : `${own} - ${next} * ${productOf(size)}`);
  });
  const before = first?.local.declaration ?? view.body;
  const indent = indentOf(source, before);
  return [insertBefore(before, lines.map((line) => `${line}\n${indent}`).join("")), ...values];
}

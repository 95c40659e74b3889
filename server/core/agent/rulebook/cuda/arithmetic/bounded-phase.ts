import { isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";
import { floatConstant, floatsIn, kindOf } from "./float-values";

/** A turn, and what rounding adds. */
const TURN = 2 * Math.PI * 1.0001;

/** Names that a value is followed through at most. */
const DEEPEST = 12;

/** Greatest absolute values of whole numbers by their type. */
const greatest: Readonly<Record<string, number>> = {
  bool: 1,
  "signed char": 2 ** 7,
  int8_t: 2 ** 7,
  "unsigned char": 2 ** 8,
  uint8_t: 2 ** 8,
  short: 2 ** 15,
  int16_t: 2 ** 15,
  "unsigned short": 2 ** 16,
  uint16_t: 2 ** 16,
  int: 2 ** 31,
  int32_t: 2 ** 31,
  unsigned: 2 ** 32,
  "unsigned int": 2 ** 32,
  uint32_t: 2 ** 32,
};

/** Functions whose result lies between -1 and 1. */
const units = /^(?:sinf|cosf|__sinf|__cosf|tanhf|erff|saturatef|__saturatef)$/;

/** Functions whose result is no greater than their second argument, which is a constant. */
const remainders = /^(?:(?:std::)?fmodf?|remainderf)$/;

/** True where the only argument of a call is seen to lie within a turn around zero. */
export function isBoundedPhase(view: KernelView, call: SyntaxNode): boolean {
  const [phase, ...others] = partsOf(call.childForFieldName("arguments"));
  const most = phase === undefined || others.length > 0 ? undefined : mostOf(view, phase);
  return most !== undefined && most <= TURN;
}

/** Greatest absolute value that an expression is seen to have; undefined where nothing bounds it. */
function mostOf(view: KernelView, node: SyntaxNode, depth = 0): number | undefined {
  if (depth > DEEPEST) return undefined;
  const inner = unwrapped(node);
  const constant = floatConstant(view, inner) ?? view.scope.value(inner);
  if (constant !== undefined) return Math.abs(constant);
  switch (inner.type) {
    case "identifier":
      return mostOfName(view, inner.text, depth);
    case "unary_expression":
      return isFloatHere(view, inner) ? mostOfField(view, inner, "argument", depth) : undefined;
    case "cast_expression":
      return mostOfCast(view, fieldText(inner, "type"), inner.childForFieldName("value"), depth);
    case "call_expression":
      return mostOfCall(view, inner, depth);
    case "binary_expression":
      return mostOfBinary(view, inner, depth);
    default:
      return undefined;
  }
}

function mostOfField(view: KernelView, node: SyntaxNode, field: string, depth: number): number | undefined {
  const part = node.childForFieldName(field);
  return part === null ? undefined : mostOf(view, part, depth + 1);
}

/** A name by its value, or by its type. */
function mostOfName(view: KernelView, name: string, depth: number): number | undefined {
  const meaning = view.scope.meaning(name);
  const byValue = typeof meaning === "object" ? mostOf(view, meaning, depth + 1) : undefined;
  const [local, ...more] = localValues(view.body).filter((each) => each.name === name);
  const type =
    local === undefined
      ? view.kernel.facts.parameters.find((each) => each.name === name && !each.pointer)?.type
      : fieldText(local.declaration, "type");
  const byType = more.length > 0 || type === undefined ? undefined : mostOfType(view, type);
  // What is made a number of another type may wrap around.
  return byType ?? byValue;
}

/** Whole numbers may wrap around: what is computed of them says nothing of how great they are. */
function isFloatHere(view: KernelView, node: SyntaxNode): boolean {
  return kindOf(node, floatsIn(view, view.body)) === "float";
}

function mostOfType(view: KernelView, type: string): number | undefined {
  const plain = type
    .replace(/\b(?:const|volatile|std::)\b/g, "")
    .replace(/std::/g, "")
    .trim();
  return greatest[view.model.types.get(plain) ?? plain];
}

/** A value made another type: at most what the type holds; as a float what it was. */
function mostOfCast(
  view: KernelView,
  type: string,
  value: SyntaxNode | null,
  depth: number,
): number | undefined {
  if (value === null) return undefined;
  const before = mostOf(view, value, depth + 1);
  return /^(?:const )?(?:float|double)$/.test(type) ? before : mostOfType(view, type);
}

function mostOfCall(view: KernelView, call: SyntaxNode, depth: number): number | undefined {
  const name = compact(call.childForFieldName("function"));
  const given = partsOf(call.childForFieldName("arguments"));
  const [first, second] = given;
  const cast = /^(?:static_cast<([\w: ]+)>|(float|int|unsigned))$/.exec(name);
  if (cast !== null) return mostOfCast(view, cast[1] ?? cast[2] ?? "", first ?? null, depth);
  if (/^__u?int2float_r[nzud]$/.test(name)) return mostOfCast(view, "float", first ?? null, depth);
  if (units.test(name)) return 1;
  if (remainders.test(name) && second !== undefined) return mostOf(view, second, depth + 1);
  if (/^(?:fabsf?|__fabsf)$/.test(name) && first !== undefined) return mostOf(view, first, depth + 1);
  return undefined;
}

function mostOfBinary(view: KernelView, node: SyntaxNode, depth: number): number | undefined {
  const operator = fieldText(node, "operator");
  if (operator === "%") return mostOfField(view, node, "right", depth);
  if (!isFloatHere(view, node)) return undefined;
  if (operator === "-" && isFraction(node)) return 1;
  const left = mostOfField(view, node, "left", depth);
  if (left === undefined) return undefined;
  if (operator === "/") return quotient(view, node, left);
  const right = mostOfField(view, node, "right", depth);
  if (right === undefined) return undefined;
  return operator === "*" ? left * right : left + right;
}

/** `x - floorf(x)`. */
function isFraction(node: SyntaxNode): boolean {
  const left = node.childForFieldName("left");
  const right = compact(node.childForFieldName("right"));
  const whole = /^(?:std::)?(?:floor|trunc|rint|round)f\((.*)\)$/.exec(right);
  return left !== null && isPure(left) && whole?.[1] === compact(left);
}

/** What is divided by a constant. */
function quotient(view: KernelView, node: SyntaxNode, left: number): number | undefined {
  const right = node.childForFieldName("right");
  const value = right === null ? undefined : (floatConstant(view, right) ?? view.scope.value(right));
  return value === undefined || value === 0 ? undefined : left / Math.abs(value);
}

import { compact, enclosing, fieldText, isInside, usesOf } from "../query";
import type { SyntaxNode } from "../tree";
import calls from "./value-calls.json";
import { argumentsOf, calleeOf, isCall, type KnownFunctions, SignReading } from "./value-sign";
import { type ValueScope, valueScope } from "./value-scope";

/** Pointers by what a kernel does with their elements. */
export interface AskedSigns {
  /** Elements that roots and logarithms are taken of, that divide, or whose whole part is an index. */
  readonly positive: ReadonlySet<string>;
  /** Those of them that must not be above one. */
  readonly below: ReadonlySet<string>;
  /** Elements that the kernel compares with numbers of its own: it knows what to do with any. */
  readonly compared: ReadonlySet<string>;
}

/**
 * Which elements a kernel has to be handed above zero, since a root, a logarithm, a power or a quotient of
 * them would else be no number.
 */
export function askedSigns(
  body: SyntaxNode,
  pointers: readonly string[],
  functions: KnownFunctions,
): AskedSigns {
  const found = { positive: new Set<string>(), below: new Set<string>(), compared: new Set<string>() };
  const reading = new SignReading(functions);
  const pending: ValueScope[] = [valueScope(body, { pointers })];
  for (let scope = pending.pop(); scope !== undefined; scope = pending.pop()) {
    for (const node of sinksIn(scope.body)) {
      const sign = reading.signOf(node.value, scope);
      if (sign === undefined || (node.isDivisor && sign.isSum)) continue;
      for (const name of sign.needs) found.positive.add(name);
      for (const name of sign.below) found.below.add(name);
    }
    for (const name of comparedIn(scope, reading)) found.compared.add(name);
    for (const call of scope.body.descendantsOfType(["call_expression", "call"])) {
      const entered = reading.enter(call, scope);
      if (entered !== undefined) pending.push(entered);
    }
  }
  return found;
}

interface Sink {
  readonly value: SyntaxNode;
  readonly isDivisor: boolean;
}

/** Values of which roots, logarithms and powers are taken, and those that others are divided by. */
function sinksIn(body: SyntaxNode): readonly Sink[] {
  const called = body.descendantsOfType(["call_expression", "call"]).flatMap((call): readonly Sink[] => {
    const [value, exponent] = argumentsOf(call);
    const name = calleeOf(call);
    if (value === undefined) return [];
    const isPower = isCall(name, calls.powers) && !/^\d+(?:\.0*)?f?$/.test(compact(exponent));
    return isPower || isCall(name, calls.roots) ? [{ value, isDivisor: false }] : [];
  });
  const quotients = body.descendantsOfType([
    "binary_expression",
    "binary_operator",
    "assignment_expression",
    "augmented_assignment",
  ]);
  const divided = quotients.flatMap((node): readonly Sink[] => {
    const value = node.childForFieldName("right");
    return value !== null && /^\/=?$/.test(fieldText(node, "operator")) ? [{ value, isDivisor: true }] : [];
  });
  return [...called, ...divided, ...truncatedIn(body)];
}

/** Floats of which the whole part is an index, or a part of one: below zero nothing lies there. */
function truncatedIn(body: SyntaxNode): readonly Sink[] {
  const casts = body.descendantsOfType("cast_expression").filter(isWholeCast);
  const called = body
    .descendantsOfType("call_expression")
    .filter((call) => isCall(calleeOf(call), calls.truncations));
  const found = [...casts, ...called].filter((node) => isIndex(node, body));
  return found.flatMap((node) => {
    const value = node.childForFieldName("value") ?? argumentsOf(node)[0];
    return value === undefined || !/[a-z_]/i.test(value.text) ? [] : [{ value, isDivisor: false }];
  });
}

function isWholeCast(node: SyntaxNode): boolean {
  const type = node.childForFieldName("type")?.text ?? "";
  return /\b(?:int|unsigned|short|long|char|u?int(?:8|16|32|64)?_t|size_t|uint)$/.test(type.trim());
}

/** Whether a value stands in an index, or in the value of a name that does. */
function isIndex(node: SyntaxNode, body: SyntaxNode): boolean {
  const indices = body
    .descendantsOfType("subscript_expression")
    .flatMap((each) => each.namedChildren.slice(1));
  if (indices.some((index) => isInside(node, index))) return true;
  const given = enclosing(node, "init_declarator", "assignment_expression");
  const name = (given?.childForFieldName("declarator") ?? given?.childForFieldName("left"))?.text ?? "";
  return /^\w+$/.test(name) && indices.some((index) => usesOf(index, name).length > 0);
}

/** Pointers whose elements are compared with what does not depend on elements. */
function comparedIn(scope: ValueScope, reading: SignReading): readonly string[] {
  const comparisons = scope.body.descendantsOfType(["binary_expression", "comparison_operator"]);
  return comparisons.flatMap((node) => {
    const isComparison = node.type === "comparison_operator" || /^[<>]=?$/.test(fieldText(node, "operator"));
    const [left, right] = node.namedChildren;
    if (!isComparison || left === undefined || right === undefined) return [];
    const signs = [reading.signOf(left, scope), reading.signOf(right, scope)];
    const counts = signs.map((sign) => sign?.needs.size ?? 0);
    return counts.filter((count) => count > 0).length === 1
      ? signs.flatMap((sign) => [...(sign?.needs ?? [])])
      : [];
  });
}

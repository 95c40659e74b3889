import { known } from "../../../../base/known";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { comparisons } from "../../../../language/cuda/body/number-operations";
import { compact, fieldText, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** Variables and what they hold. */
export type Numbers = ReadonlyMap<string, number>;

/** Variables of a run, and which of them depend on what the loop carries. */
interface Run {
  readonly values: Map<string, number>;
  readonly carried: Set<string>;
}

/** Functions that a body may call with what it carries. */
const functions: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  exp: (value = 0) => Math.exp(value),
  exp2: (value = 0) => 2 ** value,
  max: (...values) => Math.max(...values),
  min: (...values) => Math.min(...values),
  fma: (first = 0, second = 0, third = 0) => first * second + third,
  abs: (value = 0) => Math.abs(value),
};

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  ...comparisons,
};

/** Thrown for code that is no arithmetic on numbers. */
class Unreadable extends Error {}

/**
 * What one run of a loop's body makes of the variables: what is not among them, such as an element, stands
 * for a number of its own. Undefined where the body does more than arithmetic, or stores to memory.
 */
export function effectOf(body: SyntaxNode, start: Numbers, variable?: string): Numbers | undefined {
  const state = {
    values: new Map(start),
    carried: new Set([...start.keys()].filter((name) => name !== variable)),
  };
  try {
    for (const statement of statementsOf(body)) run(statement, state);
    return state.values;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

function run(statement: SyntaxNode, state: Run): void {
  switch (statement.type) {
    case "comment":
      return;
    case "compound_statement":
      for (const inner of partsOf(statement)) run(inner, state);
      return;
    case "declaration":
      for (const declarator of statement.childrenForFieldName("declarator")) declare(declarator, state);
      return;
    case "expression_statement":
      for (const act of partsOf(statement)) change(act, state);
      return;
    case "if_statement": {
      const condition = statement.childForFieldName("condition")?.childForFieldName("value");
      const branch = statement.childForFieldName(
        condition && valueOf(condition, state) !== 0 ? "consequence" : "alternative",
      );
      for (const inner of statementsOf(branch?.type === "else_clause" ? partsOf(branch)[0] : branch))
        run(inner, state);
      return;
    }
    default:
      throw new Unreadable();
  }
}

function declare(declarator: SyntaxNode, state: Run): void {
  const [name, value] = [declarator.childForFieldName("declarator"), declarator.childForFieldName("value")];
  if (declarator.type === "identifier") return;
  if (name?.type !== "identifier" || value === null) throw new Unreadable();
  set(state, name.text, { value: valueOf(value, state), from: value });
}

function change(act: SyntaxNode, state: Run): void {
  const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
  if (target?.type !== "identifier") throw new Unreadable();
  const before = read(target.text, state);
  if (act.type === "update_expression") {
    state.values.set(target.text, before + (act.text.includes("++") ? 1 : -1));
    return;
  }
  const right = act.childForFieldName("right");
  const operator = fieldText(act, "operator").slice(0, -1);
  const operation = operations[operator];
  if (act.type !== "assignment_expression" || right === null) throw new Unreadable();
  const value = valueOf(right, state);
  if (operator !== "" && operation === undefined) throw new Unreadable();
  set(state, target.text, {
    value: operation === undefined ? value : operation(before, value),
    from: right,
  });
}

function set(
  { values, carried }: Run,
  name: string,
  { value, from }: { readonly value: number; readonly from: SyntaxNode },
): void {
  values.set(name, value);
  if (from.descendantsOfType("identifier").some(({ text }) => carried.has(text))) carried.add(name);
}

function valueOf(node: SyntaxNode, state: Run): number {
  const inner = unwrapped(node);
  const of = (field: string): number => {
    const part = inner.childForFieldName(field);
    if (part === null) throw new Unreadable();
    return valueOf(part, state);
  };
  switch (inner.type) {
    case "number_literal":
      return Number.parseFloat(inner.text);
    case "identifier":
      return read(inner.text, state);
    case "binary_expression": {
      const operation = operations[fieldText(inner, "operator")];
      return operation === undefined ? opaque(inner, state) : operation(of("left"), of("right"));
    }
    case "unary_expression":
      return fieldText(inner, "operator") === "-" ? -of("argument") : opaque(inner, state);
    case "update_expression": {
      const name = inner.childForFieldName("argument");
      if (name?.type !== "identifier" || !inner.text.startsWith("++")) throw new Unreadable();
      change(inner, state);
      return read(name.text, state);
    }
    case "conditional_expression":
      return of("condition") === 0 ? of("alternative") : of("consequence");
    case "cast_expression":
      return of("value");
    case "call_expression":
      return called(inner, state);
    default:
      return opaque(inner, state);
  }
}

function called(call: SyntaxNode, state: Run): number {
  const given = partsOf(call.childForFieldName("arguments"));
  const callee = compact(call.childForFieldName("function"));
  const [only] = given;
  if (/^(?:static_cast<.*>|float|double|int)$/.test(callee) && given.length === 1 && only !== undefined)
    return valueOf(only, state);
  const plain = callee.replace(/^(?:std::|::)/, "").replace(/^__(\w+?)f?(?:_rn)?$/, "$1");
  const found =
    functions[plain] ??
    functions[plain.replace(/f$/, "")] ??
    functions[plain.replace(/^f/, "")] ??
    functions[plain.replace(/^f(.*)f$/, "$1")];
  if (found === undefined) return opaque(call, state);
  return found(...given.map((part) => valueOf(part, state)));
}

/** Something that has nothing to do with the variables: the same text is the same number. */
function opaque(node: SyntaxNode, state: Run): number {
  const acts = node.descendantsOfType(["assignment_expression", "update_expression"]).length > 0;
  const own = node.descendantsOfType("identifier").some(({ text }) => state.carried.has(text));
  if (acts || own) throw new Unreadable();
  return numberFor(compact(node));
}

function read(name: string, { values }: Run): number {
  return values.get(name) ?? numberFor(name);
}

/** A number between 0.5 and 1.5 that belongs to a text. */
function numberFor(text: string): number {
  let hash = 7;
  for (const sign of text)
    hash = (hash * 31 + known(sign.codePointAt(0), "the code of a character")) % 65_521;
  return 0.5 + hash / 65_521;
}

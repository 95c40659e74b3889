import { collapse, fieldText, operands, partsOf, unwrapped } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { SizeRelation } from "../../../workload/probe/shapes/size-relations";
import { type Constants, constantValue } from "../constants";
import { relationOf } from "../launch/sizes/read-relations";
import { followed } from "../launch/sizes/size-text";

/** What host code asks of a whole number that it is passed: all of it has to hold. */
export interface SizeCondition {
  /** It is one of these, ascending. */
  readonly values?: readonly number[];
  readonly multipleOf?: number;
  readonly isPower?: true;
  readonly least?: number;
  readonly most?: number;
  /** The number that it is equal to. */
  readonly sameAs?: string;
  /** What has to hold of it and others. */
  readonly related?: readonly SizeRelation[];
}

/** What is known of the numbers of a function, by their names. */
export type SizeConditions = ReadonlyMap<string, SizeCondition>;

interface Conditions {
  /** What has to hold, or the function refuses. */
  readonly asked: SizeConditions;
  /** Numbers that each name is compared with in branches, ascending. */
  readonly compared: ReadonlyMap<string, readonly number[]>;
}

/** A function whose conditions are read. */
interface Asked {
  readonly body: SyntaxNode;
  /** The numbers it is passed. */
  readonly numbers: ReadonlySet<string>;
  /** What else it is passed: code that hands this on is no refusal. */
  readonly data: ReadonlySet<string>;
  readonly constants: Constants;
  /** A text with what it asks of objects as names. */
  readonly inNames?: (text: string) => string;
}

/** Functions and macros that end a program, or throw, where what they are handed does not hold. */
const assertion = /assert|check|require|ensure|expect|enforce|verify|precondition/i;
/** The same with the comparison in the name: `CHECK_LE(n, 1024)`. */
const comparing = /_(EQ|NE|LE|LT|GE|GT)$/;
const operatorOf: Readonly<Record<string, string>> = {
  EQ: "==",
  NE: "!=",
  LE: "<=",
  LT: "<",
  GE: ">=",
  GT: ">",
};
const negated: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<=": ">",
  "<": ">=",
  ">=": "<",
  ">": "<=",
};
/** A function that says whether a number is a power of two. */
const powerTest = /pow(?:er)?_?(?:of)?_?(?:2|two)\b/i;
const turned: Readonly<Record<string, string>> = { "<=": ">=", "<": ">", ">=": "<=", ">": "<" };

/**
 * What a host function asks of its numbers, by assertions (`assert(n % 4 == 0)`, `TORCH_CHECK(n <= 1024)`)
 * and by branches that refuse (`if (d != 64 && d != 128) return -1;`); and what else it compares them with.
 */
export function sizeConditions(asked: Asked): Conditions {
  const found = new Map<string, SizeCondition>();
  const add = (facts: readonly Fact[]): void => {
    for (const { name, condition } of facts) found.set(name, joined(found.get(name) ?? {}, condition));
  };
  for (const call of asked.body.descendantsOfType("call_expression")) add(assertedBy(call, asked));
  for (const branch of asked.body.descendantsOfType("if_statement")) {
    const [condition] = partsOf(branch.childForFieldName("condition"));
    if (condition !== undefined && refuses(branch, asked)) add(factsOf(condition, asked, false));
  }
  return { asked: found, compared: comparedNumbers(asked) };
}

interface Fact {
  readonly name: string;
  readonly condition: SizeCondition;
}

function assertedBy(call: SyntaxNode, asked: Asked): readonly Fact[] {
  const name = fieldText(call, "function");
  if (!assertion.test(name)) return [];
  const given = partsOf(call.childForFieldName("arguments"));
  const [first, second] = given;
  const operator = operatorOf[comparing.exec(name)?.[1] ?? ""];
  if (operator !== undefined && first !== undefined && second !== undefined)
    return compareFacts({ left: first, operator, right: second }, asked);
  return first === undefined ? [] : factsOf(first, asked, true);
}

/** Whether a branch ends the function without handing on any data. */
function refuses(branch: SyntaxNode, { data }: Asked): boolean {
  const body = branch.childForFieldName("consequence");
  if (body === null || /<<</.test(body.text)) return false;
  const last = body.type === "compound_statement" ? partsOf(body).at(-1) : body;
  const leaves =
    last !== undefined &&
    (/^(?:return|throw)_statement$/.test(last.type) ||
      /^(?:std::)?(?:exit|abort|terminate)\b/.test(last.text));
  const words = body.text.replace(/"(?:[^"\\]|\\.)*"/g, " ").match(/[A-Za-z_]\w*/g) ?? [];
  return leaves && !words.some((word) => data.has(word));
}

/** What holds where a condition does, or where it does not. */
function factsOf(condition: SyntaxNode, asked: Asked, holds: boolean): readonly Fact[] {
  const node = unwrapped(condition);
  if (node.type === "unary_expression" && fieldText(node, "operator") === "!") {
    const inner = node.childForFieldName("argument");
    return inner === null ? [] : factsOf(inner, asked, !holds);
  }
  const all = operands(node, holds ? "&&" : "||");
  if (all.length > 1) return all.flatMap((each) => factsOf(each, asked, holds));
  const some = operands(node, holds ? "||" : "&&");
  if (some.length > 1) return oneOf(some.map((each) => factsOf(each, asked, holds)));
  const meant = asked.numbers.has(node.text) ? undefined : asked.constants.get(node.text)?.node;
  if (meant !== undefined) {
    // Two names that stand for each other mean nothing.
    const others = new Map([...asked.constants].filter(([name]) => name !== node.text));
    return factsOf(meant, { ...asked, constants: others }, holds);
  }
  return node.type === "call_expression" ? powerFacts(node, asked, holds) : plainFacts(node, asked, holds);
}

/** What is known where one comparison holds, or does not. */
function plainFacts(node: SyntaxNode, asked: Asked, holds: boolean): readonly Fact[] {
  const operator = fieldText(node, "operator");
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (node.type === "binary_expression" && left !== null && right !== null && negated[operator] !== undefined)
    return compareFacts({ left, operator: holds ? operator : (negated[operator] ?? operator), right }, asked);
  return holds ? [] : zeroFacts(node, asked);
}

/** Alternatives that each give values of the same name. */
function oneOf(alternatives: readonly (readonly Fact[])[]): readonly Fact[] {
  const values = alternatives.flatMap((facts) =>
    facts.length === 1 && facts[0]?.condition.values !== undefined ? [facts[0]] : [],
  );
  const [first] = values;
  if (first === undefined || values.length < alternatives.length) return [];
  if (values.some(({ name }) => name !== first.name)) return [];
  const all = values.flatMap(({ condition }) => condition.values ?? []);
  return [{ name: first.name, condition: { values: [...new Set(all)].sort((a, b) => a - b) } }];
}

interface Comparison {
  readonly left: SyntaxNode;
  readonly operator: string;
  readonly right: SyntaxNode;
}

function compareFacts({ left, operator, right }: Comparison, asked: Asked): readonly Fact[] {
  const [one, other] = [valueOf(left, asked), valueOf(right, asked)];
  if (one !== undefined && other === undefined)
    return compareFacts({ left: right, operator: turned[operator] ?? operator, right: left }, asked);
  if (other === undefined) {
    const same = operator === "==" ? equalFacts(left, right, asked) : [];
    return same.length > 0 ? same : relatedFacts(left, operator, right, asked);
  }
  const name = numberNamed(left, asked);
  if (name === undefined)
    return operator === "==" && other === 0
      ? zeroFacts(left, asked)
      : relatedFacts(left, operator, right, asked);
  switch (operator) {
    case "==":
      return [{ name, condition: { values: [other] } }];
    case "<=":
      return [{ name, condition: { most: other } }];
    case "<":
      return [{ name, condition: { most: other - 1 } }];
    case ">=":
      return [{ name, condition: { least: other } }];
    case ">":
      return [{ name, condition: { least: other + 1 } }];
    default:
      return [];
  }
}

/** Two numbers that are equal: the one that comes later in the alphabet follows the other. */
function equalFacts(left: SyntaxNode, right: SyntaxNode, asked: Asked): readonly Fact[] {
  const names = [left, right].flatMap((each) => numberNamed(each, asked) ?? []).sort();
  const [one, other] = names;
  if (one === undefined || other === undefined || one === other) return [];
  return [{ name: other, condition: { sameAs: one } }];
}

/** What `isPowerOfTwo(n)` says. */
function powerFacts(call: SyntaxNode, asked: Asked, holds: boolean): readonly Fact[] {
  const [given] = partsOf(call.childForFieldName("arguments"));
  const name = given && numberNamed(given, asked);
  const isTest = powerTest.test(fieldText(call, "function").replace(/^.*::/, ""));
  return holds && name !== undefined && isTest ? [{ name, condition: { isPower: true } }] : [];
}

/** What a comparison says of several numbers: `w == 2 * k`, `blocks * size >= n`. */
function relatedFacts(left: SyntaxNode, operator: string, right: SyntaxNode, asked: Asked): readonly Fact[] {
  const { numbers, constants } = asked;
  const members = (text: string): string =>
    text.replace(
      /\b(\w+)\s*(?:\.|->)\s*(\w+)\b(?!\s*\()/g,
      (whole, own: string, member: string) =>
        [member, `${own}_${member}`].find((name) => numbers.has(name)) ?? whole,
    );
  const meanings = {
    meaningOf: (name: string) => (numbers.has(name) ? undefined : constants.get(name)?.text),
    named: asked.inNames ?? members,
  };
  const [one, other] = [left, right].map((each) => followed(collapse(each.text), meanings));
  if (one === undefined || other === undefined) return [];
  const relation = relationOf(one, operator, other, numbers);
  return relation === undefined ? [] : [{ name: relation.name, condition: { related: [relation] } }];
}

/** What is known where an expression is zero: `n % 4`, `n & 3`, `n & (n - 1)`. */
function zeroFacts(expression: SyntaxNode, asked: Asked): readonly Fact[] {
  const node = unwrapped(expression);
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const name = left === null ? undefined : numberNamed(left, asked);
  if (node.type !== "binary_expression" || left === null || right === null) return [];
  const value = valueOf(right, asked);
  const operator = fieldText(node, "operator");
  if (operator === "&") return name === undefined ? [] : maskFacts(name, { left, right, value });
  if (operator !== "%") return [];
  if (name === undefined || value === undefined) return relatedFacts(left, "%", right, asked);
  return value < 2 ? [] : [{ name, condition: { multipleOf: value } }];
}

function maskFacts(
  name: string,
  { left, right, value }: Pick<Comparison, "left" | "right"> & { readonly value: number | undefined },
): readonly Fact[] {
  const text = collapse(unwrapped(right).text).replace(/\s/g, "");
  if (text === `${collapse(left.text)}-1`) return [{ name, condition: { isPower: true } }];
  const isMask = value !== undefined && value > 0 && Number.isInteger(Math.log2(value + 1));
  return isMask ? [{ name, condition: { multipleOf: value + 1 } }] : [];
}

/** The number that an expression is: members alone or after their structure, whatever the casts. */
function numberNamed(expression: SyntaxNode, { numbers }: Asked): string | undefined {
  const node = uncast(expression);
  if (node.type === "identifier") return numbers.has(node.text) ? node.text : undefined;
  if (node.type !== "field_expression") return undefined;
  const [own, member] = [fieldText(node, "argument"), fieldText(node, "field")];
  return [member, `${own}_${member}`].find((name) => numbers.has(name));
}

function uncast(expression: SyntaxNode): SyntaxNode {
  const node = unwrapped(expression);
  const inner = node.type === "cast_expression" ? node.childForFieldName("value") : null;
  return inner === null ? node : uncast(inner);
}

function valueOf(expression: SyntaxNode, { constants, numbers }: Asked): number | undefined {
  const { text } = uncast(expression);
  const words = text.match(/[A-Za-z_]\w*/g) ?? [];
  if (words.some((word) => numbers.has(word))) return undefined;
  return constantValue(text.replace(/(?<=\d)[uUlL]+\b/g, ""), constants);
}

function joined(one: SizeCondition, other: SizeCondition): SizeCondition {
  const either = valuesOfBoth(one, other);
  const multiple = leastCommon(one.multipleOf ?? 1, other.multipleOf ?? 1);
  const [least, most] = boundsOfBoth(one, other);
  const sameAs = one.sameAs ?? other.sameAs;
  const related = [...(one.related ?? []), ...(other.related ?? [])];
  return {
    ...(either === undefined ? {} : { values: either }),
    ...(multiple > 1 ? { multipleOf: multiple } : {}),
    ...(one.isPower === true || other.isPower === true ? { isPower: true } : {}),
    ...(least > 0 ? { least } : {}),
    ...(Number.isFinite(most) ? { most } : {}),
    ...(sameAs === undefined ? {} : { sameAs }),
    ...(related.length === 0 ? {} : { related }),
  };
}

function boundsOfBoth(one: SizeCondition, other: SizeCondition): readonly [least: number, most: number] {
  return [Math.max(one.least ?? 0, other.least ?? 0), Math.min(one.most ?? Infinity, other.most ?? Infinity)];
}

function valuesOfBoth(one: SizeCondition, other: SizeCondition): readonly number[] | undefined {
  if (one.values === undefined || other.values === undefined) return one.values ?? other.values;
  const allowed = new Set(other.values);
  return one.values.filter((each) => allowed.has(each));
}

function leastCommon(one: number, other: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return (one / divisor(one, other)) * other;
}

/** Numbers of branches: `if (d == 64)`, `case 128:`. */
function comparedNumbers(asked: Asked): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  const note = (name: string | undefined, value: number | undefined): void => {
    if (name === undefined || value === undefined || value < 1) return;
    found.set(name, (found.get(name) ?? new Set()).add(value));
  };
  for (const node of asked.body.descendantsOfType("binary_expression")) {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (fieldText(node, "operator") !== "==" || left === null || right === null) continue;
    note(numberNamed(left, asked), valueOf(right, asked));
    note(numberNamed(right, asked), valueOf(left, asked));
  }
  for (const node of asked.body.descendantsOfType("switch_statement")) {
    const [chosen] = partsOf(node.childForFieldName("condition"));
    const name = chosen && numberNamed(chosen, asked);
    for (const label of node.descendantsOfType("case_statement")) {
      const value = label.childForFieldName("value");
      note(name, value === null ? undefined : valueOf(value, asked));
    }
  }
  return new Map([...found].map(([name, values]) => [name, [...values].sort((a, b) => a - b)]));
}

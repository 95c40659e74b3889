import { statementsOf } from "../../../../language/cuda/body/loops";
import {
  comparisons,
  type NumberFunction,
  numberFor,
} from "../../../../language/cuda/body/number-operations";
import {
  followed,
  NotFollowed,
  NumberReader,
  type Reading,
  runsThrough,
} from "../../../../language/cuda/body/number-runs";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** Variables and what they hold. */
export type Numbers = ReadonlyMap<string, number>;

/** Functions that a body may call with what it carries. */
const functions: Readonly<Record<string, NumberFunction>> = {
  exp: (value = 0) => Math.exp(value),
  exp2: (value = 0) => 2 ** value,
  max: (...values) => Math.max(...values),
  min: (...values) => Math.min(...values),
  fma: (first = 0, second = 0, third = 0) => first * second + third,
  abs: (value = 0) => Math.abs(value),
};

const operations = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  "/": (left: number, right: number) => left / right,
  ...comparisons,
};

/**
 * What one run of a loop's body makes of the variables: what is not among them, such as an element, stands
 * for a number of its own. Undefined where the body does more than arithmetic, or stores to memory.
 */
export function effectOf(body: SyntaxNode, start: Numbers, variable?: string): Numbers | undefined {
  const carried = carriedNames(
    body,
    [...start.keys()].filter((name) => name !== variable),
  );
  const reader = readerOf(carried);
  return followed(() => {
    const values = new Map(start);
    const isAtEnd = statementsOf(body).every((statement) => runsThrough(reader.act(statement), values));
    return isAtEnd ? values : undefined;
  });
}

function readerOf(carried: ReadonlySet<string>): NumberReader<Map<string, number>> {
  const opaque = (node: SyntaxNode): Reading<unknown> => opaqueNumber(node, carried);
  return new NumberReader<Map<string, number>>({
    operations,
    call: functionOf,
    whole: (node) => (node.type === "subscript_expression" ? opaque(node) : undefined),
    place: ({ type, text }) => {
      if (type !== "identifier") throw new NotFollowed(type);
      return (values) => ({
        get: () => values.get(text) ?? madeNumber(text),
        set: (value) => void values.set(text, value),
      });
    },
    other: opaque,
  });
}

/** Those names and what a body sets by them. */
function carriedNames(body: SyntaxNode, first: readonly string[]): ReadonlySet<string> {
  const carried = new Set(first);
  const sets = body.descendantsOfType(["assignment_expression", "init_declarator"]);
  for (let before = -1; before < carried.size;) {
    before = carried.size;
    for (const set of sets) {
      const target = set.childForFieldName("left") ?? set.childForFieldName("declarator");
      const value = set.childForFieldName("right") ?? set.childForFieldName("value");
      const isCarried = value?.descendantsOfType("identifier").some(({ text }) => carried.has(text));
      if (target !== null && isCarried) carried.add(target.text);
    }
  }
  return carried;
}

/** A function or a conversion of one number. */
function functionOf(name: string, count: number): NumberFunction | undefined {
  if (count === 1 && /^(?:static_cast<.*>|float|double|int)$/.test(name)) return (value = 0) => value;
  const plain = name.replace(/^(?:std::|::)/, "").replace(/^__(\w+?)f?(?:_rn)?$/, "$1");
  return (
    functions[plain] ??
    functions[plain.replace(/f$/, "")] ??
    functions[plain.replace(/^f/, "")] ??
    functions[plain.replace(/^f(.*)f$/, "$1")]
  );
}

/** Something that has nothing to do with the variables: the same text is the same number. */
function opaqueNumber(node: SyntaxNode, carried: ReadonlySet<string>): () => number {
  const acts = node.descendantsOfType(["assignment_expression", "update_expression"]).length > 0;
  const own = node.descendantsOfType("identifier").some(({ text }) => carried.has(text));
  if (acts || own) throw new NotFollowed(node.type);
  const made = madeNumber(compact(node));
  return () => made;
}

/** A number between 0.5 and 1.5 that belongs to a text. */
function madeNumber(text: string): number {
  return 0.5 + numberFor(text) / 65_521;
}

import { compact, enclosing, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, onlyAssignment, positional, type TritonView } from "../kernel";

/** A sum of products with whole coefficients, as of `language/cuda/body/forms`; "" is the constant. */
export type Sum = ReadonlyMap<string, number>;

/** Between what a term lies: `@0:BLOCK` is an element of `tl.arange(0, BLOCK)`. */
const span = /^@(.+):(.+)$/;

const none: Sum = new Map();

export function constantSum(value: number): Sum {
  return new Map(value === 0 ? [] : [["", value]]);
}

export function addedTo(one: Sum, other: Sum, times = 1): Sum {
  const sum = new Map(one);
  for (const [key, each] of other) {
    const total = (sum.get(key) ?? 0) + times * each;
    if (total === 0) sum.delete(key);
    else sum.set(key, total);
  }
  return sum;
}

function product(one: Sum, other: Sum): Sum {
  let sum = none;
  for (const [a, first] of one)
    for (const [b, second] of other) {
      const factors = [...a.split("*"), ...b.split("*")].filter((part) => part !== "").sort();
      sum = addedTo(sum, new Map([[factors.join("*"), first * second]]));
    }
  return sum;
}

/** What a sum is read in. */
interface Reading {
  readonly view: TritonView;
  readonly loop: SyntaxNode;
  /** Names that are being followed. */
  readonly open: readonly string[];
}

/**
 * The sum that an index of a loop's turn is. Names are followed where the loop gives them, and where they
 * hold elements of a block; other names stay, so that what is made of them reads as the kernel does.
 */
export function sumOf(view: TritonView, loop: SyntaxNode, node: SyntaxNode): Sum {
  return sumIn({ view, loop, open: [] }, node);
}

const sums: Readonly<Record<string, (reading: Reading, node: SyntaxNode) => Sum | undefined>> = {
  integer: (_, { text }) => constantSum(Number(text)),
  identifier: sumOfName,
  binary_operator: sumOfTwo,
  unary_operator: (reading, node) => {
    const argument = node.childForFieldName("argument");
    return argument !== null && node.text.startsWith("-")
      ? addedTo(none, sumIn(reading, argument), -1)
      : undefined;
  },
  subscript: (reading, node) => {
    const value = node.childForFieldName("value");
    const axes = node.childrenForFieldName("subscript").map(compact);
    const only = axes.every((axis) => axis === ":" || axis === "None");
    return value !== null && only ? sumIn(reading, value) : undefined;
  },
  call: (reading, node) => sumOfCall(reading.view, node, (part) => sumIn(reading, part)),
};

function sumIn(reading: Reading, node: SyntaxNode): Sum {
  const inner = unwrapped(node);
  return sums[inner.type]?.(reading, inner) ?? new Map([[compact(inner), 1]]);
}

function sumOfTwo(reading: Reading, node: SyntaxNode): Sum | undefined {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (left === null || right === null) return undefined;
  const [one, other] = [sumIn(reading, left), sumIn(reading, right)];
  switch (node.childForFieldName("operator")?.text) {
    case "+":
      return addedTo(one, other);
    case "-":
      return addedTo(one, other, -1);
    case "*":
      return product(one, other);
    default:
      return undefined;
  }
}

function sumOfCall(view: TritonView, node: SyntaxNode, of: (part: SyntaxNode) => Sum): Sum | undefined {
  const [first, second] = positional(node);
  if (isCallOf(view, node, "arange"))
    return first !== undefined && second !== undefined
      ? new Map([[`@${compact(first)}:${compact(second)}`, 1]])
      : undefined;
  const same = ["multiple_of", "max_contiguous", "max_constancy", "expand_dims", "broadcast_to"];
  if (first !== undefined && same.some((name) => isCallOf(view, node, name))) return of(first);
  const callee = node.childForFieldName("function");
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  const cast = callee?.childForFieldName("attribute")?.text === "to" && /int(?:32|64)/.test(node.text);
  return cast && owner ? of(owner) : undefined;
}

function sumOfName({ view, loop, open }: Reading, { text }: SyntaxNode): Sum | undefined {
  const assignment = open.includes(text) ? undefined : onlyAssignment(view.body, text);
  const value = assignment?.childForFieldName("right");
  if (!assignment || !value || enclosing(assignment, "if_statement") !== undefined) return undefined;
  const sum = sumIn({ view, loop, open: [...open, text] }, value);
  const followed = isInside(assignment, loop) || [...sum.keys()].some((key) => key.includes("@"));
  return followed ? sum : undefined;
}

/** The most that a sum comes to over the elements of blocks; undefined where that is open. */
export function greatestOf(sum: Sum): Sum | undefined {
  let found: Sum = new Map([...sum].filter(([key]) => !key.includes("@")));
  for (const [key, times] of sum) {
    if (!key.includes("@")) continue;
    const [, first, end] = span.exec(key) ?? [];
    if (first === undefined || end === undefined || key.includes("*")) return undefined;
    const bound = times > 0 ? addedTo(boundSum(end), constantSum(1), -1) : boundSum(first);
    found = addedTo(found, bound, times);
  }
  return found;
}

function boundSum(text: string): Sum {
  return /^\d+$/.test(text) ? constantSum(Number(text)) : new Map([[text, 1]]);
}

/** A sum as Python: what is added first, and then what is taken away. */
export function sumText(sum: Sum): string {
  const terms = [...sum].sort(
    ([a, x], [b, y]) => Number(y > 0) - Number(x > 0) || Number(a === "") - Number(b === ""),
  );
  const texts = terms.map(([key, times], place) => {
    const [size, word] = [Math.abs(times), key.split("*").join(" * ")];
    const factor = size === 1 ? word : `${size} * ${word}`;
    const text = key === "" ? String(size) : factor;
    if (place === 0) return times < 0 ? `-${text}` : text;
    return `${times < 0 ? "-" : "+"} ${text}`;
  });
  return texts.length === 0 ? "0" : texts.join(" ");
}

/** The names of a sum. */
export function namesOfSum(sum: Sum): readonly string[] {
  return [...sum.keys()].flatMap((key): readonly string[] => key.match(/[A-Za-z_]\w*/g) ?? []);
}

/** Operands of `a < b`; undefined for a chain of comparisons. */
export function comparedIn(
  node: SyntaxNode,
): { readonly left: SyntaxNode; readonly right: SyntaxNode; readonly operator: string } | undefined {
  const [left, right, ...more] = node.type === "comparison_operator" ? partsOf(node) : [];
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  const [from, to] = [left.endIndex - node.startIndex, right.startIndex - node.startIndex];
  return { left, right, operator: node.text.slice(from, to).trim() };
}

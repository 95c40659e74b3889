import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { changes } from "../../../../language/cuda/body/scope";
import { smallRun } from "../../../../language/cuda/body/small-runs";
import { enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, type TextEdit } from "../../edits";
import { estimatedValue, type KernelView } from "../kernel";
import { wholeLoop } from "./walked-loops";

const LOOPS = ["for_statement", "while_statement"];

/** A loop that sorts the whole of a list. */
export interface SortLoop {
  readonly loop: SyntaxNode;
  readonly array: KernelArray;
  /** How many elements the list has. */
  readonly size: number;
  readonly isDescending: boolean;
}

/** Exchanges of two places, the one that is to hold the lesser element first. */
type Exchange = readonly [number, number];

/** Contents on which a loop is run to see whether it sorts. */
const trials = 12;

/**
 * The loop around an access that sorts the array, however it does that: it is run on numbers. Undefined where
 * none does, or where what it sets besides is used elsewhere.
 */
export function sortAround(view: KernelView, array: KernelArray, access: SyntaxNode): SortLoop | undefined {
  const [length] = array.sizes;
  const size = length && estimatedValue(view, length);
  if (size === undefined || size < 2) return undefined;
  let sort: SortLoop | undefined;
  for (let loop = enclosing(access, ...LOOPS); loop && isInside(loop, view.body); loop = outer(loop)) {
    const order = orderAfter(view, loop, { name: array.name, size });
    if (order !== undefined && isAllItSets(view, loop, array.name))
      sort = { loop, array, size, isDescending: order === "descending" };
  }
  return sort;
}

function outer(loop: SyntaxNode): SyntaxNode | undefined {
  return enclosing(loop, ...LOOPS);
}

/** The order in which a loop leaves a list, whatever was in it. */
function orderAfter(
  view: KernelView,
  loop: SyntaxNode,
  { name, size }: { readonly name: string; readonly size: number },
): "ascending" | "descending" | undefined {
  const known = new Map<string, number | undefined>();
  for (const node of loop.descendantsOfType("identifier"))
    if (!known.has(node.text)) known.set(node.text, view.scope.value(node));
  const run = smallRun(loop, (each) => known.get(each));
  if (run === undefined) return undefined;
  const orders = Array.from({ length: trials }, (_, trial) => {
    const before = contents(size, trial);
    const list = [...before];
    if (!run(new Map([[name, list]]))) return undefined;
    const sorted = before.toSorted((a, b) => a - b);
    if (isSame(list, sorted)) return "ascending";
    return isSame(list, sorted.toReversed()) ? "descending" : undefined;
  });
  const [first] = orders;
  return orders.every((each) => each === first) ? first : undefined;
}

/** Numbers in an order of their own for each trial; in some of them many are equal. */
function contents(size: number, trial: number): readonly number[] {
  const different = trial % 3 === 2 ? 4 : 8 * size;
  let state = trial + 1;
  return Array.from({ length: size }, (_, place) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The first two begin with a list that is sorted one way and the other.
    if (trial < 2) return trial === 0 ? place : size - place;
    return (state >>> 8) % different;
  });
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, place) => value === other[place]);
}

/** False where a variable of the kernel that the loop sets is used outside of it. */
function isAllItSets({ body }: KernelView, loop: SyntaxNode, list: string): boolean {
  return changes(loop).every(({ target: { type, text } }) => {
    if (type !== "identifier" || text === list) return true;
    return usesOf(body, text).every((use) => isInside(use, loop) || isBareDeclaration(use));
  });
}

/** `int i, j;`, which gives nothing a value. */
function isBareDeclaration({ parent }: SyntaxNode): boolean {
  return parent?.type === "declaration" && partsOf(parent).every(({ type }) => type !== "init_declarator");
}

/** The sort as a network of exchanges of places that are known when it is compiled. */
export function sortedEdit({ source }: KernelView, { loop, array, size, isDescending }: SortLoop): TextEdit {
  const [order, low, high, least] = ["order", "low", "high", "least"].map((name) =>
    freshName(source, name),
  ) as [string, string, string, string];
  const { name, type } = array;
  const calls = networkOf(size).map(([first, second]) => {
    const [lesser, greater] = isDescending ? [second, first] : [first, second];
    return `${order}(${name}[${lesser}], ${name}[${greater}]);`;
  });
  const indent = indentOf(source, loop);
  const lines = [
    "{",
    "  // Batcher's odd-even merges: places are known when it is compiled, and what nobody reads is left out.",
    `  auto ${order} = [](${type}& ${low}, ${type}& ${high}) {`,
    `    const ${type} ${least} = ${high} < ${low} ? ${high} : ${low};`,
    `    ${high} = ${high} < ${low} ? ${low} : ${high};`,
    `    ${low} = ${least};`,
    "  };",
    ...rowsOf(calls).map((row) => `  ${row}`),
    "}",
  ];
  return { start: wholeLoop(loop), end: loop.endIndex, text: lines.join(`\n${indent}`) };
}

/** So many columns are filled with exchanges. */
const columns = 100;

function rowsOf(calls: readonly string[]): readonly string[] {
  const rows: string[] = [];
  for (const call of calls) {
    const last = rows.at(-1);
    if (last === undefined || last.length + call.length >= columns) rows.push(call);
    else rows[rows.length - 1] = `${last} ${call}`;
  }
  return rows;
}

/**
 * Exchanges that sort a list of any length: K. E. Batcher's merge exchange (D. E. Knuth, The Art of Computer
 * Programming, volume 3, section 5.2.2, algorithm M).
 */
export function networkOf(size: number): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const top = 2 ** (Math.ceil(Math.log2(size)) - 1);
  for (let part = top; part >= 1; part /= 2) {
    let [distance, rest, step] = [part, 0, top];
    for (;;) {
      for (let place = 0; place + distance < size; place += 1)
        if ((place & part) === rest) exchanges.push([place, place + distance]);
      if (step === part) break;
      distance = step - part;
      step /= 2;
      rest = part;
    }
  }
  return exchanges;
}

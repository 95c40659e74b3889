import { fieldText, partsOf } from "../../query";
import type { SyntaxNode } from "../../tree";
import { callOf, operations } from "./number-operations";
import { followed, NotFollowed, NumberReader, type Place, runsThrough } from "./number-runs";

/** What a run of statements holds: lists by their names, single values, and how many steps it still has. */
interface Held {
  readonly lists: ReadonlyMap<string, number[]>;
  readonly values: Map<string, number>;
  left: number;
}

/** Names that stand for whole numbers which are known when the code is compiled. */
type Known = (name: string) => number | undefined;

/** Steps after which a run is given up. */
const stepsMost = 50_000;

/**
 * What a statement does to lists of whole numbers, found by running it on some: loops that sort, reverse or
 * rotate are told so in whatever way they are written. It may use the lists, constants, variables of its own,
 * and those that it sets before it reads them. Undefined for a statement with anything else in it, such as a
 * call or memory. The run is false where it left a list, read what it had not set, or did not end in time.
 */
export function smallRun(
  statement: SyntaxNode,
  known: Known,
): ((lists: ReadonlyMap<string, number[]>) => boolean) | undefined {
  const act = followed(() => readerOf(known).act(statement));
  if (act === undefined) return undefined;
  return (lists) => followed(() => runsThrough(act, { lists, values: new Map(), left: stepsMost })) === true;
}

function readerOf(known: Known): NumberReader<Held> {
  return new NumberReader<Held>({
    operations,
    call: callOf,
    whole: (node) => wholeNumber(node, known),
    place: (node, reader) =>
      node.type === "identifier" ? variable(node.text, known) : element(node, reader),
    other: notFollowed,
    turn: (held) => {
      if ((held.left -= 1) < 0) throw new NotFollowed("too many steps");
    },
  });
}

function wholeNumber(node: SyntaxNode, known: Known): (() => number) | undefined {
  if (node.type === "number_literal" && !/^[-+]?(?:0[xXbB][\da-fA-F]+|\d+)[uUlL]*$/.test(node.text))
    notFollowed(node);
  const constant = node.type === "identifier" ? known(node.text) : undefined;
  return constant === undefined ? undefined : () => constant;
}

function variable(name: string, known: Known): (held: Held) => Place {
  if (known(name) !== undefined) throw new NotFollowed(name);
  return ({ values }) => ({
    get: () => {
      const value = values.get(name);
      if (value === undefined) throw new NotFollowed(name);
      return value;
    },
    set: (value) => void values.set(name, value),
  });
}

function element(node: SyntaxNode, reader: NumberReader<Held>): (held: Held) => Place {
  const name = fieldText(node, "argument");
  const [index, ...more] = partsOf(node.childForFieldName("indices"));
  if (node.type !== "subscript_expression" || index === undefined || more.length > 0) notFollowed(node);
  const where = reader.value(index);
  return (held) => {
    const [list, at] = [held.lists.get(name), where(held)];
    const before = list?.[at];
    if (list === undefined || before === undefined) throw new NotFollowed(`${name}[${at}]`);
    return { get: () => before, set: (value) => void (list[at] = value) };
  };
}

function notFollowed({ type }: SyntaxNode): never {
  throw new NotFollowed(type);
}

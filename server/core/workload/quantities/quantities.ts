import { nameWords } from "../../base/symbols/name-words";
import type { SizeExpression } from "../spec";
import families from "./quantities.json";

/** What a kernel says of its numbers of floating types, for which nobody says what they are. */
export interface AskedQuantities {
  readonly kernel: string;
  /** Names of the numbers. */
  readonly names: readonly string[];
  /** Names of the sizes that a number may be a part of. */
  readonly sizes: readonly string[];
  readonly text: string;
}

/** A value that is the same for all sizes, or a part of one of them. */
export type Quantity = number | { readonly of: string; readonly part: number };

interface Member {
  readonly words: readonly string[];
  /** One of these has to stand beside. */
  readonly with?: readonly string[];
  readonly value: number;
  readonly of?: string;
}

interface Family {
  /** Words of the kernel or of its numbers of which one has to be there; any number is enough without. */
  readonly anchors?: readonly string[];
  /** Only numbers that something is compared with. */
  readonly isCompared?: boolean;
  readonly members: readonly Member[];
}

/** Members of a family that have to be there, where names of one letter may mean anything. */
const fewest = 2;

/**
 * Values for numbers that nobody tells, which fit each other as the quantities do that they are called:
 * a strike near the spot and a barrier beyond it, the centre of a picture in its middle, a tolerance that is
 * not met at once. Numbers that no such name or comment speaks of are left out.
 */
export function quantitiesOf(asked: AskedQuantities): ReadonlyMap<string, Quantity> {
  const found = new Map<string, Quantity>();
  const about = asked.names.map((name) => ({ name, ...wordsAbout(name, asked.text) }));
  for (const family of families as readonly Family[]) {
    const own = about.flatMap(({ name, words, said }) => {
      if (family.isCompared === true && !isComparedWith(name, asked.text)) return [];
      const member = memberFor(family, words, nameWords(asked.kernel)) ?? memberFor(family, said, []);
      const quantity = member && quantityOf(member, asked.sizes);
      return quantity === undefined ? [] : [{ name, words: [...words, ...said], quantity }];
    });
    if (!isPresent(family, own)) continue;
    for (const { name, quantity } of own) if (!found.has(name)) found.set(name, quantity);
  }
  return found;
}

/** The value for given sizes, as an expression of a spec: whole sizes have whole parts. */
export function quantityExpression(quantity: Quantity): SizeExpression {
  if (typeof quantity === "number") return quantity;
  const { of, part } = quantity;
  return `${of} * ${String(part * parts)} / ${String(parts)}`;
}

/** Parts of a size are whole fourths. */
const parts = 4;

function isPresent({ anchors }: Family, own: readonly { readonly words: readonly string[] }[]): boolean {
  if (anchors === undefined) return own.length > 0;
  if (own.length < fewest) return false;
  return own.some(({ words }) => words.some((word) => anchors.includes(word)));
}

function memberFor(
  { members }: Family,
  words: readonly string[],
  beside: readonly string[],
): Member | undefined {
  const all = [...words, ...beside];
  return members.find(
    (member) =>
      member.words.some((word) => words.includes(word)) &&
      (member.with === undefined || member.with.some((word) => all.includes(word))),
  );
}

/** Words by which the two sides of a picture are called. */
const sides: Readonly<Record<string, RegExp>> = {
  width: /^(?:(?:\w+_|i|img|)w|\w*width|\w*cols?|\w*columns?|nx)$/i,
  height: /^(?:(?:\w+_|i|img|)h|\w*height|\w*rows?|ny)$/i,
};

function quantityOf({ value, of }: Member, sizes: readonly string[]): Quantity | undefined {
  if (of === undefined) return value;
  const side = sizes.find((size) => sides[of]?.test(size) === true) ?? sizes[0];
  return side === undefined ? undefined : { of: side, part: value };
}

/** Words of a name, and those of the comment at its declaration. */
function wordsAbout(
  name: string,
  text: string,
): { readonly words: readonly string[]; readonly said: readonly string[] } {
  const declared = new RegExp(String.raw`\b(?:float|double)\s+${name}\s*[,;)]?\s*(?://|/\*)\s*([^\n]*)`);
  const [, comment = ""] = declared.exec(text) ?? [];
  const said = comment.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return { words: nameWords(name), said };
}

/** Whether something is compared with a number as it stands: `if (change < tol) break;`. */
function isComparedWith(name: string, text: string): boolean {
  const member = String.raw`(?:\w+\s*(?:\.|->)\s*)?`;
  const own = name.split(/(?<=\w)_(?=\w)/).at(-1) ?? name;
  const named = own === name ? name : `(?:${name}|${own})`;
  return new RegExp(String.raw`[<>]=?\s*${member}${named}\b(?!\s*[[(])|\b${named}\s*[<>]=?(?![<>])`).test(
    text,
  );
}

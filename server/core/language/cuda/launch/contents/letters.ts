import type { ElementType } from "../../../../workload/probe/observation";
import type { SyntaxNode } from "../../../tree";
import type { AskedNumber } from "../asked-numbers";
import { reachedText } from "./reached-text";

/** Letters that texts are made of, by the texts' names; those that stand there often are frequent. */
export type TextLetters = ReadonlyMap<string, string>;

/** What a letter is written as: itself, or behind a backslash. */
const written = String.raw`'(\\[ntr'\\]|[^'\\\n])'`;
const escapes: Readonly<Record<string, string>> = {
  ...{ "\\n": "\n", "\\t": "\t", "\\r": "\r" },
  ...{ "\\'": "'", "\\\\": "\\" },
};
/** Letters that code compares with: `c == 'A'`, `case 'C':`. */
const equal = new RegExp(String.raw`(?:[=!]=\s*|\bcase\s+)${written}|${written}\s*[=!]=`, "g");
/** Letters from which on, and up to which, code asks: `c >= 'a'`, `'z' >= c`. */
const least = new RegExp(String.raw`>=?\s*${written}|${written}\s*<=?`, "g");
const most = new RegExp(String.raw`<=?\s*${written}|${written}\s*>=?`, "g");
/** The first of a range whose place in it counts: `c - '0'`. */
const first = new RegExp(String.raw`-\s*${written}`, "g");
const ranges = ["09", "AZ", "az"] as const;

/** How often each letter stands in a text beside one that nothing is compared with. */
const commonness = 16;
/** What is there beside the letters that are asked for: the first that is none of them. */
const others = "Nx.~";

/** The letters of texts; see `textLetters`. `code`: of the function; `roots`: with what it may call. */
export function lettersReached(
  parameters: Parameters<typeof textLetters>[0],
  code: string,
  roots: readonly SyntaxNode[],
): TextLetters {
  return textLetters(parameters, reachedText(code, roots));
}

/**
 * The letters that a code compares anything with, for all pointers to bytes. `code`: of a kernel and of what
 * it calls.
 */
export function textLetters(
  parameters: readonly {
    readonly name: string;
    readonly element?: ElementType | undefined;
  }[],
  code: string,
): TextLetters {
  const letters = lettersIn(code.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " "));
  // One letter says nothing of the rest of a text.
  if (letters.length < leastLetters) return new Map();
  const other = [...others].find((each) => !letters.includes(each)) ?? "";
  const all = letters.join("").repeat(Math.max(1, Math.ceil(commonness / letters.length))) + other;
  const texts = parameters.flatMap(({ name, element }) =>
    element?.width === 1 && /^u?int8$/.test(element.dtype) ? name : [],
  );
  return new Map(texts.map((name) => [name, all]));
}

const leastLetters = 2;

function lettersIn(code: string): readonly string[] {
  const found = (pattern: RegExp): readonly string[] =>
    [...code.matchAll(pattern)].map(([, before, behind = ""]) => {
      const letter = before ?? behind;
      return escapes[letter] ?? letter;
    });
  const [lows, highs, firsts] = [found(least), found(most), found(first)];
  const spans = ranges.flatMap(([low = "", high = ""]) => {
    const isIn = (each: string): boolean => each >= low && each <= high;
    const [from, to] = [lows.find(isIn), highs.find(isIn)];
    if (from !== undefined && to !== undefined) return spanOf(from, to);
    return firsts.includes(low) ? spanOf(low, high) : [];
  });
  return [...new Set([...found(equal), ...spans])];
}

function spanOf(from: string, to: string): readonly string[] {
  const low = from.charCodeAt(0);
  const count = Math.max(0, to.charCodeAt(0) - low + 1);
  return Array.from({ length: count }, (_, index) => String.fromCharCode(low + index));
}

/** What is asked of elements, with the letters of texts of which nothing else is. */
export function withLetters(
  asked: ReadonlyMap<string, readonly AskedNumber[]>,
  letters: TextLetters,
): ReadonlyMap<string, readonly AskedNumber[]> {
  const open = [...letters].filter(([name]) => !asked.has(name));
  return new Map([
    ...asked,
    ...open.map(([name, all]) => {
      const values = [...new Set(all)].map((each) => ({ of: each.charCodeAt(0), step: 0 as const }));
      return [name, values] as const;
    }),
  ]);
}

/** `1 << 20`, `2^18`, `4,096`, `64k`, `1.5 million`, `1e6`: a pattern with five groups, see `figureOf`. */
export const figure = String.raw`(\d+(?:[',_]\d{3})*(?:\.\d+)?(?:e\d+)?)(?:\s*(<<|\^|\*\*)\s*(\d+)|(\s?)([a-zµ]+))?`;

/** What letters behind a number make of it; of a power of two the short ones count in steps of 1024. */
const magnitudes: Readonly<Record<string, number>> = {
  ...{ k: 1, K: 1, M: 2, G: 3 },
  ...{ Ki: 1, Mi: 2, Gi: 3, thousand: 1, million: 2, billion: 3 },
};
/** What a number is of that counts no elements. */
const units = /^(?:[kKMGT]i?[bB]|[kMG]?Hz|[mnuµ]?s|sec|seconds?|minutes?|[mckµn]?m|x)$/;

/** The number of a figure, by the groups of its pattern; undefined where it counts no elements. */
export function figureOf([digits = "", operator, exponent, gap, word = ""]: readonly (string | undefined)[]):
  | number
  | undefined {
  // Letters right behind a number belong to it; behind a space they may be any word.
  if (magnitudes[word] === undefined && word !== "" && (gap === "" || units.test(word))) return undefined;
  const base = plainNumber(digits);
  return operator === undefined
    ? base * magnitudeOf(base, word)
    : powerOf(base, operator, Number(exponent ?? 0));
}

/** Whether a word behind a number is a part of it. */
export function isMagnitude(word: string): boolean {
  return magnitudes[word] !== undefined;
}

/** The number that digits with marks between them stand for. */
export function plainNumber(digits: string): number {
  return Number(digits.replace(/[',_]/g, ""));
}

function powerOf(base: number, operator: string, power: number): number {
  return operator === "<<" ? base * 2 ** power : base ** power;
}

/** What a word behind a number multiplies it with. */
export function magnitudeOf(base: number, word: string): number {
  const isBinary = word.endsWith("i") || (word.length === 1 && Number.isInteger(Math.log2(base)));
  return (isBinary ? 1024 : 1000) ** (magnitudes[word] ?? 0);
}

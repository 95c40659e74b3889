import type { Dialect, KernelSpec } from "../spec";
import type { UnknownPart } from "../spec-write";

/** What comments say of the sizes of a kernel: proposals for its largest shape, never facts. */

const comments = /\/\/[^\n]*|\/\*[^]*?\*\//g;
/** Of Python, with the strings that stand for themselves: docstrings. */
const pythonComments = /#[^\n]*|^[^\S\n]*[rRuU]?("""|''')[^]*?\1/gm;
/** `1 << 20`, `2^18`, `4,096`, `64k`, `1.5 million`, `1e6`. */
const figure = String.raw`(\d+(?:[',_]\d{3})*(?:\.\d+)?(?:e\d+)?)(?:\s*(<<|\^|\*\*)\s*(\d+)|(\s?)([a-zµ]+))?`;
/** Of `between 100 and 4000`; two numbers with "and" alone are no range. */
const and = String.raw`(?<=between\s+\d[\d.,'_]*\s?(?:[kmg]i?|million|thousand)?\s+)and`;
/** A number, or the greater end of a range: `n = 4096`, `rows ~ 2k-10k`. */
const span = String.raw`(?:(\d[\d.,'_]*)\s?([kmg]i?|million|thousand)?\s*(?:-|–|\.{2,3}|to|${and})\s*)?`;
const value = String.raw`${span}${figure}(?!\w|\.\d|[^\S\n]*[-/%])`;
const words = String.raw`(?:\s*(?:==?|:|is|are|of|~|usually|typically|about|between|e\.g\.|i\.e\.))+\s*`;
/** `bins <= 64`, `taps of up to 31`. */
const limit = String.raw`(?:\s*(?:is|are|of))*\s*(?:<=|≤|at most|up to|no more than)\s*`;
/** `1920x1080`, `1920 × 1080`. */
const frame = /\b(\d{2,5})\s*[x×]\s*(\d{2,5})\b(?!\s*[x×])/;
const acrossName = /^(?:.*_)?(?:w|width|cols|columns|nx|xres)$/i;
const downName = /^(?:.*_)?(?:h|height|rows|ny|yres)$/i;

/** What comments say of sizes, by their names. */
interface Stated {
  readonly sizes: Readonly<Record<string, number>>;
  /** What a size is said not to be larger than. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Numbers that the comments of a text say of sizes. */
export function statedSizes(text: string, names: readonly string[], dialect: Dialect): Stated {
  const said = commentsOf(text, dialect);
  const limits = numbersBehind(names, limit, said);
  const found = new Map([...limits, ...numbersBehind(names, words, said)]);
  const [, across, down] = frame.exec(said) ?? [];
  const widths = names.filter((name) => acrossName.test(name));
  const heights = names.filter((name) => downName.test(name));
  if (across !== undefined && widths.length > 0 && heights.length > 0) {
    for (const name of widths) if (!found.has(name)) found.set(name, Number(across));
    for (const name of heights) if (!found.has(name)) found.set(name, Number(down));
  }
  return { sizes: Object.fromEntries(found), limits: Object.fromEntries(limits) };
}

/** What the comments of a text say of any of its names, by the names in small letters. */
export function statedNumbers(text: string, dialect: Dialect): Readonly<Record<string, number>> {
  const inComments = wordsIn(commentsOf(text, dialect));
  const ofFrames = wordsIn(text).filter((name) => acrossName.test(name) || downName.test(name));
  return statedSizes(text, [...new Set([...inComments, ...ofFrames])], dialect).sizes;
}

function commentsOf(text: string, dialect: Dialect): string {
  const pattern = dialect === "triton" ? pythonComments : comments;
  return [...text.matchAll(pattern)].map(([each]) => each).join("\n");
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z_]\w*/g) ?? [];
}

/** The number that stands behind each name with such words between them. */
function numbersBehind(names: readonly string[], between: string, said: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) {
    const match = new RegExp(`(?<![\\w.])${name}\\b${between}${value}`, "i").exec(said);
    const number = match === null ? undefined : numberOf(match);
    if (number !== undefined) found.set(name, number);
  }
  return found;
}

/** What letters behind a number make of it; of a power of two the short ones count in steps of 1024. */
const magnitudes: Readonly<Record<string, number>> = {
  ...{ k: 1, K: 1, M: 2, G: 3 },
  ...{ Ki: 1, Mi: 2, Gi: 3, thousand: 1, million: 2, billion: 3 },
};
/** What a number is of that counts no elements. */
const units = /^(?:[kKMGT]i?[bB]|[kMG]?Hz|[mnuµ]?s|sec|seconds?|minutes?|[mckµn]?m|x)$/;

function numberOf([, from, fromWord, digits = "", operator, exponent, gap, word = ""]: RegExpExecArray):
  | number
  | undefined {
  const magnitude = magnitudes[word];
  // Letters right behind a number belong to it; behind a space they may be any word.
  if (magnitude === undefined && word !== "" && (gap === "" || units.test(word))) return undefined;
  const base = plainNumber(digits);
  const power = Number(exponent ?? 0);
  const result = operator === undefined ? base * scaleOf(base, word) : powerOf(base, operator, power);
  const begin =
    from === undefined ? undefined : plainNumber(from) * scaleOf(plainNumber(from), fromWord ?? "");
  if (begin !== undefined && !isSizeRange(begin, result)) return undefined;
  return Number.isSafeInteger(result) && result > 0 ? result : undefined;
}

/** What begins above its end is a difference, and nothing has a size of 0: that range is one of values. */
function isSizeRange(begin: number, end: number): boolean {
  return begin > 0 && begin < end;
}

function plainNumber(digits: string): number {
  return Number(digits.replace(/[',_]/g, ""));
}

function powerOf(base: number, operator: string, power: number): number {
  return operator === "<<" ? base * 2 ** power : base ** power;
}

function scaleOf(base: number, word: string): number {
  const isBinary = word.endsWith("i") || (word.length === 1 && Number.isInteger(Math.log2(base)));
  return (isBinary ? 1024 : 1000) ** (magnitudes[word] ?? 0);
}

/** A spec with sizes within their limits, and a word on what its largest shape has from comments. */
export function withStated<
  Found extends { readonly spec: KernelSpec; readonly unknowns: readonly UnknownPart[] },
>(found: Found, { sizes: stated, limits }: Stated): Found {
  const { spec, unknowns } = found;
  const within = ([name, size]: readonly [string, number]) => [name, Math.min(size, limits[name] ?? size)];
  const shapes = spec.shapes.map(({ sizes, ...shape }) => ({
    ...shape,
    sizes: Object.fromEntries(Object.entries(sizes).map(within)),
  }));
  const [largest] = shapes;
  const taken = Object.entries(stated).filter(([name, size]) => largest?.sizes[name] === size);
  if (taken.length === 0) return { ...found, spec: { ...spec, shapes } };
  const said = taken.map(([name, size]) => `${name}=${size}`).join(" ");
  const sentence = `the first shape has what comments of the source say: ${said}. If that is not meant, write your own.`;
  const origins = { ...spec.origins, shapes: "inferred" as const };
  return {
    ...found,
    spec: { ...spec, shapes, origins },
    unknowns: [{ path: "shapes", sentence }, ...unknowns],
  };
}

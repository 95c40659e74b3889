import type { Dialect, KernelSpec } from "../spec";
import type { UnknownPart } from "../spec-write";
import { figure, figureOf, magnitudeOf, plainNumber } from "../comments/figures";
import { wordedSizes } from "../comments/worded-sizes";

/** What comments say of the sizes of a kernel: proposals for its largest shape, never facts. */

const comments = /\/\/[^\n]*|\/\*[^]*?\*\//g;
/** Of Python, with the strings that stand for themselves: docstrings. */
const pythonComments = /#[^\n]*|^[^\S\n]*[rRuU]?("""|''')[^]*?\1/gm;
/** Of `between 100 and 4000`; two numbers with "and" alone are no range. */
const and = String.raw`(?<=between\s+\d[\d.,'_]*\s?(?:[kmg]i?|million|thousand)?\s+)and`;
/** A number, or the greater end of a range: `n = 4096`, `rows ~ 2k-10k`. */
const span = String.raw`(?:(\d[\d.,'_]*)\s?([kmg]i?|million|thousand)?\s*(?:-|–|\.{2,3}|to|${and})\s*)?`;
const value = String.raw`${span}${figure}(?!\w|\.\d|[^\S\n]*[-/%])`;
const words = String.raw`(?:\s*(?:==?|:|is|are|of|~|usually|typically|about|between|e\.g\.|i\.e\.))+\s*`;
/** `bins <= 64`, `taps of up to 31`. */
const limit = String.raw`(?:\s*(?:is|are|of))*\s*(?:<=|≤|at most|up to|no more than)\s*`;
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
  const told = [...wordedSizes(said, names, [names]), ...limits, ...numbersBehind(names, words, said)];
  return { sizes: Object.fromEntries(told), limits: Object.fromEntries(limits) };
}

/** What the comments of a Python text say of any of its names, by the names in small letters. */
export function statedNumbers(text: string): Readonly<Record<string, number>> {
  const said = commentsOf(text, "triton");
  const orders = shapesIn(text.replace(pythonComments, ""));
  const own = [...new Set(orders.flat())];
  const worded = wordedSizes(said, own, orders);
  const names = [...new Set([...wordsIn(said), ...own])];
  return Object.fromEntries([
    ...(worded.size > 0 ? worded : wordedSizes(said, plainNames, [])),
    ...numbersBehind(names, limit, said),
    ...numbersBehind(names, words, said),
  ]);
}

/** Names of sizes that nothing of the text names. */
const plainNames = ["batch", "heads", "rows", "columns", "size"];

/** `rows, cols = x.shape`. */
const fromShape = /^[^\S\n]*([\w, ]+?),?\s*=[^=\n]*(?:\.shape\b|\.(?:size|numel)\(|\blen\()/gm;

/** What a text takes from shapes, in its order, and each of the parameters of its functions. */
function shapesIn(code: string): readonly (readonly string[])[] {
  const taken = code.matchAll(fromShape);
  const parameters = code.matchAll(/\bdef\s+\w+\s*\(([^)]*)\)/g);
  const namesOf = ([, listed = ""]: RegExpExecArray): readonly string[] =>
    listed.split(",").flatMap((each) => /^\s*([A-Za-z]\w*)/.exec(each)?.[1]?.toLowerCase() ?? []);
  return [...[...taken].map(namesOf), ...[...parameters].flatMap(namesOf).map((name) => [name])];
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

function numberOf([, from, fromWord, ...groups]: RegExpExecArray): number | undefined {
  const result = figureOf(groups);
  if (result === undefined) return undefined;
  const begin =
    from === undefined ? undefined : plainNumber(from) * magnitudeOf(plainNumber(from), fromWord ?? "");
  if (begin !== undefined && !isSizeRange(begin, result)) return undefined;
  return Number.isSafeInteger(result) && result > 0 ? result : undefined;
}

/** What begins above its end is a difference, and nothing has a size of 0: that range is one of values. */
function isSizeRange(begin: number, end: number): boolean {
  return begin > 0 && begin < end;
}

/** Below this no stated size is halved: there would be nothing to do. */
const leastStated = 16;

/** Stated sizes of which the largest is halved until so little is left of all. */
export function partOfStated(
  stated: Readonly<Record<string, number>>,
  scale: number,
): Readonly<Record<string, number>> {
  const part = Object.entries(stated);
  for (let left = scale; left < 1; left *= 2) {
    const [largest] = [...part].sort(([, one], [, other]) => other - one);
    if (largest === undefined || largest[1] <= leastStated) break;
    largest[1] = Math.ceil(largest[1] / 2);
  }
  return Object.fromEntries(part);
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
  const where = "the first shape has what comments of the source say";
  const sentence = `${where}: ${said}. If that is not meant, write your own.`;
  const origins = { ...spec.origins, shapes: "inferred" as const };
  return {
    ...found,
    spec: { ...spec, shapes, origins },
    unknowns: [{ path: "shapes", sentence }, ...unknowns],
  };
}

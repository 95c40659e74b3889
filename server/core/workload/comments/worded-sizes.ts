import { nameWords } from "../../base/symbols/name-words";
import { figure, figureOf, isMagnitude } from "./figures";
import sizeWords from "./size-words.json";

/**
 * Numbers that sentences say of sizes without their names before them: `16384 x 256`, `(64, 2048, 512)`,
 * `batch of 64 sequences of 2048`, `512 steps`. `names`: of sizes; `orders`: orders in which code has them.
 */
export function wordedSizes(
  said: string,
  names: readonly string[],
  orders: readonly (readonly string[])[],
): ReadonlyMap<string, number> {
  const known = [...orders, ...ordersIn(said, names)];
  const sentences = said
    .replace(/(?:^|\n)[^\S\n]*(?:\/\/+|\/?\*+|#+)?[^\S\n]*/g, " ")
    .split(/(?<=[^\d\s])[.;](?=\s|$)|(?<=\d)[.;](?=\s)/);
  return new Map(
    [...sentences]
      .reverse()
      .flatMap((sentence) => [
        ...countedNouns(sentence, names),
        ...listedSizes(sentence, names, known),
        ...namedLists(sentence, names),
      ]),
  );
}

type Told = readonly (readonly [string, number])[];

const anyFigure = new RegExp(figure, "gi");
const times = String.raw`\s*(?:[x×*]|\bby\b)\s*`;
/** What such figures are of that are no sizes of a whole call. */
const smallThings =
  /\b(?:tiles?|tiled|blocks?|threads?|thread|warps?|patch(?:es)?|windows?|filters?|kernels?|stencils?|fragments?|mma|wmma|registers?|bits?|taps|micro\w*)\b/i;
/** How far from a list of figures such words tell something of it. */
const vicinity = 16;

/** `M x N x K = 4096 x 4096 x 1024`, `x: [rows, cols] = [16384, 256]`. */
function namedLists(sentence: string, names: readonly string[]): Told {
  const list = String.raw`(?<!\w)([A-Za-z_]\w*(?:\s*(?:[x×*,]|=(?!\s*\d))\s*[A-Za-z_]\w*)+)`;
  const pattern = new RegExp(
    String.raw`${list}\s*[)\]]?\s*(?:==?|:|is|are|of|~|usually|typically)+\s*[([]?\s*(\d[^;)\]]*)`,
    "gi",
  );
  return [...sentence.matchAll(pattern)].flatMap(([, listed = "", numbers = ""]) => {
    const called = listed.split(/\s*[x×*,=]\s*/i).map((each) => each.toLowerCase());
    const values = leadingFigures(numbers);
    const isAlike = /=/.test(listed) && values.length > 0;
    if (!isAlike && values.length !== called.length) return [];
    return called.flatMap((name, index) => {
      const own = names.find((each) => each.toLowerCase() === name);
      const value = isAlike ? values[0] : values[index];
      return own === undefined || value === undefined ? [] : [[own, value] as const];
    });
  });
}

/** The figures that a text begins with, with "x" or a comma between them. */
function leadingFigures(text: string): readonly number[] {
  const found: number[] = [];
  let rest = text;
  for (;;) {
    const match = new RegExp(String.raw`^\s*${figure}`).exec(rest);
    const isTimes = match?.[5] === "x" || match?.[5] === "by";
    const value = match === null ? undefined : figureOf(isTimes ? match.slice(1, 2) : match.slice(1));
    if (match === null || value === undefined) return found;
    found.push(value);
    const end = isTimes ? match[0].length - (match[5]?.length ?? 0) : match[0].length;
    const next = new RegExp(String.raw`^(?:${times}|\s*,\s*)(?=\d)`).exec(rest.slice(end));
    if (next === null) return found;
    rest = rest.slice(end + next[0].length);
  }
}

const acrossName = /^(?:.*_)?(?:w|width|nx|xres)$/i;
const downName = /^(?:.*_)?(?:h|height|ny|yres)$/i;
const rowsName = /^(?:n_?|num_?)?rows$|^m$/i;
const columnsName = /^(?:n_?|num_?)?(?:cols|columns)$|^n$/i;
const deepName = /^(?:.*_)?(?:nz|depth|zres)$/i;
const pictures = /\b(?:images?|frames?|pictures?|video|pixels?|camera|hd|uhd|4k)\b/i;

/** Figures with "x" between them: the sides of a frame, rows and columns, or all sizes in their order. */
function listedSizes(
  sentence: string,
  names: readonly string[],
  orders: readonly (readonly string[])[],
): Told {
  const one = String.raw`\d[\d',_]*(?:\s*(?:<<|\*\*)\s*\d+)?[kM]?`;
  const product = new RegExp(String.raw`(?<![\w.])${one}(?:\s*[x×]\s*${one})+(?![\w.]*\w)`, "g");
  const list = new RegExp(String.raw`(?<=[([]\s*)\d[\d_]*(?:\s*,\s*\d[\d_]*)+(?=\s*[)\]])`, "g");
  const cubes = cubesIn(sentence, names);
  if (cubes.length > 0) return cubes;
  // The list with the most figures says the most: `the 256x256 model: x is (16, 320, 32, 32)`.
  const found = [...sentence.matchAll(product), ...sentence.matchAll(list)].sort(
    (one, other) => leadingFigures(other[0]).length - leadingFigures(one[0]).length,
  );
  for (const { 0: text, index } of found) {
    const around = sentence.slice(Math.max(0, index - vicinity), index + text.length + vicinity);
    const values = leadingFigures(text);
    if (smallThings.test(around) || values.length < 2) continue;
    const sides = bySides(sentence, names, values);
    const isTold = cue.test(sentence) || namesSoMany(sentence, values.length);
    const told = sides.length > 0 || !isTold ? sides : byOrder(orders, values);
    if (told.length > 0) return told;
  }
  return [];
}

/** `512^3 volume`: all three sides of what has a depth. */
function cubesIn(sentence: string, names: readonly string[]): Told {
  const [, side = ""] = /(?<![\w.])(\d{2,4})\s*(?:\^|\*\*)\s*3(?!\w)/.exec(sentence) ?? [];
  const sides = [acrossName, downName, deepName].map((pattern) => names.filter((name) => pattern.test(name)));
  if (side === "" || sides.some((each) => each.length === 0)) return [];
  return sides.flat().map((name) => [name, Number(side)] as const);
}

/** Words of a call as it is usually made. */
const cue =
  /\b(?:typical\w*|usual\w*|calls?|called|shapes?|sizes?|sized|e\.g|bench\w*|defaults?|production|workload|inputs?|tensors?|train\w*|inference|matri\w+)\b/i;

/** Whether a sentence has a list of so many names: `q: (batch, seq, heads, dim), 4 x 2048 x 32 x 128`. */
function namesSoMany(sentence: string, count: number): boolean {
  const listed = sentence.matchAll(/[([]\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)+)\s*[)\]]/g);
  return [...listed].some(([, names = ""]) => names.split(",").length === count);
}

/** Sizes in the one order of so many that the source has. */
function byOrder(orders: readonly (readonly string[])[], values: readonly number[]): Told {
  const alike = new Map(
    orders.filter((order) => order.length === values.length).map((order) => [order.join(" "), order]),
  );
  const [order] = [...alike.values()];
  if (alike.size !== 1 || order === undefined) return [];
  return order.map((name, index) => [name, values[index] ?? 1] as const);
}

/** Lists of names in brackets: `x: [rows, cols]`. */
function ordersIn(said: string, names: readonly string[]): readonly (readonly string[])[] {
  return [...said.matchAll(/[([]\s*([A-Za-z_]\w*(?:\s*(?:,|[x×*])\s*[A-Za-z_]\w*)+)\s*[)\]]/g)].flatMap(
    ([, listed = ""]) => {
      const called = listed.split(/\s*(?:,|[×*]|\bx\b)\s*/i).map((each) => each.toLowerCase());
      const own = called.flatMap((each) => names.find((name) => name.toLowerCase() === each) ?? []);
      return own.length === called.length ? [own] : [];
    },
  );
}

/** Sides below this are those of a filter or a tile. */
const leastSide = 10;

function bySides(sentence: string, names: readonly string[], values: readonly number[]): Told {
  const [first = 0, second = 0] = values;
  if (Math.min(...values) < leastSide) return [];
  const named = (pattern: RegExp, value: number): Told =>
    names.filter((name) => pattern.test(name)).map((name) => [name, value] as const);
  const deep = names.filter((name) => deepName.test(name));
  const sides = [named(acrossName, first), named(downName, second)];
  if (values.length === 3 && deep.length > 0 && sides.every((each) => each.length > 0))
    return [...sides, named(deepName, values[2] ?? 0)].flat();
  // Of two figures and three sides nobody knows which two are meant.
  if (values.length !== 2 || deep.length > 0) return [];
  if (sides.every((each) => each.length > 0)) return sides.flat();
  const [down, across] = pictures.test(sentence) ? [second, first] : [first, second];
  const matrix = [named(rowsName, down), named(columnsName, across)];
  return matrix.every((each) => each.length > 0) ? matrix.flat() : [];
}

/** What is said of a part of the work. */
const partly =
  /\b(?:per|each|every|handles?|process(?:es)?|computes?|loads?|tiles? of|groups? of|chunks? of|blocks? of|one|first|last|next|at a time|unrolled|at once)\b/i;

/** What goes on behind a figure that is not of things that are counted: `1.5x`, `32-bit words`, `16 bits`. */
const noCount = /^(?:[\w.%]|-[a-z]|\s+(?:bits?|bytes?)\b)/i;

/** `512 steps`, `64 channels`, `batch of 64`, `sequences of 2048`. */
function countedNouns(sentence: string, names: readonly string[]): Told {
  const told: [string, number, number][] = [];
  for (const match of sentence.matchAll(anyFigure)) {
    const before = sentence.slice(0, match.index);
    const isEnd = /\d\s+[-–]\s+$/.test(before);
    if (!isEnd && /[\d.=<>/*+^-]\s*$|\w$/.test(before)) continue;
    const isPart = isMagnitude(match[5] ?? "");
    const groups = isPart || match[2] !== undefined ? match.slice(1) : match.slice(1, 2);
    const value = figureOf(groups);
    const end = isPart || match[2] !== undefined ? match[0].length : (match[1] ?? "").length;
    const after = sentence.slice(match.index + end);
    if (value === undefined || !Number.isSafeInteger(value) || value < 2 || noCount.test(after)) continue;
    const own = tieOf({ before, after, value, names });
    if (own !== undefined) told.push([own.name, value, own.rank]);
  }
  // A noun that is the name says more than one that may stand for it.
  return [...told].sort(([, , one], [, , other]) => other - one).map(([name, value]) => [name, value]);
}

interface Counted {
  readonly before: string;
  readonly after: string;
  readonly value: number;
  readonly names: readonly string[];
}

/** The size that a number in a sentence is told of. */
function tieOf({ before, after, value, names }: Counted): { name: string; rank: number } | undefined {
  const [, behind = ""] = /^\s+((?:[a-z]+[ -]?){1,2})/i.exec(after) ?? [];
  const isPartly =
    partly.test(before.slice(-vicinity)) || /^[^,.;]{0,24}\b(?:per|at a time|each|apiece)\b/i.test(after);
  const [, leading = ""] = /([a-z]+)\s+(?:size\s+)?(?:of\s+)?(?:about\s+|up to\s+)?$/i.exec(before) ?? [];
  if (isPartly) return undefined;
  const nouns = behind
    .trim()
    .split(/[ -]/)
    .filter((each) => each !== "");
  for (const noun of [...nouns].reverse()) {
    const own = namedBy(noun, value, names);
    if (own !== undefined) return own;
  }
  if (lengths.test(leading)) return namedBy(/^seq/i.test(leading) ? "length" : leading, value, names);
  // Of `32 heads of 128` the second is how wide each is.
  if (/\d\S*\s+[a-z]+\s+of\s+$/i.test(before)) return undefined;
  const own = namedBy(leading, value, names);
  return own?.rank === 0 ? own : undefined;
}

/** Words before a number that say what it counts: `sequences of 2048`, `width 512`. */
const lengths = /^(?:seq_?lens?|sequences?|length|context|width|batch|batches|dim|hidden|d_model)$/i;
/** Letters of a name that is the beginning of a noun: `vocab` of a vocabulary. */
const leastBeginning = 4;

/** The size that a noun names, or may stand for. */
function namedBy(
  noun: string,
  value: number,
  names: readonly string[],
): { name: string; rank: number } | undefined {
  const word = singular(noun.toLowerCase());
  const own =
    names.find((name) => stemOf(name) === word && name.length > 1) ??
    names.find((name) => name.toLowerCase() === `n${noun.toLowerCase()}` && noun.length >= leastBeginning) ??
    names.find((name) => stemOf(name).length >= leastBeginning && word.startsWith(stemOf(name)));
  if (own !== undefined) return { name: own, rank: 0 };
  for (const { nouns, names: stems, least = 2 } of sizeWords) {
    if (!nouns.some((each) => singular(each) === word) || value < least) continue;
    const found = stems.flatMap((stem) => names.filter((name) => stemOf(name) === stem));
    // What is called another noun of these counts that.
    const name = found.find((each) => !nouns.includes(stemOf(each))) ?? found[0];
    if (name !== undefined) return { name, rank: 1 };
  }
  return undefined;
}

/** What a size counts by its name: `n_rows`, `numRows` and `rowCount` count a row. */
export function stemOf(name: string): string {
  const plain = nameWords(name)
    .join("_")
    .replace(/^(?:n|num|number_of|no_of|total)_(?=.)/, "")
    .replace(/(?<=.)_(?:count|num|total)$/, "");
  return singular(
    plain.replace(
      /^n(?=(?:rows|cols|columns|bins|nodes|edges|steps|paths|atoms|bodies|points|batch|heads)$)/,
      "",
    ),
  );
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || word.length < 3) return word;
  return word.replace(/ies$/, "y").replace(/s$/, "");
}

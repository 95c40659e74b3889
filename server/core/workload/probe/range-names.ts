import { nameWords } from "../../base/symbols/name-words";
/** Words for where a range begins, each with those for where it ends. */
const ends: Readonly<Record<string, readonly string[]>> = {
  start: ["end", "stop", "finish"],
  begin: ["end"],
  first: ["last", "end"],
  from: ["to", "until"],
  lo: ["hi"],
  low: ["high"],
  lower: ["upper"],
  s: ["e"],
  beg: ["end"],
};

/**
 * Names that say where a range begins, each with the name of its end: of `row_start` that is `row_end`, of
 * `S_ROW` it is `E_ROW`.
 */
export function rangeBegins(names: readonly string[]): ReadonlyMap<string, string> {
  const words = names.map((name) => ({ name, words: wordsOf(name) }));
  return new Map(
    words.flatMap((begin): readonly (readonly [string, string])[] => {
      const end = words.find((each) => isRange(begin.words, each.words));
      return end === undefined ? [] : [[begin.name, end.name]];
    }),
  );
}

function isRange(begin: readonly string[], end: readonly string[]): boolean {
  if (begin.length !== end.length) return false;
  const differing = begin.flatMap((word, index) => (word === end[index] ? [] : [[word, end[index] ?? ""]]));
  const [[from = "", to = ""] = []] = differing;
  return differing.length === 1 && ends[from]?.includes(to) === true;
}

const lowerEnds: ReadonlySet<string> = new Set(["lo", "low", "lower", "min", "minimum"]);
const upperEnds: ReadonlySet<string> = new Set(["hi", "high", "upper", "max", "maximum"]);

/** Values of the elements of an array, in turn: equal ones would make rows of a matrix alike. */
const itemValues = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875, 0.4375];

/**
 * The value that a number of a floating type is made up to have: neutral neither in a product nor in a sum.
 * The ends of a range of values lie apart, so that some of the usual inputs lie between them.
 */
export function madeUpFloat(name: string): number {
  const end = endOfValues(name);
  if (end !== undefined) return end === "low" ? 0.25 : 1.5;
  const [, item = "0"] = /_(\d+)$/.exec(name) ?? [];
  return itemValues[Number(item) % itemValues.length] ?? 0.5;
}

/** Which end of a range of values a number is called. */
export function endOfValues(name: string): "low" | "high" | undefined {
  const words = wordsOf(name);
  if (words.some((word) => lowerEnds.has(word))) return "low";
  return words.some((word) => upperEnds.has(word)) ? "high" : undefined;
}

/** Words of a name; `istart` and `xmin` are one word each. */
function wordsOf(name: string): readonly string[] {
  return nameWords(name).flatMap(
    (part) => /^([a-z])(start|end|begin|stop|first|last|min|max)$/.exec(part)?.slice(1) ?? part,
  );
}

/** Whether a number is called a stride: `lda`, `row_stride`, `src_pitch`, or what `lda` leads to. */
export function isStrideName(name: string): boolean {
  return /(?:^|_)ld[a-z]?(?:_value)?$|stride|pitch/i.test(name);
}

/** Whether a number is called what leads from row to row of a matrix, which a step of a window is not. */
export function isLeadingDimension(name: string): boolean {
  return /(?:^|_)ld[a-z]?(?:_value)?$|pitch/i.test(name);
}

/** Bytes of the widest elements: what is called a pitch counts bytes (CUDA Runtime API, cudaMallocPitch). */
const widest = 16;

/** How often a number called a stride has to hold the elements of a row, to hold it whatever it counts. */
export function strideFactor(name: string): number {
  return /pitch/i.test(name) ? widest : 1;
}

/** Whether a number is called what counts turns or chooses a way: no table has so many rows. */
export function isTurnName(name: string): boolean {
  return /(?:^|_)(?:depth|level|iter\w*|step|seed|epoch|turn|round|phase|mode|flags?|frame|pass|time|t|dt)$/i.test(
    name,
  );
}

/** Whether an array is called one of lengths or counts: `seq_lens`, `row_counts`, `numValid`. */
export function isLengthName(name: string): boolean {
  return wordsOf(name).some((word) =>
    /^(?:\w*lens?|\w*lengths?|counts?|cnts?|sizes?|nums?|valid)$/.test(word),
  );
}

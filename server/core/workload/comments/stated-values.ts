/** Bounds of the values of an array, both of which may be there. */
export interface StatedValues {
  readonly low: number;
  readonly high: number;
}

/** From where to where, with what stands around it: `[0, 1)`, `0..255`. */
interface Interval {
  readonly opening: string;
  readonly from: string;
  readonly to: string;
  readonly closing: string;
}

const figure = String.raw`-?\w[\w.]*(?:\s*[-+]\s*\d+)?`;
const between = String.raw`(?:,|\.{2,3}|–)`;
const bracketed = String.raw`(?<opening>[[(])\s*(?<from>${figure})\s*${between}\s*(?<to>${figure})\s*(?<closing>[\])])`;
const plain = String.raw`(?<from>${figure})\s*(?:\.{2,3}|–)\s*(?<to>${figure})`;
/** Where a comment speaks of what is declared beside it and nothing else: `0 to 23`, `0-23`. */
const ofOne = String.raw`(?<![\w.])(?<from>-?\d[\w.]*)\s*(?:-|to|through|up to)\s*(?<to>${figure})`;
/** Words between a name and its interval, none of which says that something else is meant. */
const verbs = String.raw`(?:\s+(?:values?|are|is|lies?|lie|all|always|must|be|has|have|ranges?))*\s*(?:(?:in|within|from|∈|:|=)\s*)?`;

/**
 * What comments and assertions of a source say of the values of arrays, by their names: `delays in [1, 63]`,
 * `const float* gain, // [0, 1)`, `assert(x[i] >= 0)`. An end that is not included lies a little inside.
 */
export function statedValues(text: string, names: readonly string[]): ReadonlyMap<string, StatedValues> {
  const lines = text.split("\n");
  const stated = new Map<string, StatedValues>();
  for (const name of names) {
    const found = lines.flatMap((line) => inComment(line, name) ?? []).map((each) => valuesOf(each, text));
    const values = found.find((each) => each !== undefined) ?? asserted(text, name) ?? ofType(lines, name);
    if (values !== undefined) stated.set(name, values);
  }
  return stated;
}

/** What the comment of a line says of an array, by its name or since it is declared there. */
function inComment(line: string, name: string): Interval | undefined {
  const start = line.search(/\/\/|\/\*|^\s*\*|#(?!\s*(?:include|define|if|endif|else|pragma))/);
  if (start < 0) return undefined;
  const [code, comment] = [line.slice(0, start), line.slice(start)];
  const called = new RegExp(String.raw`(?<!\w)${name}s?(?:\[\w*\])?${verbs}(?:${bracketed})`, "i").exec(
    comment,
  );
  const spanned = new RegExp(String.raw`(?<!\w)${name}s?(?:\[\w*\])?${verbs}${plain}`, "i").exec(comment);
  const isDeclared = new RegExp(String.raw`[*&]\s*(?:__restrict__\s*)?${name}\s*[,)]?\s*$`).test(code);
  const own = isDeclared ? [bracketed, plain, ofOne].map((form) => new RegExp(form).exec(comment)) : [];
  return intervalOf([called, spanned, ...own]);
}

/** What the comment at a type says of its values: `typedef unsigned char lvl; // 0..23`. */
function ofType(lines: readonly string[], name: string): StatedValues | undefined {
  const behind = String.raw`(?:(?:__restrict__|__restrict|restrict|const)\s*)*`;
  const declared = new RegExp(String.raw`\b([A-Za-z_]\w*)\s*(?:const\s*)?\*\s*${behind}${name}\b`);
  const types = new Set(lines.flatMap((line) => declared.exec(line)?.[1] ?? []));
  for (const type of types) {
    const forms = [String.raw`typedef\s[^;]*\b${type}\s*;`, String.raw`using\s+${type}\s*=[^;]*;`];
    const head = new RegExp(String.raw`^\s*(?:${forms.join("|")})`);
    const index = lines.findIndex((line) => head.test(line));
    if (index < 0) continue;
    const beside = (lines[index] ?? "").replace(head, "");
    const above = lines[index - 1] ?? "";
    const found = [beside, above].flatMap((line) => ofComment(line) ?? [])[0];
    const values = found && valuesOf(found, lines.join("\n"));
    if (values !== undefined) return values;
  }
  return undefined;
}

/** The interval in a comment that stands alone on its line, or behind what it speaks of. */
function ofComment(line: string): Interval | undefined {
  const [, comment] = /^\s*(?:\/\/|\/\*|\*)(.*)$/.exec(line) ?? [];
  if (comment === undefined) return undefined;
  return intervalOf([bracketed, plain, ofOne].map((form) => new RegExp(form).exec(comment)));
}

function intervalOf(matches: readonly (RegExpExecArray | null)[]): Interval | undefined {
  const groups = matches.find((each) => each !== null)?.groups;
  if (groups === undefined) return undefined;
  const { opening = "[", from = "", to = "", closing = "]" } = groups;
  return { opening, from, to, closing };
}

function valuesOf({ opening, from, to, closing }: Interval, text: string): StatedValues | undefined {
  const [low, high] = [numberIn(from, text), numberIn(to, text)];
  if (low === undefined || high === undefined || low >= high) return undefined;
  const isWhole = Number.isInteger(low) && Number.isInteger(high) && high - low > 1;
  const step = isWhole ? 1 : (high - low) / 1024;
  return { low: opening === "(" ? low + step : low, high: closing === ")" ? high - step : high };
}

/** A number, a constant of the source by its name, or either with a number more or less. */
function numberIn(written: string, text: string): number | undefined {
  const [, first = "", sign, more = "0"] = /^(-?\w[\w.]*?)(?:\s*([-+])\s*(\d+))?$/.exec(written.trim()) ?? [];
  const own = Number(first.replace(/(?<=\d)[fFuUlL]+$/, ""));
  const value = first !== "" && Number.isFinite(own) ? own : constantIn(first, text);
  if (value === undefined) return undefined;
  return sign === "-" ? value - Number(more) : value + Number(more);
}

function constantIn(name: string, text: string): number | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const defined = new RegExp(String.raw`#\s*define\s+${name}\s+\(?(-?[\d.]+)`).exec(text);
  const assigned = new RegExp(String.raw`\b${name}\s*(?::\s*[\w.]+\s*)?=\s*(-?[\d.]+)\b`).exec(text);
  const value = Number((defined ?? assigned)?.[1]);
  return Number.isFinite(value) ? value : undefined;
}

/** How far inside of an end that is not included a value lies. */
const inside = 1 / 1024;

/** What assertions hold elements to. */
function asserted(text: string, name: string): StatedValues | undefined {
  const conditions = [...text.matchAll(/\bassert\s*\(([^;]*)\)\s*;/g)].flatMap(([, all = ""]) =>
    all.split("&&"),
  );
  const bounds = conditions.flatMap((condition) => boundIn(condition, name, text) ?? []);
  const low = bounds.find(({ isLow }) => isLow)?.value;
  const high = bounds.find(({ isLow }) => !isLow)?.value;
  if (low !== undefined) return { low, high: high ?? low + usualSpan };
  return high === undefined ? undefined : { low: high - usualSpan, high };
}

/** What one comparison of an element with a number says: `x[i] >= 0`. */
function boundIn(
  condition: string,
  name: string,
  text: string,
): { readonly isLow: boolean; readonly value: number } | undefined {
  const form = String.raw`\b${name}\s*\[[^\]]*\]\s*([<>])(=?)\s*(-?[\w.]+)`;
  const [, side, equal, written = ""] = new RegExp(form).exec(condition) ?? [];
  const value = side === undefined ? undefined : numberIn(written, text);
  if (value === undefined) return undefined;
  const step = equal === "=" ? 0 : inside;
  return side === ">" ? { isLow: true, value: value + step } : { isLow: false, value: value - step };
}

/** From one bound to where none is told. */
const usualSpan = 100;

/** A comparison of a loaded whole number with a number. */
export interface Comparison {
  /** As PTX names it: `eq`, `lo` … */
  readonly how: string;
  readonly isUnsigned: boolean;
  /** What it is compared with, 32 bits. */
  readonly with: number;
}

/** Whole numbers from `low` to `high`, both included; empty where `low` is the greater one. */
interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Those of PTX's names that ask the same of unsigned numbers. */
const unsignedNames: Readonly<Record<string, string>> = { lo: "lt", ls: "le", hi: "gt", hs: "ge" };

const inverses: Readonly<Record<string, string>> = {
  ...{ eq: "ne", ne: "eq", lt: "ge", ge: "lt", gt: "le", le: "gt" },
};

/** The comparison that holds where another one does not; undefined for one of floating-point numbers. */
export function inverse({ how, isUnsigned, with: other }: Comparison): Comparison | undefined {
  const name = inverses[unsignedNames[how] ?? how];
  if (name === undefined) return undefined;
  return { how: name, isUnsigned: isUnsigned || how in unsignedNames, with: other };
}

/**
 * Whether a comparison comes out the same for all numbers that another one holds of, and for one number more.
 * `bits`: of the numbers, which are zero-extended where they have fewer than 32. False where that is not
 * decided.
 */
export function agrees(
  asked: Comparison,
  { holding, more, bits }: { readonly holding: Comparison; readonly more: number; readonly bits: number },
): boolean {
  const sides = [asked, holding].filter(({ how }) => how !== "eq" && how !== "ne");
  const unsigned = sides.some((each) => each.isUnsigned || each.how in unsignedNames);
  const signed = sides.some((each) => !each.isUnsigned && !(each.how in unsignedNames));
  if (bits === 32 && unsigned && signed) return false;
  const domain = domainOf(bits, unsigned);
  const number = (value: number): number => numberIn(value, bits, unsigned);
  const [question, known] = [asked, holding].map(({ how, with: other }) => ({
    how: unsignedNames[how] ?? how,
    // Numbers of fewer bits are compared as they are: they may never be equal to a larger one.
    with: bits === 32 ? number(other) : other,
  }));
  if (question === undefined || known === undefined) return false;
  const truth = truthOn(question, where(known, domain));
  return truth !== undefined && truth === truthOn(question, { low: number(more), high: number(more) });
}

/** Whether a comparison holds of a number of so many bits; true where that is not decided. */
export function holds({ how, isUnsigned, with: other }: Comparison, value: number, bits: number): boolean {
  const unsigned = isUnsigned || how in unsignedNames;
  const [number, bound] = [value, other].map((each) => numberIn(each, bits, unsigned));
  if (number === undefined || bound === undefined) return true;
  const point = { low: number, high: number };
  return truthOn({ how: unsignedNames[how] ?? how, with: bound }, point) !== false;
}

function domainOf(bits: number, unsigned: boolean): Interval {
  if (bits < 32) return { low: 0, high: 2 ** bits - 1 };
  return unsigned ? { low: 0, high: 2 ** 32 - 1 } : { low: -(2 ** 31), high: 2 ** 31 - 1 };
}

function numberIn(value: number, bits: number, unsigned: boolean): number {
  if (bits < 32) return value & (2 ** bits - 1);
  return unsigned ? value >>> 0 : value | 0;
}

type Question = Pick<Comparison, "how" | "with">;

/** Numbers among which are all that a comparison holds of. */
function where({ how, with: other }: Question, { low, high }: Interval): Interval {
  switch (how) {
    case "eq":
      return { low: other, high: other };
    case "lt":
      return { low, high: Math.min(high, other - 1) };
    case "le":
      return { low, high: Math.min(high, other) };
    case "gt":
      return { low: Math.max(low, other + 1), high };
    case "ge":
      return { low: Math.max(low, other), high };
    default:
      return { low, high };
  }
}

/** Tells something of an interval and a number. */
type Test = (of: Interval, other: number) => boolean;

/** When a comparison holds of all numbers of an interval, and when of none. */
const answers: Readonly<Record<string, readonly [all: Test, none: Test]>> = {
  eq: [isPoint, isApart],
  ne: [isApart, isPoint],
  lt: [({ high }, other) => high < other, ({ low }, other) => low >= other],
  le: [({ high }, other) => high <= other, ({ low }, other) => low > other],
  gt: [({ low }, other) => low > other, ({ high }, other) => high <= other],
  ge: [({ low }, other) => low >= other, ({ high }, other) => high < other],
};

function isPoint({ low, high }: Interval, other: number): boolean {
  return low === other && high === other;
}

function isApart({ low, high }: Interval, other: number): boolean {
  return high < other || low > other;
}

/** What a comparison says of all numbers of an interval; undefined where it is not the same of all. */
function truthOn({ how, with: other }: Question, interval: Interval): boolean | undefined {
  const [all, none] = answers[how] ?? [];
  if (all === undefined || none === undefined || interval.low > interval.high) return undefined;
  if (all(interval, other)) return true;
  return none(interval, other) ? false : undefined;
}

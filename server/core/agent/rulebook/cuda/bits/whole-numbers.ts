/** A type of whole numbers. */
export interface WholeType {
  readonly bits: number;
  readonly signed: boolean;
}

/** A number with its type, as C++ computes with it. */
export interface Whole extends WholeType {
  readonly value: bigint;
}

const int: WholeType = { bits: 32, signed: true };

const widths: Readonly<Record<string, number>> = { char: 8, short: 16, int: 32, long: 64 };

/** The type that a name of whole numbers stands for: `uint32_t`, `unsigned long long`, `bool`. */
export function wholeType(written: string): WholeType | undefined {
  const name = written.replace(/\b(?:const|constexpr|register|std::)\b|std::/g, " ").trim();
  const sized = /^(u?)int(8|16|32|64)_t$/.exec(name);
  if (sized !== null) return { bits: Number(sized[2]), signed: sized[1] === "" };
  if (name === "bool") return { bits: 8, signed: false };
  if (name === "size_t") return { bits: 64, signed: false };
  const short = /^u(char|short|int|long)$/.exec(name)?.[1];
  if (short !== undefined) return { bits: widths[short] ?? 32, signed: false };
  const words = name.split(/\s+/);
  if (words.some((word) => !/^(?:unsigned|signed|char|short|int|long)$/.test(word))) return undefined;
  const kind = ["char", "short", "long"].find((word) => words.includes(word)) ?? "int";
  return { bits: widths[kind] ?? 32, signed: !words.includes("unsigned") };
}

/** A number of a type: what does not fit is cut off. */
export function wholeOf(value: bigint, { bits, signed }: WholeType): Whole {
  return { bits, signed, value: signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value) };
}

/** The number behind a literal; undefined for any other text. */
export function literalOf(text: string): Whole | undefined {
  // Some grammars take the sign for a part of the literal.
  if (text.startsWith("-")) {
    const own = literalOf(text.slice(1));
    return own && turned("-", own);
  }
  const [, digits, suffix = ""] = /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)([uUlL]*)$/.exec(text) ?? [];
  if (digits === undefined || /^0\d/.test(digits)) return undefined;
  const value = BigInt(digits);
  const unsigned = /u/i.test(suffix);
  const long = /l/i.test(suffix) || value > 0xffffffffn;
  const hex = digits.startsWith("0x") || digits.startsWith("0X");
  const fits = value < (long ? 1n << 63n : 1n << 31n);
  return wholeOf(value, { bits: long || !(fits || hex || unsigned) ? 64 : 32, signed: !unsigned && fits });
}

function promoted(number: Whole): Whole {
  return number.bits < int.bits ? wholeOf(number.value, int) : number;
}

function together(a: Whole, b: Whole): WholeType {
  if (a.bits !== b.bits) return a.bits > b.bits ? a : b;
  return a.signed ? b : a;
}

const arithmetic: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0n ? undefined : a / b),
  "%": (a, b) => (b === 0n ? undefined : a % b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
};

const comparisons: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** What C++ makes of two numbers; undefined where that is not defined. */
export function combined(operator: string, left: Whole, right: Whole): Whole | undefined {
  const [a, b] = [promoted(left), promoted(right)];
  if (operator === "<<" || operator === ">>") {
    if (b.value < 0n || b.value >= BigInt(a.bits)) return undefined;
    return wholeOf(operator === "<<" ? a.value << b.value : a.value >> b.value, a);
  }
  const type = together(a, b);
  const [x, y] = [wholeOf(a.value, type).value, wholeOf(b.value, type).value];
  const compare = comparisons[operator];
  if (compare !== undefined) return wholeOf(compare(x, y) ? 1n : 0n, int);
  const value = arithmetic[operator]?.(x, y);
  return value === undefined ? undefined : wholeOf(value, type);
}

/** What C++ makes of one number; undefined for an operator that is not known. */
export function turned(operator: string, number: Whole): Whole | undefined {
  const own = promoted(number);
  if (operator === "!") return wholeOf(own.value === 0n ? 1n : 0n, int);
  if (operator === "~") return wholeOf(~own.value, own);
  if (operator === "-") return wholeOf(-own.value, own);
  return operator === "+" ? own : undefined;
}

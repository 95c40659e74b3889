/** The arguments of one printf, in memory as little-endian values of 4 or 8 bytes. */
export interface PrintSource {
  /** The next argument of 4 or 8 bytes as an unsigned number. */
  next(bytes: 4 | 8): bigint;
  /** The text at a device address, up to its null byte. */
  text(address: bigint): string;
}

interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** Undefined when none is written. */
  readonly precision: number | undefined;
  readonly length: string;
  readonly letter: string;
}

const pattern = /%([-+ #0]*)(\*|\d*)(?:\.(\*|-?\d*))?(hh|h|ll|l|j|z|t|L)?([diouxXeEfFgGaAcspn%])/g;
/** Fields are never padded beyond this. */
const widestField = 4096;
/** Most arguments of CUDA's printf besides the format; conversions beyond them are printed as written. */
const mostArguments = 32;

/**
 * Formats as C's printf does (ISO C 7.23.6.1) with the types of CUDA's device-side printf (CUDA C++
 * Programming Guide, "Formatted output"): `long` has 8 bytes, %p is hexadecimal with 0x. Text that is not a
 * valid conversion is printed as written.
 */
export function formatPrint(format: string, source: PrintSource): string {
  let taken = 0;
  return format.replace(pattern, (written: string, ...groups: readonly (string | undefined)[]) => {
    const [flags = "", width = "", precision, length = "", letter = ""] = groups;
    if (letter === "%") return "%";
    taken += 1 + Number(width === "*") + Number(precision === "*");
    if (taken > mostArguments) return written;
    const signedWidth = fieldNumber(width, source) ?? 0;
    const signedPrecision = fieldNumber(precision, source);
    const hasPrecision = signedPrecision !== undefined && signedPrecision >= 0;
    const conversion: Conversion = {
      // A negative width means left-justified; a negative precision counts as none.
      flags: signedWidth < 0 ? `${flags}-` : flags,
      width: Math.min(Math.abs(signedWidth), widestField),
      precision: hasPrecision ? Math.min(signedPrecision, widestField) : undefined,
      length,
      letter,
    };
    return convert(conversion, source);
  });
}

/** A width or precision: a number, `*` for the next argument, or none. An empty text is 0. */
function fieldNumber(written: string | undefined, source: PrintSource): number | undefined {
  if (written === undefined) return undefined;
  return written === "*" ? Number(BigInt.asIntN(32, source.next(4))) : Number(written);
}

type Formatter = (conversion: Conversion, source: PrintSource) => string;

const formatSigned: Formatter = (conversion, source) => {
  const value = signedArgument(conversion, source);
  return formatDigits(conversion, value, signOf(conversion.flags, value < 0n));
};

const formatUnsigned: Formatter = (conversion, source) =>
  formatDigits(conversion, unsignedArgument(conversion, source), "");

const formatHexadecimal: Formatter = (conversion, source) => {
  const value = unsignedArgument(conversion, source);
  const text = formatDigits(conversion, value, conversion.flags.includes("#") && value !== 0n ? "0x" : "");
  return conversion.letter === "X" ? text.toUpperCase() : text;
};

const formatCharacter: Formatter = (conversion, source) =>
  pad(conversion, String.fromCharCode(Number(source.next(4) & 0xffn)));

const formatText: Formatter = (conversion, source) => {
  const address = source.next(8);
  const text = address === 0n ? "(null)" : source.text(address);
  return pad(conversion, text.slice(0, conversion.precision));
};

const formatPointer: Formatter = (conversion, source) => {
  const address = source.next(8);
  const text = address === 0n ? "(nil)" : `0x${address.toString(16)}`;
  return pad({ ...conversion, flags: conversion.flags.replace("0", "") }, text);
};

/** %n stores nothing on a GPU; it takes its argument. */
const formatNothing: Formatter = (_, source) => {
  source.next(8);
  return "";
};

const formatters: Readonly<Record<string, Formatter>> = {
  d: formatSigned,
  i: formatSigned,
  u: formatUnsigned,
  o: formatUnsigned,
  x: formatHexadecimal,
  X: formatHexadecimal,
  c: formatCharacter,
  s: formatText,
  p: formatPointer,
  n: formatNothing,
};

/** Formats one conversion; the letters that are not in the table are those of floats. */
function convert(conversion: Conversion, source: PrintSource): string {
  return formatters[conversion.letter]?.(conversion, source) ?? formatFloat(conversion, source.next(8));
}

/** Bits of an integer argument by its length modifier; every other modifier means 64. */
const lengthBits: Readonly<Record<string, number>> = { hh: 8, h: 16, "": 32, L: 32 };

function bitsOf({ length }: Conversion): number {
  return lengthBits[length] ?? 64;
}

function unsignedArgument(conversion: Conversion, source: PrintSource): bigint {
  const bits = bitsOf(conversion);
  return BigInt.asUintN(bits, source.next(bits === 64 ? 8 : 4));
}

function signedArgument(conversion: Conversion, source: PrintSource): bigint {
  return BigInt.asIntN(bitsOf(conversion), unsignedArgument(conversion, source));
}

function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** The sign to print: `-`, or what the flags ask for in its place. */
function signOf(flags: string, isNegative: boolean): string {
  if (isNegative) return "-";
  if (flags.includes("+")) return "+";
  return flags.includes(" ") ? " " : "";
}

/** Numeral systems by letter; every other letter is decimal. */
const radices: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16 };

/** An integer's digits with its sign or prefix, padded to the width. */
function formatDigits(conversion: Conversion, value: bigint, prefix: string): string {
  const { flags, precision, letter } = conversion;
  const magnitude = value < 0n ? -value : value;
  let digits = value === 0n && precision === 0 ? "" : magnitude.toString(radices[letter] ?? 10);
  if (precision !== undefined) digits = digits.padStart(precision, "0");
  if (flags.includes("#") && letter === "o" && !digits.startsWith("0")) digits = `0${digits}`;
  return pad(conversion, precision === undefined ? zeroPad(conversion, prefix, digits) : prefix + digits);
}

/** Inserts the zeroes of the 0 flag between the sign or prefix and the digits. */
function zeroPad({ flags, width }: Conversion, prefix: string, digits: string): string {
  const filled = flags.includes("0") && !flags.includes("-");
  return prefix + (filled ? digits.padStart(width - prefix.length, "0") : digits);
}

function pad({ flags, width }: Conversion, text: string): string {
  return flags.includes("-") ? text.padEnd(width) : text.padStart(width);
}

/** A double by its bits. A NaN has a sign too, as the C library prints it. */
function formatFloat(conversion: Conversion, bits: bigint): string {
  const { flags, letter } = conversion;
  const prefix = signOf(flags, bits >> 63n === 1n);
  const text = pad(conversion, magnitudeText(conversion, prefix, Math.abs(doubleOf(bits))));
  return letter === letter.toUpperCase() ? text.toUpperCase() : text;
}

function magnitudeText(conversion: Conversion, prefix: string, magnitude: number): string {
  if (Number.isNaN(magnitude)) return `${prefix}nan`;
  return magnitude === Infinity ? `${prefix}inf` : finite(conversion, prefix, magnitude);
}

function finite(conversion: Conversion, prefix: string, magnitude: number): string {
  const { flags, letter, precision = 6 } = conversion;
  const alternate = flags.includes("#");
  switch (letter.toLowerCase()) {
    case "f":
      return zeroPad(conversion, prefix, withPoint(decimal(magnitude, precision), alternate));
    case "e":
      return zeroPad(conversion, prefix, exponential(magnitude, precision, alternate));
    case "g":
      return zeroPad(conversion, prefix, shortest(magnitude, Math.max(1, precision), alternate));
    default:
      return zeroPad(conversion, `${prefix}0x`, hexadecimal(magnitude, conversion.precision, alternate));
  }
}

function withPoint(digits: string, alternate: boolean): string {
  return alternate && !digits.includes(".") ? `${digits}.` : digits;
}

/** A double as an exact fraction: significand times two to the power of `exponent`. */
function exactParts(magnitude: number): { readonly significand: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, magnitude);
  const bits = view.getBigUint64(0);
  const field = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & ((1n << 52n) - 1n);
  return field === 0
    ? { significand: fraction, exponent: -1074 }
    : { significand: fraction | (1n << 52n), exponent: field - 1075 };
}

/** The nearest integer to a double times a power of ten, ties to even: exact, as the C library rounds. */
function scaled(magnitude: number, power: number): bigint {
  const { significand, exponent } = exactParts(magnitude);
  let [over, under] = [significand, 1n];
  if (power >= 0) over *= 10n ** BigInt(power);
  else under *= 10n ** BigInt(-power);
  if (exponent >= 0) over <<= BigInt(exponent);
  else under <<= BigInt(-exponent);
  const [whole, rest] = [over / under, over % under];
  const twice = 2n * rest;
  return twice > under || (twice === under && whole % 2n === 1n) ? whole + 1n : whole;
}

function decimal(magnitude: number, precision: number): string {
  const digits = scaled(magnitude, precision)
    .toString()
    .padStart(precision + 1, "0");
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/**
 * `count` significant decimal digits and the decimal exponent of the first. The shortest text that reads back
 * as the number may be a power of ten just above it (1e23), and rounding may carry into one: so the search
 * for the exponent starts one below.
 */
function significant(
  magnitude: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (magnitude === 0) return { digits: "0".repeat(count), exponent: 0 };
  const guess = Number(magnitude.toExponential().split("e")[1]);
  for (let exponent = guess - 1; ; exponent += 1) {
    const digits = scaled(magnitude, count - 1 - exponent).toString();
    if (digits.length <= count) return { digits, exponent };
  }
}

function exponential(magnitude: number, precision: number, alternate: boolean): string {
  const { digits, exponent } = significant(magnitude, precision + 1);
  const mantissa =
    precision === 0 ? withPoint(digits, alternate) : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function shortest(magnitude: number, precision: number, alternate: boolean): string {
  const { exponent } = significant(magnitude, precision);
  const isPlain = exponent >= -4 && exponent < precision;
  const text = isPlain
    ? withPoint(decimal(magnitude, precision - 1 - exponent), alternate)
    : exponential(magnitude, precision - 1, alternate);
  if (alternate) return text;
  const [mantissa = "", power] = text.split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power === undefined ? trimmed : `${trimmed}e${power}`;
}

/** %a: a hexadecimal significand, with a leading 1 unless subnormal, and a power of two. */
function hexadecimal(magnitude: number, precision: number | undefined, alternate: boolean): string {
  if (magnitude === 0) return `${withPoint(precision ? `0.${"0".repeat(precision)}` : "0", alternate)}p+0`;
  const { significand, exponent } = exactParts(magnitude);
  let kept = significand;
  let digits = 13;
  if (precision !== undefined && precision < 13) {
    const cut = BigInt(4 * (13 - precision));
    const half = 1n << (cut - 1n);
    const rest = kept & ((1n << cut) - 1n);
    kept >>= cut;
    if (rest > half || (rest === half && kept % 2n === 1n)) kept += 1n;
    digits = precision;
  }
  const text = kept.toString(16).padStart(digits + 1, "0");
  const [lead, tail] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  const fraction = precision === undefined ? tail.replace(/0+$/, "") : tail.padEnd(precision, "0");
  const power = exponent + 52;
  return `${fraction === "" ? withPoint(lead, alternate) : `${lead}.${fraction}`}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

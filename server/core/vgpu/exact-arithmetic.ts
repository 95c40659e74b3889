import { invariant } from "../base/assert";
import { exactOperations, exactRoundings } from "./library/arithmetic/floats";

/** A finite number as integer times a power of two. */
interface Dyadic {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const view = new DataView(new ArrayBuffer(8));

function toDyadic(value: number): Dyadic {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const magnitude = field === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: bits >> 63n === 1n ? -magnitude : magnitude, exponent: Math.max(field, 1) - 1075 };
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

type Rounding = (typeof exactRoundings)[number];
type Operation = (typeof exactOperations)[number];

/** Precision and exponent range of a format. */
const formats = {
  32: { precision: 24, least: -149, most: 128 },
  64: { precision: 53, least: -1074, most: 1024 },
} as const;

/**
 * Rounds mantissa × 2^exponent, plus something positive but smaller than one unit of the mantissa when
 * `sticky`, to a format (IEEE 754 section 4.3).
 */
function round(value: Dyadic, sticky: boolean, format: 32 | 64, rounding: Rounding): number {
  const { precision, least, most } = formats[format];
  const negative = value.mantissa < 0n;
  const outward = (rounding === "rp" && !negative) || (rounding === "rm" && negative);
  let magnitude = negative ? -value.mantissa : value.mantissa;
  let { exponent } = value;
  // Four bits more, so that `sticky` is below the rounding position.
  magnitude = (magnitude << 4n) | (sticky ? 1n : 0n);
  exponent -= 4;
  const drop = Math.max(bitLength(magnitude) - precision, least - exponent);
  if (drop > 0) {
    magnitude = cutOff(magnitude, drop, outward ? "away" : rounding);
    exponent += drop;
  }
  if (bitLength(magnitude) + exponent > most) {
    const largest = (2 - 2 ** (1 - precision)) * 2 ** (most - 1);
    return (negative ? -1 : 1) * (rounding === "rn" || outward ? Infinity : largest);
  }
  const scaled = scale(Number(magnitude), exponent);
  return negative ? -scaled : scaled;
}

/** Drops the lowest bits of a magnitude: away from zero, to nearest (ties to even), or else towards zero. */
function cutOff(magnitude: bigint, bits: number, rounding: Rounding | "away"): bigint {
  const cut = BigInt(bits);
  const rest = magnitude & ((1n << cut) - 1n);
  const half = 1n << (cut - 1n);
  const kept = magnitude >> cut;
  const nearestUp = rounding === "rn" && (rest > half || (rest === half && (kept & 1n) === 1n));
  return rest !== 0n && (rounding === "away" || nearestUp) ? kept + 1n : kept;
}

/** value × 2^exponent, exact because the result is known to fit. */
function scale(value: number, exponent: number): number {
  let result = value;
  let rest = exponent;
  for (; rest < -1000; rest += 1000) result *= 2 ** -1000;
  for (; rest > 1000; rest -= 1000) result *= 2 ** 1000;
  return result * 2 ** rest;
}

function sum(a: Dyadic, b: Dyadic): Dyadic {
  const exponent = Math.min(a.exponent, b.exponent);
  const align = (value: Dyadic): bigint => value.mantissa << BigInt(value.exponent - exponent);
  return { mantissa: align(a) + align(b), exponent };
}

function product(a: Dyadic, b: Dyadic): Dyadic {
  return { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent };
}

/**
 * The operation in ordinary doubles: right for zeroes, infinities and NaNs, which have no exact form here.
 */
function plain(operation: Operation, a: number, b: number, c: number): number {
  switch (operation) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "fma":
      return Number.isFinite(a) && Number.isFinite(b) ? c : a * b + c;
    case "div":
      return a / b;
    default:
      return Math.sqrt(a);
  }
}

interface Target {
  readonly format: 32 | 64;
  readonly rounding: Rounding;
}

/** Sum of exact values; a zero has the sign that the rounding mode gives it (IEEE 754 section 6.3). */
function roundSum(a: Dyadic, b: Dyadic, ifZero: number, { format, rounding }: Target): number {
  const total = sum(a, b);
  if (total.mantissa !== 0n) return round(total, false, format, rounding);
  if (Object.is(ifZero, -0) || a.mantissa !== 0n || b.mantissa !== 0n)
    return rounding === "rm" || Object.is(ifZero, -0) ? -0 : 0;
  return rounding === "rm" && ifZero !== 0 ? -0 : ifZero;
}

/** Sign of x + y when both are zero: that of both, else by the rounding mode. */
function zeroSum(x: number, y: number, rounding: Rounding): number {
  if (Object.is(x, -0) && Object.is(y, -0)) return -0;
  if (Object.is(x, -0) || Object.is(y, -0)) return rounding === "rm" ? -0 : 0;
  return 0;
}

const operandCounts: Readonly<Record<Operation, number>> = {
  add: 2,
  sub: 2,
  mul: 2,
  fma: 3,
  div: 2,
  sqrt: 1,
};

/** True when the operands are finite numbers for which the operation has a finite result. */
function hasExactForm(operation: Operation, [a, b, c]: readonly [number, number, number]): boolean {
  if (operation === "div" && b === 0) return false;
  if (operation === "sqrt" && a <= 0) return false;
  return [a, b, c].slice(0, operandCounts[operation]).every(Number.isFinite);
}

/**
 * add, sub, mul, fma, div, sqrt of singles or doubles with any rounding, exactly. Singles come and go as
 * doubles. Used by the rare instructions that WebAssembly cannot do.
 */
export function exactArithmetic(
  operationIndex: number,
  roundingIndex: number,
  width: number,
  ...[a, b, c]: [number, number, number]
): number {
  const operation = exactOperations[operationIndex];
  const rounding = exactRoundings[roundingIndex];
  invariant(
    operation && rounding,
    "generated code names an exact operation and its rounding by their numbers",
  );
  const format = width === 32 ? 32 : 64;
  if (!hasExactForm(operation, [a, b, c])) return plain(operation, a, b, c);
  const [x, y] = [toDyadic(a), toDyadic(b)];
  switch (operation) {
    case "add":
      return roundSum(x, y, zeroSum(a, b, rounding), { format, rounding });
    case "sub":
      return roundSum(x, toDyadic(-b), zeroSum(a, -b, rounding), { format, rounding });
    case "mul":
      return a === 0 || b === 0 ? a * b : round(product(x, y), false, format, rounding);
    case "fma":
      return roundSum(product(x, y), toDyadic(c), zeroSum(productSign(a, b), c, rounding), {
        format,
        rounding,
      });
    case "div":
      return a === 0 ? a / b : quotient(x, y, format, rounding);
    default:
      return squareRoot(x, format, rounding);
  }
}

/** A zero with the product's sign. */
function productSign(a: number, b: number): number {
  const negative = (a < 0 || Object.is(a, -0)) !== (b < 0 || Object.is(b, -0));
  return negative ? -0 : 0;
}

function quotient(x: Dyadic, y: Dyadic, format: 32 | 64, rounding: Rounding): number {
  const extra = 128n;
  const negative = x.mantissa < 0n !== y.mantissa < 0n;
  const dividend = (x.mantissa < 0n ? -x.mantissa : x.mantissa) << extra;
  const divisor = y.mantissa < 0n ? -y.mantissa : y.mantissa;
  const whole = dividend / divisor;
  const mantissa = negative ? -whole : whole;
  return round(
    { mantissa, exponent: x.exponent - y.exponent - Number(extra) },
    dividend % divisor !== 0n,
    format,
    rounding,
  );
}

function squareRoot(x: Dyadic, format: 32 | 64, rounding: Rounding): number {
  const odd = x.exponent % 2 !== 0;
  const shift = 128n + (odd ? 1n : 0n);
  const radicand = x.mantissa << shift;
  let root = 1n << BigInt((bitLength(radicand) + 1) >> 1);
  for (;;) {
    const next = (root + radicand / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return round(
    { mantissa: root, exponent: (x.exponent - Number(shift)) / 2 },
    root * root !== radicand,
    format,
    rounding,
  );
}

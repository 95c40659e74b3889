import { constantForm, type Form, symbolsOf } from "../decide/form";
import type { UpperProduct } from "../decide/symbols";
import type { Machine } from "./machine";

/** Bits of the factors of a product of which the upper half is taken. */
const bits = 32;

/**
 * The upper half of the product of a form, which is never negative and has so many bits, with a factor below
 * 2^32: where the factor is a rounded reciprocal, the quotient that compilers mean by it.
 */
export function upperHalf({ symbols }: Pick<Machine, "symbols">, product: UpperProduct): Form {
  const divisor = divisorOf(product, 0);
  if (divisor === undefined) return symbols.upper(product);
  const quotient = symbols.quotient(product.of, constantForm(divisor), 0);
  // Shifted on, it may be that of a multiple.
  symbols.noteUpper(quotient, product);
  return quotient;
}

/** A form divided by a power of two, where it is the upper half of a product: see `upperHalf`. */
export function shiftedUpperHalf(
  { symbols }: Pick<Machine, "symbols">,
  form: Form,
  by: number,
): Form | undefined {
  const [symbol, ...others] = symbolsOf(form);
  const isBare = symbol !== undefined && others.length === 0 && form.constant === 0;
  if (!isBare || form.terms.get(String(symbol)) !== 1) return undefined;
  const product = symbols.upperProduct(symbol);
  const divisor = product && divisorOf(product, by);
  if (product === undefined || divisor === undefined) return undefined;
  return symbols.quotient(product.of, constantForm(divisor), 0);
}

/**
 * The number by which a product's upper half divides once its lower bits are shifted out, for all numbers of
 * so many bits (Granlund and Montgomery, Division by Invariant Integers using Multiplication, theorem 4.2).
 */
function divisorOf({ factor, bits: ofDividend }: UpperProduct, by: number): number | undefined {
  const whole = 2n ** BigInt(bits + by);
  const divisor = (whole + BigInt(factor) - 1n) / BigInt(factor);
  const candidates = [divisor - 1n, divisor].filter((each) => each >= 2n);
  const allowed = 2n ** BigInt(bits + by - ofDividend);
  const found = candidates.find((each) => {
    const error = BigInt(factor) * each - whole;
    return error >= 0n && error <= allowed;
  });
  return found === undefined ? undefined : Number(found);
}

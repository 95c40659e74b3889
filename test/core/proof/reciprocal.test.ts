import { expect, test } from "vitest";
import { constantForm, keyOf } from "../../../server/core/proof/decide/form";
import { Symbols } from "../../../server/core/proof/decide/symbols";
import { shiftedUpperHalf, upperHalf } from "../../../server/core/proof/follow/reciprocal";

/** What compilers divide by, for so many bits: a factor and a shift. Undefined where more is needed. */
function reciprocal(divisor: bigint, bits: 31 | 32): { factor: number; by: number } | undefined {
  for (let by = 0n; by < 32n; by += 1n) {
    const factor = 2n ** (32n + by) / divisor + 1n;
    const error = factor * divisor - 2n ** (32n + by);
    if (factor < 2n ** 32n && error <= 2n ** (32n + by - BigInt(bits)))
      return { factor: Number(factor), by: Number(by) };
  }
  return undefined;
}

test.each([31, 32] as const)("a product with a rounded reciprocal is a quotient, of %d bits", (bits) => {
  const divisors = [3, 5, 6, 9, 10, 11, 12, 25, 100, 125, 625, 641, 1000, 10_007, 1_000_003];
  for (const divisor of divisors) {
    const found = reciprocal(BigInt(divisor), bits);
    if (found === undefined) continue;
    const symbols = new Symbols();
    const of = symbols.add({ name: "n", low: 0 });
    const half = upperHalf({ symbols }, { of, factor: found.factor, bits });
    const quotient = found.by === 0 ? half : shiftedUpperHalf({ symbols }, half, found.by);
    expect(keyOf(quotient ?? half)).toBe(keyOf(symbols.quotient(of, constantForm(divisor), 0)));
  }
});

test("a product with another factor is no quotient", () => {
  for (const factor of [0x5555_5550, 0xaaaa_0000, 0x1234_5678, 0x7fff_ffff]) {
    const symbols = new Symbols();
    const of = symbols.add({ name: "n", low: 0 });
    const half = upperHalf({ symbols }, { of, factor, bits: 31 });
    const exact = (x: bigint): bigint => (x * BigInt(factor)) >> 32n;
    for (const by of [1, 2, 5]) {
      const quotient = shiftedUpperHalf({ symbols }, half, by);
      const divisor = quotient && [2n ** 31n - 1n, 2n ** 30n, 12_345n].map((x) => exact(x) >> BigInt(by));
      expect([factor, by, divisor]).toEqual([factor, by, undefined]);
    }
  }
});

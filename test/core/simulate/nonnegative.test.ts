import fc from "fast-check";
import { expect, test } from "vitest";
import { type Equation, leastSquares } from "../../../server/core/simulate/counts/nonnegative";
import { draws } from "../../harness/draws";

const equation = (terms: Equation["terms"], value: number, weight = 1): Equation => ({
  terms,
  value,
  weight,
});

test.each<[string, Equation[], number[], number[]]>([
  [
    "an exact solution",
    [
      equation([[0, 2]], 4),
      equation(
        [
          [0, 1],
          [1, 1],
        ],
        5,
      ),
    ],
    [0, 0],
    [2, 3],
  ],
  [
    "none below zero",
    [
      equation([[0, 1]], -3),
      equation(
        [
          [0, 1],
          [1, 1],
        ],
        2,
      ),
    ],
    [0, 0],
    [0, 2],
  ],
  ["the heavier of two that contradict", [equation([[0, 1]], 1, 999), equation([[0, 1]], 2)], [0], [1.001]],
  [
    "the cheaper of two ways",
    [
      equation(
        [
          [0, 4],
          [1, 1],
        ],
        64,
        1000,
      ),
    ],
    [0.001, 0.001],
    [16, 0],
  ],
])("%s", (_, equations, costs, expected) => {
  const found = [...leastSquares(equations, costs.length, costs)];
  expect(found.map((value) => Math.round(value * 1000) / 1000)).toEqual(expected);
});

const unknowns = 24;

/** Equations of neighbours, as those of a flow, and now and then one of unknowns far from each other. */
const sparse = fc.array(
  fc
    .record({
      from: fc.nat(unknowns - 1),
      others: fc.array(fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, fc.nat(unknowns - 1)), { maxLength: 3 }),
      signs: fc.array(fc.constantFrom(-1, 1, 2), { minLength: 4, maxLength: 4 }),
      value: fc.integer({ min: -50, max: 100 }),
    })
    .map(({ from, others, signs, value }) => {
      const members = [...new Set([from, ...others.map((distance) => (from + distance) % unknowns)])];
      return equation(
        members.map((unknown, n) => [unknown, signs[n] ?? 1]),
        value,
      );
    }),
  { minLength: 4, maxLength: 60 },
);

test("no unknown can do better by a step up, or by one down where it is above zero", () => {
  fc.assert(
    fc.property(sparse, (equations) => {
      const costs = new Float64Array(unknowns).fill(0.01);
      const found = leastSquares(equations, unknowns, costs);
      const slopes = Float64Array.from(costs);
      for (const { terms, value } of equations) {
        const over = terms.reduce((sum, [n, factor]) => sum + factor * (found[n] ?? Number.NaN), -value);
        for (const [n, factor] of terms) slopes[n] = (slopes[n] ?? Number.NaN) + factor * over;
      }
      for (const [n, slope] of slopes.entries()) {
        expect(slope).toBeGreaterThan(-1e-3);
        if ((found[n] ?? Number.NaN) > 1e-6) expect(slope).toBeLessThan(1e-3);
      }
    }),
    { numRuns: draws(200) },
  );
});

import { expect, test } from "vitest";
import { type Equation, leastSquares } from "../../../server/core/simulate/counts/nonnegative";

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

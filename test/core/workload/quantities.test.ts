import { expect, test } from "vitest";
import { quantitiesOf, quantityExpression } from "../../../server/core/workload/quantities/quantities";

interface Asked {
  readonly kernel?: string;
  readonly names: readonly string[];
  readonly sizes?: readonly string[];
  readonly text?: string;
}

function check({ kernel = "kernel", names, sizes = [], text = "" }: Asked): Record<string, unknown> {
  const found = quantitiesOf({ kernel, names, sizes, text });
  return Object.fromEntries([...found].map(([name, quantity]) => [name, quantityExpression(quantity)]));
}

test.each<[string, Asked, Record<string, unknown>]>([
  [
    "an option's numbers fit each other",
    { names: ["S0", "K", "barrier", "r", "sigma", "T"] },
    { S0: 100, K: 95, barrier: 130, r: 0.03, sigma: 0.3, T: 1 },
  ],
  [
    "a barrier below, as the kernel is called",
    { kernel: "downAndOutPut", names: ["spot", "barrier"] },
    { spot: 100, barrier: 75 },
  ],
  [
    "two barriers",
    { names: ["spot", "lower_barrier", "upperBarrier", "vol"] },
    { spot: 100, lower_barrier: 75, upperBarrier: 130, vol: 0.3 },
  ],
  [
    "members of a structure whose name stands before theirs",
    { names: ["opt_strike", "opt_spot"] },
    { opt_strike: 95, opt_spot: 100 },
  ],
  [
    "what comments say beside a name",
    {
      names: ["a", "b", "c"],
      text: "__global__ void f(float a, // the spot\n float b, // the strike\n float c, // a weight\n int n)",
    },
    { a: 100, b: 95 },
  ],
  [
    "the middle of a picture, whatever its sides are called",
    { names: ["fx", "fy", "cx", "cy", "k1", "p2"], sizes: ["rows", "cols"] },
    {
      fx: "cols * 3 / 4",
      fy: "rows * 3 / 4",
      cx: "cols * 2 / 4",
      cy: "rows * 2 / 4",
      k1: 0.1,
      p2: 0.002,
    },
  ],
  [
    "width ends in the letter of a height",
    { names: ["fy", "cy"], sizes: ["width", "height"] },
    { fy: "height * 3 / 4", cy: "height * 2 / 4" },
  ],
  ["no picture", { names: ["fx", "cx"] }, {}],
  ["the centre of a disc", { names: ["cx", "cy", "radius"], sizes: ["points"] }, {}],
  ["a single letter means anything", { names: ["k", "r", "alpha"] }, {}],
  ["one name of a family alone", { names: ["sigma", "alpha"] }, {}],
  [
    "a tolerance that something is compared with",
    { names: ["tol"], text: "if (fabsf(dx) < tol) break;" },
    { tol: 0.0001 },
  ],
  [
    "a tolerance in a structure",
    { names: ["p_eps"], text: "while (err > p.eps) { step(); }" },
    { p_eps: 0.0001 },
  ],
  ["what keeps a quotient from zero", { names: ["eps"], text: "y[i] = x / sqrtf(v + eps);" }, {}],
])("%s", (_, asked, values) => {
  expect(check(asked)).toEqual(values);
});

import { expect, test } from "vitest";
import { smallerSizes } from "../../../server/core/workload/cases/smaller-sizes";

type Sizes = Readonly<Record<string, number>>;

interface Case {
  readonly title: string;
  readonly failing: Sizes;
  readonly listed?: readonly Sizes[];
  readonly fails: (sizes: Sizes) => boolean;
  readonly smallest: Sizes | undefined;
  readonly tried: number;
}

const { n, rows, cols } = {
  n: ({ n: size = 0 }: Sizes) => size,
  rows: ({ rows: size = 0 }: Sizes) => size,
  cols: ({ cols: size = 0 }: Sizes) => size,
};

const cases: readonly Case[] = [
  {
    title: "what always fails, fails at the least multiples",
    failing: { rows: 300, cols: 1001 },
    fails: () => true,
    smallest: { rows: 4, cols: 1 },
    tried: 1,
  },
  {
    title: "more columns than a block has threads",
    failing: { rows: 300, cols: 2000 },
    listed: [{ rows: 7, cols: 129 }],
    fails: (sizes) => cols(sizes) > 1024,
    smallest: { rows: 1, cols: 1025 },
    tried: 23,
  },
  {
    title: "two sizes that fail only together",
    failing: { rows: 40, cols: 50 },
    listed: [{ rows: 3, cols: 7 }],
    fails: (sizes) => rows(sizes) > 5 && cols(sizes) > 9,
    smallest: { rows: 6, cols: 10 },
    tried: 16,
  },
  {
    title: "sizes stay multiples of what all listed ones are multiples of",
    failing: { n: 4096 },
    listed: [{ n: 96 }],
    fails: (sizes) => n(sizes) >= 100,
    smallest: { n: 128 },
    tried: 5,
  },
  {
    title: "a single size that is a power of two shrinks to one tile",
    failing: { n: 4096 },
    fails: () => true,
    smallest: { n: 128 },
    tried: 1,
  },
  {
    title: "no smaller one fails",
    failing: { n: 5 },
    fails: () => false,
    smallest: undefined,
    tried: 4,
  },
  {
    title: "nothing is smaller than one",
    failing: { n: 1 },
    fails: () => true,
    smallest: undefined,
    tried: 0,
  },
];

test.each(cases)("$title", ({ failing, listed = [], fails, smallest, tried }) => {
  const search = smallerSizes(failing, listed);
  let runs = 0;
  let step = search.next();
  while (!step.done) {
    runs += 1;
    step = search.next(fails(step.value));
  }
  expect({ smallest: step.value, tried: runs }).toEqual({ smallest, tried });
});

import { expect, test } from "vitest";
import { type Afforded, affordableShapes } from "../../../server/core/workload/probe/affordable";
import type { ShapeCase } from "../../../server/core/workload/spec";

interface Case {
  readonly title: string;
  readonly shapes: readonly ShapeCase[];
  /** Seconds of a run. */
  readonly cost: (sizes: ShapeCase["sizes"]) => number | undefined;
  /** A run is ended after so many seconds. */
  readonly ended?: number;
  readonly afforded: Afforded["shapes"];
  readonly tooLong?: readonly (readonly [
    from: ShapeCase["sizes"],
    instead: ShapeCase["sizes"] | undefined,
  ])[];
  readonly runs: number;
}

const lines: readonly ShapeCase[] = [
  { sizes: { n: 1_048_576 } },
  { sizes: { n: 10_007 } },
  { sizes: { n: 33 } },
  { sizes: { n: 4099 }, heldOut: true },
];
const squares: readonly ShapeCase[] = [
  { sizes: { m: 1024, k: 1024 } },
  { sizes: { m: 64, k: 32 } },
  { sizes: { m: 128, k: 64 }, heldOut: true },
];

const cases: readonly Case[] = [
  {
    title: "shapes that take little stay as they are",
    shapes: lines,
    cost: ({ n = 0 }) => n / 1e7,
    afforded: lines,
    runs: 1,
  },
  {
    title: "a shape of few elements that fails alone is left out",
    shapes: [{ sizes: { w: 256, h: 256 } }, { sizes: { w: 129, h: 131 } }, { sizes: { w: 5, h: 7 } }],
    cost: ({ w = 0 }) => (w < 8 ? undefined : 0.1),
    afforded: [{ sizes: { w: 256, h: 256 } }, { sizes: { w: 129, h: 131 } }],
    runs: 3,
  },
  {
    title: "a shape of few elements that fails as all do is left to the check",
    shapes: [{ sizes: { w: 256, h: 256 } }, { sizes: { w: 129, h: 131 } }, { sizes: { w: 5, h: 7 } }],
    cost: () => undefined,
    afforded: [{ sizes: { w: 256, h: 256 } }, { sizes: { w: 129, h: 131 } }, { sizes: { w: 5, h: 7 } }],
    runs: 4,
  },
  {
    title: "what fails is left to the check",
    shapes: lines,
    cost: () => undefined,
    afforded: lines,
    runs: 3,
  },
  {
    title: "work that grows with the square of the size halves it until it fits",
    shapes: lines,
    cost: ({ n = 0 }) => (n / 40_000) ** 2,
    ended: 6,
    afforded: [{ sizes: { n: 32_768 } }, ...lines.slice(1)],
    tooLong: [[{ n: 1_048_576 }, { n: 32_768 }]],
    runs: 4,
  },
  {
    title: "small shapes whose runs take as long as a call tell little: what is ended is made much smaller",
    shapes: lines,
    cost: ({ n = 0 }) => 0.01 + (n / 40_000) ** 2,
    ended: 3,
    afforded: [{ sizes: { n: 32_768 } }, ...lines.slice(1)],
    tooLong: [[{ n: 1_048_576 }, { n: 32_768 }]],
    runs: 5,
  },
  {
    title: "behind the largest one, which fails, another one is too slow: what fails is left to the check",
    shapes: lines,
    cost: ({ n = 0 }) => (n === 1_048_576 ? undefined : (n / 5000) ** 2),
    afforded: [{ sizes: { n: 1_048_576 } }, { sizes: { n: 2501 } }, ...lines.slice(2)],
    tooLong: [[{ n: 10_007 }, { n: 2501 }]],
    runs: 6,
  },
  {
    title: "sizes that nothing depends on lead too far down: it goes up again",
    shapes: [{ sizes: { w: 512, h: 512, a: 512, b: 512 } }, { sizes: { w: 17, h: 19, a: 32, b: 28 } }],
    cost: ({ w = 0, h = 0 }) => (w * h) / 100_000,
    ended: 2,
    afforded: [{ sizes: { w: 256, h: 256, a: 256, b: 256 } }, { sizes: { w: 17, h: 19, a: 32, b: 28 } }],
    tooLong: [
      [
        { w: 512, h: 512, a: 512, b: 512 },
        { w: 256, h: 256, a: 256, b: 256 },
      ],
    ],
    runs: 4,
  },
  {
    title: "sizes stay multiples, and none falls below the least one listed",
    shapes: squares,
    cost: ({ m = 0, k = 0 }) => (m * k) / 20_000,
    ended: 60,
    afforded: [
      { sizes: { m: 64, k: 64 } },
      { sizes: { m: 64, k: 32 } },
      { sizes: { m: 128, k: 64 }, heldOut: true },
    ],
    tooLong: [
      [
        { m: 1024, k: 1024 },
        { m: 64, k: 64 },
      ],
    ],
    runs: 5,
  },
  {
    title: "a shape of which no smaller one runs is left out",
    shapes: squares,
    cost: ({ m = 0, k = 0 }) => (m === k && m < 1024 ? undefined : (m * k) / 20_000),
    ended: 60,
    afforded: [{ sizes: { m: 64, k: 32 } }, { sizes: { m: 128, k: 64 }, heldOut: true }],
    tooLong: [[{ m: 1024, k: 1024 }, undefined]],
    runs: 5,
  },
  {
    title: "where nothing ends, the check says so",
    shapes: lines,
    cost: () => Infinity,
    afforded: lines,
    runs: 3,
  },
];

test.each(cases)("$title", async ({ shapes, cost, ended = Infinity, afforded, tooLong = [], runs }) => {
  let run = 0;
  const found = await affordableShapes(shapes, 0.8, ({ sizes }) => {
    run += 1;
    const seconds = cost(sizes);
    return Promise.resolve(seconds !== undefined && seconds > ended ? Infinity : seconds);
  });
  expect({
    afforded: found.shapes,
    tooLong: found.tooLong.map(({ shape, instead }) => [shape.sizes, instead?.sizes]),
    runs: run,
  }).toEqual({ afforded, tooLong, runs });
});

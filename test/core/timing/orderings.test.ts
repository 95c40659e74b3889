import { expect, test } from "vitest";
import { countPairs, kendallTau, median, ratioError } from "../../bench/orderings/agreement";
import { parseLaunch, publishedTime, readSeries } from "../../bench/orderings/series";
import { gpuNamed } from "../../../server/core/timing/gpu-model";

const compared = (times: readonly (readonly [number, number])[]): Parameters<typeof countPairs>[0] =>
  times.map(([published, modelled]) => ({ published, modelled }));

test("tau counts pairs in order less pairs reversed; ties of the model count for neither", () => {
  const tau = (times: readonly (readonly [number, number])[]): number =>
    kendallTau([countPairs(compared(times))]);
  expect([
    tau([
      [3, 30],
      [2, 20],
      [1, 10],
    ]),
    tau([
      [3, 10],
      [2, 20],
      [1, 30],
    ]),
    tau([
      [3, 30],
      [2, 10],
      [1, 10.1],
    ]),
  ]).toEqual([1, -1, 2 / 3]);
});

test("a ratio is off by the same factor in both directions", () => {
  expect(ratioError({ published: 4, modelled: 8 }, { published: 1, modelled: 1 })).toBe(2);
  expect(ratioError({ published: 4, modelled: 2 }, { published: 1, modelled: 1 })).toBe(2);
  expect([median([3, 1, 2]), median([1, 2, 3, 10])]).toEqual([2, 2.5]);
});

test("every ordering names a GPU of the table and a source, and is listed from the slowest to the fastest", () => {
  const wrong = readSeries().flatMap((series) => {
    gpuNamed(series.gpu);
    const launches = series.cases
      .flatMap(({ launches: stated, measured = [] }) => [...stated, ...measured])
      .map(parseLaunch);
    const unknown = launches
      .flatMap((launch) => launch.arguments)
      .filter((argument) => !/^-?[\d.]+$/.test(argument) && series.buffers[argument] === undefined);
    const times = series.cases.map((each) => publishedTime(series, each));
    const problems = [
      ...(series.source.length > 20 ? [] : ["no source"]),
      ...unknown.map((argument) => `${argument} is no buffer`),
      ...(times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0) * 1.05)
        ? []
        : ["slower than the one before"]),
    ];
    return problems.map((problem) => `${series.name}: ${problem}`);
  });
  expect(wrong).toEqual([]);
});

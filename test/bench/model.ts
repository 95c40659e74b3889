import { at } from "../../server/core/base/known";
import type { Bench, Measurement } from "./bench";
import { rounded } from "./bench";
import { type Compared, countPairs, kendallTau, median, ratioError } from "./orderings/agreement";
import { type Compiled, type Priced, architectureOf, compileCase, priceCase } from "./orderings/price";
import { type Series, publishedTime, readSeries } from "./orderings/series";

interface Result {
  readonly series: Series;
  readonly priced: readonly Priced[];
  /** By the simulation, and by the bound. */
  readonly compared: readonly Compared[];
  readonly bounded: readonly Compared[];
}

/**
 * `npm run bench -- model`: versions of kernels with published figures, by the model. Each version against
 * the first of its series, whether the ratio is within a factor of two, and how well the orders agree.
 */
export const modelBench: Bench = {
  name: "model",
  run: async () => {
    const compiled = new Map<string, Compiled>();
    const compile = async (file: string, gpu: string): Promise<Compiled> => {
      const key = `${file} ${architectureOf(gpu)}`;
      const code = compiled.get(key) ?? (await compileCase(file, architectureOf(gpu)));
      compiled.set(key, code);
      return code;
    };
    const results: Result[] = [];
    for (const series of chosenSeries()) {
      const priced: Priced[] = [];
      for (const each of series.cases)
        priced.push(priceCase(series, each, await compile(each.file ?? series.file, series.gpu)));
      const published = series.cases.map((each) => publishedTime(series, each));
      results.push({
        series,
        priced,
        compared: published.map((time, index) => ({
          published: time,
          modelled: at(priced, index).nanoseconds,
        })),
        bounded: published.map((time, index) => ({ published: time, modelled: at(priced, index).bound })),
      });
      process.stderr.write(`  ${series.name}\n`);
    }
    return [...results.flatMap(rowsOf), ...agreementRows(results)];
  },
};

/** All series, or those whose name holds KERNELWRIGHT_SERIES. */
function chosenSeries(): readonly Series[] {
  const word = process.env["KERNELWRIGHT_SERIES"] ?? "";
  return readSeries().filter(({ name }) => name.includes(word));
}

function rowsOf({ series, priced, compared }: Result): readonly Measurement[] {
  const first = at(compared, 0);
  return series.cases.map((each, index) => {
    const own = at(compared, index);
    const { nanoseconds, binding, milliseconds, countedBlocks, error } = at(priced, index);
    const seconds = `${rounded(milliseconds / 1000)} s, ${countedBlocks} blocks ± ${rounded(100 * error)} %`;
    return {
      metric: `${series.name}: ${each.name}${series.heldOut === true ? " (held out)" : ""}`,
      value: rounded(first.modelled / own.modelled),
      unit: `times as fast as the first (${rounded(nanoseconds / 1000)} µs, ${binding}; ${seconds})`,
      versus:
        series.compare === "order"
          ? `order only: ${inOrder(compared, index) ? "in order" : "not in order"}`
          : `published ${rounded(first.published / own.published)}: ${ratioError(first, own) <= 2 ? "within" : "beyond"} a factor of two`,
    };
  });
}

/** Whether a version is no slower than the one before it. */
function inOrder(compared: readonly Compared[], index: number): boolean {
  return index === 0 || at(compared, index).modelled <= 1.02 * at(compared, index - 1).modelled;
}

function agreementRows(results: readonly Result[]): readonly Measurement[] {
  const groups: readonly (readonly [string, readonly Result[]])[] = [
    ["all series", results],
    ["series that the model's author saw", results.filter(({ series }) => series.heldOut !== true)],
    ["held-out series", results.filter(({ series }) => series.heldOut === true)],
  ];
  const ofSeries = results.map(({ series, compared }): Measurement => ({
    metric: `Kendall's tau, ${series.name}`,
    value: rounded(kendallTau([countPairs(compared)])),
    unit: "of 1",
  }));
  const byBound = results.map((result) => ({ ...result, compared: result.bounded }));
  return [
    ...ofSeries,
    ...groups.flatMap(([name, group]) => groupRows(name, group)),
    ...groupRows("all series, by the bound", byBound),
  ];
}

function groupRows(name: string, results: readonly Result[]): readonly Measurement[] {
  const errors = results
    .filter(({ series }) => series.compare === undefined)
    .flatMap(({ compared }) => compared.slice(1).map((each) => ratioError(at(compared, 0), each)));
  const within = errors.filter((error) => error <= 2).length;
  return [
    {
      metric: `Kendall's tau, ${name}`,
      value: rounded(kendallTau(results.map(({ compared }) => countPairs(compared)))),
      unit: "of 1",
    },
    { metric: `median ratio error, ${name}`, value: rounded(median(errors)), unit: "times" },
    { metric: `ratios within a factor of two, ${name}`, value: within, unit: `of ${errors.length}` },
  ];
}

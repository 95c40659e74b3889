import { at, known } from "../../server/core/base/known";
import type { Bench, Measurement } from "./bench";
import { rounded } from "./bench";
import { type Compared, countPairs, kendallTau, median } from "./orderings/agreement";
import { type Measurements, readMeasurements, seriesOn } from "./orderings/measured";
import { type Compiled, architectureOf, compileCase, priceCase } from "./orderings/price";
import type { Series } from "./orderings/series";

/** A case's measured time, and what the simulation and the bound say of it. */
interface Timed {
  readonly name: string;
  readonly measured: number;
  readonly simulated: number;
  readonly bound: number;
}

/**
 * `npm run bench -- hardware`: the kernels of the orderings as they were timed on a GPU (cold second-level
 * cache) against the model of that GPU, in absolute times. What events see of a kernel that does nothing is
 * added to each modelled launch. `KERNELWRIGHT_SERIES` names a part of the series.
 */
export const hardwareBench: Bench = {
  name: "hardware",
  run: async () => {
    const rows: Measurement[] = [];
    for (const measurements of readMeasurements()) rows.push(...(await rowsOn(measurements)));
    return rows;
  },
};

async function rowsOn(measurements: Measurements): Promise<readonly Measurement[]> {
  const word = process.env["KERNELWRIGHT_SERIES"] ?? "";
  const compiled = new Map<string, Compiled>();
  const rows: Measurement[] = [];
  const results: (readonly Timed[])[] = [];
  for (const series of seriesOn(measurements).filter(({ name }) => name.includes(word))) {
    const timed = await timeSeries(series, measurements, compiled);
    results.push(timed);
    rows.push(...timed.map((each) => rowOf(`${measurements.gpu}, ${series.name}: ${each.name}`, each)));
    process.stderr.write(`  ${series.name}\n`);
  }
  if (rows.length === 0) return [];
  return [
    ...rows,
    ...agreement(`${measurements.gpu}, simulated`, results, ({ simulated }) => simulated),
    ...agreement(`${measurements.gpu}, bound`, results, ({ bound }) => bound),
  ];
}

async function timeSeries(
  series: Series,
  measurements: Measurements,
  compiled: Map<string, Compiled>,
): Promise<readonly Timed[]> {
  const times = known(measurements.series[series.name], `times of ${series.name}`);
  const timed: Timed[] = [];
  for (const each of series.cases) {
    const file = each.file ?? series.file;
    const code = compiled.get(file) ?? (await compileCase(file, architectureOf(series.gpu)));
    compiled.set(file, code);
    const { nanoseconds, bound } = priceCase(series, each, code);
    const { cold: measured } = known(times[each.name], `time of ${each.name}`);
    const nothing = measurements.empty.cold;
    timed.push({ name: each.name, measured, simulated: nanoseconds + nothing, bound: bound + nothing });
  }
  return timed;
}

function rowOf(metric: string, { measured, simulated, bound }: Timed): Measurement {
  return {
    metric,
    value: rounded(simulated / measured),
    unit: `times the measured ${micro(measured)} (simulated ${micro(simulated)}, bound ${micro(bound)})`,
  };
}

function agreement(
  name: string,
  results: readonly (readonly Timed[])[],
  modelledOf: (timed: Timed) => number,
): readonly Measurement[] {
  const ratios = results.flat().map((each) => modelledOf(each) / each.measured);
  const errors = ratios.map((ratio) => Math.max(ratio, 1 / ratio));
  const pairs = results.map((timed) =>
    countPairs(timed.map((each): Compared => ({ published: each.measured, modelled: modelledOf(each) }))),
  );
  return [
    { metric: `${name}: Kendall's tau`, value: rounded(kendallTau(pairs)), unit: "of 1" },
    { metric: `${name}: median of modelled by measured`, value: rounded(median(ratios)), unit: "times" },
    { metric: `${name}: median error of a time`, value: rounded(median(errors)), unit: "times" },
    {
      metric: `${name}: times within a factor of two`,
      value: errors.filter((error) => error <= 2).length,
      unit: `of ${errors.length}`,
    },
    {
      metric: `${name}: worst error of a time`,
      value: rounded(at([...errors].sort(descending), 0)),
      unit: "times",
    },
  ];
}

function descending(a: number, b: number): number {
  return b - a;
}

function micro(nanoseconds: number): string {
  return `${rounded(nanoseconds / 1000)} µs`;
}

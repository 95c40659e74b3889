import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { known } from "../../../server/core/base/known";
import { type Series, caseFile, readSeries, readTimedSeries } from "./series";

const timeShape = z.strictObject({ cold: z.number().positive(), warm: z.number().positive() });

/** What `measure.py` wrote on one GPU: nanoseconds by series and case. */
const measurementsShape = z.strictObject({
  /** As the driver names it. */
  gpu: z.string(),
  /** Row of gpu-limits.json. */
  row: z.string(),
  driver: z.string(),
  maximumClock: z.string(),
  compiler: z.string(),
  date: z.string(),
  unit: z.literal("ns"),
  /** A kernel that does nothing. */
  empty: timeShape,
  series: z.record(z.string(), z.record(z.string(), timeShape)),
});

export type Measurements = z.infer<typeof measurementsShape>;

/** All that was measured, one GPU each. */
export function readMeasurements(): readonly Measurements[] {
  return readdirSync(caseFile("."))
    .filter((name) => /^measured-.*\.json$/.test(name))
    .sort()
    .map((name) => measurementsShape.parse(JSON.parse(readFileSync(caseFile(name), "utf8"))));
}

/** The series as they were run on that GPU, whatever GPU their published figures are of. */
export function seriesOn({ row, series }: Measurements): readonly Series[] {
  const all = new Map([...readSeries(), ...readTimedSeries()].map((each) => [each.name, each]));
  return Object.keys(series).map((name) => {
    const { cases, ...rest } = known(all.get(name), `series ${name}`);
    const timed = cases.map((each) => ({ ...each, launches: each.measured ?? each.launches }));
    return { ...rest, gpu: row, cases: timed };
  });
}

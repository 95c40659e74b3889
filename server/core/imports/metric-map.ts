import * as z from "zod/mini";
import { readShape } from "../base/shape";
import { InvariantError } from "../base/assert";
import { counterCatalogue, type CounterName, counterNames } from "../timing/counter-catalogue";
import table from "./ncu-metrics.json";

/** A figure of ncu that is no counter of the virtual GPU, in ncu's unit. */
interface Measure {
  readonly title: string;
  readonly value: number;
  readonly unit: string;
}

/** What ncu measured of a launch or of a source line, in our names. */
export interface Figures {
  readonly counters: Partial<Record<CounterName, number>>;
  readonly measures: readonly Measure[];
}

/** One value of ncu's output. */
interface Reading {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** Address space and operation of a machine instruction: `Global Load`. */
  readonly access?: string;
}

/** A row of ncu-metrics.json: ncu's names for one thing, and what it is called here. */
const metricRow = z.strictObject({
  names: z.array(z.string()).check(z.minLength(1)),
  /** Only of machine instructions with this access. */
  access: z.optional(z.string()),
  counter: z.optional(z.enum(counterNames as readonly [CounterName, ...CounterName[]])),
  /** Name of a figure that the virtual GPU does not count. */
  title: z.optional(z.string()),
  /** Of such a figure: parts of a line add up. */
  adds: z.optional(z.boolean()),
  /** Where the name and its meaning are documented. */
  source: z.string(),
});

type MetricRow = z.infer<typeof metricRow>;

const rows: readonly MetricRow[] = readTable();

function readTable(): readonly MetricRow[] {
  const read = readShape(z.strictObject({ metrics: z.array(metricRow) }), table);
  if (!read.ok) throw new InvariantError(`ncu-metrics.json: ${read.problem}`);
  return read.value.metrics;
}

/** Whether a metric is known under any condition. */
export function isKnownMetric(name: string): boolean {
  return rows.some(({ names }) => names.includes(name));
}

/** Adds up readings: counts are sums, conflict ways their greatest; other figures keep the last value. */
export class FigureSum {
  readonly #counters: Partial<Record<CounterName, number>> = {};
  readonly #measures = new Map<string, Measure>();

  /**
   * Takes a reading under all its names. Readings of machine instructions count where an access is asked for.
   */
  add(reading: Reading, adding: boolean): void {
    for (const row of rows) {
      if (!row.names.includes(reading.name) || row.access !== reading.access) continue;
      if (row.counter !== undefined) this.#addCounter(row.counter, reading, adding);
      if (row.title !== undefined) this.#addMeasure(row.title, reading, adding && row.adds === true);
    }
  }

  get figures(): Figures {
    return { counters: this.#counters, measures: [...this.#measures.values()] };
  }

  #addCounter(name: CounterName, { value, unit }: Reading, adding: boolean): void {
    const count = value * scaleOf(unit);
    const before = this.#counters[name] ?? 0;
    const sum = counterCatalogue[name].greatest === true ? Math.max(before, count) : before + count;
    this.#counters[name] = adding ? sum : count;
  }

  #addMeasure(title: string, { value, unit }: Reading, adding: boolean): void {
    const before = adding ? (this.#measures.get(title)?.value ?? 0) : 0;
    this.#measures.set(title, { title, value: before + value, unit });
  }
}

const prefixes: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `Minst` is a million instructions; without a prefix the value is the count. */
function scaleOf(unit: string): number {
  return prefixes[unit.charAt(0)] ?? 1;
}

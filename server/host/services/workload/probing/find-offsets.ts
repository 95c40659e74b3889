import { at } from "../../../../core/base/known";
import { fitExtent } from "../../../../core/workload/probe/fit";
import {
  elementBytes,
  elementOf,
  type Elements,
  endsOf,
  fitBuffers,
  type Probes,
} from "../../../../core/workload/probe/judge-probe";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { Reprobe, Seen } from "./find-indices";

/** A buffer whose values say where rows of other buffers begin and end. */
export interface FoundOffsets {
  readonly index: string;
  /** Numbers of the rows. */
  readonly rows: SizeExpression;
  /** Elements of a row, on the average, with which the threads have work. */
  readonly perRow: number;
  /** The buffers that they lead into. */
  readonly into: ReadonlyMap<string, LedBuffer>;
}

/** How far a buffer is touched that offsets lead into. */
interface LedBuffer {
  /** Elements for each number that the last offset counts. */
  readonly row: SizeExpression;
  /** Elements of one more number are touched: the loops over rows include their ends. */
  readonly includesEnd: boolean;
}

/**
 * Numbers by which one row begins behind another: rows of one element, and of so many that a window of a few
 * fits in, as of a k-mer, since nothing is read of rows that are shorter.
 */
const steps = [1, 64] as const;
/** Elements of a row, on the average: of one that a thread has, and at most, of one that a block has. */
const [leastPerRow, mostPerRow] = [4, 512];

/**
 * Probes once more with ascending numbers in buffers of whole numbers that have one element more than a size:
 * where other buffers are then touched as far as the last number says, they are offsets of rows. The launch
 * as it is with such offsets, which the session keeps.
 */
export async function findOffsets(
  reprobe: Reprobe,
  launch: Seen,
  { elements, divide, threads }: Launched,
): Promise<{ readonly seen: Seen; readonly offsets: readonly FoundOffsets[] }> {
  const offsets: FoundOffsets[] = [];
  let present = launch;
  for (const { name, extent, overrun } of launch.buffers) {
    const rows = /^(.+) \+ 1$/.exec(String(extent))?.[1];
    const isWhole = /^u?int(?:32|64)$/.test(elementOf(elements, name).type.dtype);
    if (rows === undefined || !isWhole || overrun !== undefined) continue;
    for (const step of steps) {
      const single = await withRamp(reprobe, present, { name, step, elements, divide });
      const double = await withRamp(reprobe, present, { name, step: 2 * step, elements, divide });
      if (single === undefined || double === undefined) break;
      const into = ledInto(name, { single, double, step }, elements);
      if (into.size === 0) continue;
      reprobe.contents.set(name, { kind: "ramp", step });
      present = single;
      const counts = endsOf(single.probes, name, elements).map((end) => Math.max(1, end - 1));
      offsets.push({ index: name, rows, perRow: elementsPerRow(counts, { threads, step }), into });
      break;
    }
  }
  return { seen: present, offsets };
}

interface Buffers {
  readonly elements: Elements;
  /** Numbers that extents may be divided by: threads of a block. */
  readonly divide: readonly number[];
}

interface Launched extends Buffers {
  /** Threads of each probe. */
  readonly threads: readonly number[];
}

/** As many elements as threads share a row, and as many as a window of a few needs, where there is one. */
function elementsPerRow(
  rows: readonly number[],
  { threads, step }: Pick<Launched, "threads"> & Pick<Ramp, "step">,
): number {
  const shared = Math.min(...rows.map((count, position) => at(threads, position) / count));
  const whole = 2 ** Math.floor(Math.log2(Math.max(1, shared)));
  return Math.min(mostPerRow, Math.max(leastPerRow, step === 1 ? 1 : 2 * step, whole));
}

interface Ramp extends Buffers {
  readonly name: string;
  readonly step: number;
}

async function withRamp(
  { contents, again }: Reprobe,
  { probes: { settings } }: Seen,
  { name, step, elements, divide }: Ramp,
): Promise<Seen | undefined> {
  contents.set(name, { kind: "ramp", step });
  const probes = await again();
  contents.delete(name);
  if (!probes.ok || probes.value.settings.length < settings.length) return undefined;
  return { probes: probes.value, buffers: fitBuffers(probes.value, elements, { divide }) };
}

/** Probes with rows of `step` numbers each, and of twice as many. */
interface Ramps {
  readonly single: Seen;
  readonly double: Seen;
  readonly step: number;
}

/** Buffers that are touched as far as the last offset says, or as it says itself. */
function ledInto(index: string, probes: Ramps, elements: Elements): ReadonlyMap<string, LedBuffer> {
  const into = new Map<string, LedBuffer>();
  for (const { name } of probes.single.buffers) {
    const led = name === index ? undefined : ledAs(index, name, { ...probes, elements });
    if (led !== undefined) into.set(name, led);
  }
  return into;
}

function ledAs(
  index: string,
  name: string,
  { single, double, step, elements }: Ramps & Pick<Buffers, "elements">,
): LedBuffer | undefined {
  const { settings } = single.probes;
  const rows = endsOf(single.probes, index, elements);
  const [once, twice] = [endsOf(single.probes, name, elements), endsOf(double.probes, name, elements)];
  // Twice the offsets, so that the difference is what one offset counts.
  const lengths = once.map(
    (end, position) => (at(twice, position) - end) / step / Math.max(1, at(rows, position) - 1),
  );
  const behind = once.map((end, position) => 2 * end - at(twice, position));
  const includesEnd = behind.every((count, position) => count === at(lengths, position));
  if (lengths.some((length) => length <= 0)) return undefined;
  if (!includesEnd && behind.some((count) => count !== 0)) return undefined;
  // A gather leaves out what lies between its numbers.
  if (includesEnd && !touchesAll(double.probes, name, { ends: twice, elements })) return undefined;
  const row = fitExtent(settings.map((sizes, position) => ({ sizes, value: at(lengths, position) })));
  return row === undefined ? undefined : { row, includesEnd };
}

/** Whether every element of a buffer up to its end was read, or was written, in each probe. */
function touchesAll(
  { observations }: Probes,
  name: string,
  { ends, elements }: { readonly ends: readonly number[]; readonly elements: Elements },
): boolean {
  return observations.every(({ buffers }, index) => {
    const seen = buffers.find((each) => each.name === name);
    const most = Math.max(seen?.read?.bytes ?? 0, seen?.written?.bytes ?? 0);
    return most >= at(ends, index) * elementBytes(elements, name);
  });
}

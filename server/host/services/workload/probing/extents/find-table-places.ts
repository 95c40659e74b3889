import { at } from "../../../../../core/base/known";
import { itemBytes } from "../../../../../core/workload/item-bytes";
import { elementBytes, elementOf, type FittedBuffer } from "../../../../../core/workload/probe/judge-probe";
import type { DataType, Distribution } from "../../../../../core/workload/spec";
import type { FoundIndex } from "../find-indices";
import type { BoundTrials, SeenBefore } from "./bound-trials";

/** Values of any type of whole numbers, in parts of its largest one, that lead far into a table. */
const spreadParts = [1, 0, 0.5, 0.25, 0.75, 0.999];
/** Values in no order, so many that a remainder which is no power of two shows. */
const scatteredCount = 64;
/** What the next of them is made of the one before (a step of a linear generator). */
const [factor, increment, modulus] = [1_664_525, 1_013_904_223, 2 ** 32];
/** The first trial of wide types: what is a place itself leads too far with it. */
const farPlace = 1_000_000;
/** The widest type whose every value is drawn. */
const narrowBytes = 2;

/** Tables that any value of a type leads into, and the buffers with the extents that these tables have. */
interface FoundPlaces {
  readonly indices: readonly FoundIndex[];
  readonly buffers: readonly FittedBuffer[];
}

/**
 * Buffers of whole numbers of which every value of their type leads into a table whose extent no size has a
 * part in, as that of a look-up by the upper bits of a sample, or of a histogram. Such a table is as large as
 * all values reach: with the usual numbers of a search it would be seen in its first element alone.
 * Nothing is looked for where nothing depends on a size (`idle`): it may be that of the table.
 */
export async function findTablePlaces(
  trials: BoundTrials,
  { idle, ...seen }: Omit<SeenBefore, "sizes"> & { readonly idle: readonly string[] },
): Promise<FoundPlaces> {
  const indices: FoundIndex[] = [];
  let { buffers } = seen;
  if (idle.length > 0) return { indices, buffers };
  for (const { name, isRead, isWritten } of seen.buffers) {
    const { dtype } = elementOf(seen.elements, name).type;
    if (!isRead || isWritten || seen.known.has(name) || !/^u?int/.test(dtype)) continue;
    const grown = await grownBy(trials, { name, dtype, seen: { ...seen, buffers } });
    if (grown === undefined) continue;
    buffers = buffers.map((each) => grown.get(each.name) ?? each);
    const common = { index: name, into: "", rows: "", isNew: false, row: 1, base: 0 } as const;
    indices.push({ ...common, distribution: anyOf(dtype) });
  }
  return { indices, buffers };
}

/** All values where there are few; of wider types the usual ones, which a case of all bits follows. */
function anyOf(dtype: DataType): Distribution {
  if (itemBytes[dtype] > narrowBytes) return "integers";
  return { kind: "range", low: leastOf(dtype), high: largestOf(dtype) };
}

interface Asked {
  readonly name: string;
  readonly dtype: DataType;
  readonly seen: Omit<SeenBefore, "sizes">;
}

type Ends = ReadonlyMap<string, number>;

/** The tables that the values lead into, each as long as they reach; undefined where there are none. */
async function grownBy(
  trials: BoundTrials,
  asked: Asked,
): Promise<ReadonlyMap<string, FittedBuffer> | undefined> {
  const { dtype, seen } = asked;
  const before = seen.probes.observations.map(({ buffers }) => endsIn(buffers));
  // Most buffers end here: their values lead nowhere, or too far.
  const first = await reached(trials, asked, [Math.min(farPlace, largestOf(dtype))], 1);
  if (first === undefined) return undefined;
  const spread = await reached(trials, asked, spreadOf(dtype));
  if (spread === undefined) return undefined;
  const scattered = await reached(trials, asked, scatteredOf(dtype));
  if (scattered === undefined) return undefined;
  const tables = new Map<string, FittedBuffer>();
  for (const buffer of seen.buffers) {
    const ends = before.map((each) => each.get(buffer.name) ?? 0);
    const far = ends.map((end, index) => Math.max(end, at(spread, index).get(buffer.name) ?? 0));
    if (far.every((end, index) => end === ends[index])) continue;
    const last = at(far, 0);
    const isOver = scattered.some((each) => (each.get(buffer.name) ?? 0) > last);
    const isStored = buffer.isWritten && !buffer.isAtomic;
    if (isOver || isStored || new Set(far).size > 1 || new Set(ends).size > 1) return undefined;
    const extent = Math.ceil(last / elementBytes(seen.elements, buffer.name));
    tables.set(buffer.name, { ...buffer, extent, overrun: undefined });
  }
  return tables.size === 0 ? undefined : tables;
}

/** How far each buffer is touched, in bytes, under so many settings; undefined where that is a fault. */
async function reached(
  { contents, once }: BoundTrials,
  { name, seen }: Asked,
  values: readonly number[],
  most = seen.probes.settings.length,
): Promise<readonly Ends[] | undefined> {
  const reaches: Ends[] = [];
  contents.set(name, { kind: "cycle", values });
  try {
    for (const sizes of seen.probes.settings.slice(0, most)) {
      const now = await once(sizes);
      if (!now.ok) return undefined;
      const starts = now.value.buffers.flatMap(({ read, written }) => [read?.from ?? 0, written?.from ?? 0]);
      if (starts.some((start) => start < 0)) return undefined;
      reaches.push(endsIn(now.value.buffers));
    }
    return reaches;
  } finally {
    contents.delete(name);
  }
}

function endsIn(buffers: SeenBefore["probes"]["observations"][number]["buffers"]): Ends {
  return new Map(
    buffers.map(({ name, read, written }) => [name, Math.max(read?.to ?? 0, written?.to ?? 0)] as const),
  );
}

function spreadOf(dtype: DataType): readonly number[] {
  const values = spreadParts.map((part) => Math.round(part * largestOf(dtype)));
  return dtype.startsWith("u") ? values : [...values, leastOf(dtype), -1];
}

function scatteredOf(dtype: DataType): readonly number[] {
  const [least, largest] = [leastOf(dtype), largestOf(dtype)];
  let state = 1;
  return Array.from({ length: scatteredCount }, () => {
    state = (Math.imul(state, factor) + increment + modulus) % modulus;
    return least + Math.floor((Math.abs(state) / modulus) * (largest - least + 1));
  });
}

/** Of 64 bits those that 32 hold: a launch is handed no larger ones. */
function bitsOf(dtype: DataType): number {
  return Math.min(32, 8 * itemBytes[dtype]);
}

function largestOf(dtype: DataType): number {
  return 2 ** (bitsOf(dtype) - (dtype.startsWith("u") ? 0 : 1)) - 1;
}

function leastOf(dtype: DataType): number {
  return dtype.startsWith("u") ? 0 : -(2 ** (bitsOf(dtype) - 1));
}

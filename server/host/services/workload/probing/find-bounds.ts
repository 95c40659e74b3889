import { at, entry } from "../../../../core/base/known";
import type { ProbeObservation } from "../../../../core/workload/probe/observation";
import type { Setting } from "../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import { itemBytes } from "../../../../core/workload/item-bytes";
import { plainIndex } from "../../../../core/workload/probe/fitting/fit-last-row";
import { isLengthName } from "../../../../core/workload/probe/range-names";
import { elementBytes, elementOf, type FittedBuffer } from "../../../../core/workload/probe/judge-probe";
import type { BoundTrials, SeenBefore } from "./extents/bound-trials";
import { withFirstPlace } from "./extents/first-place";
import { findStarts } from "./extents/find-starts";
import type { DataType, Distribution } from "../../../../core/workload/spec";
import type { FoundIndex } from "./find-indices";

/** A number that no index is as large as; smaller where a type holds no such number. */
const farIndex = 1_000_000;
/**
 * Numbers below zero: near it, where a guard against one mark as `-1` does not hold them back, and as far as
 * they are drawn.
 */
const belowZero = [[-3], [-100]];

/** What bounds the values of buffers, and how far others are touched with all such values. */
interface FoundBounds {
  readonly indices: readonly FoundIndex[];
  readonly buffers: readonly FittedBuffer[];
}

/**
 * Buffers of whole numbers that say where others are touched without being plain row numbers: labels within a
 * row, lengths, starts of loops. Their values stay from 0 to below the greatest size with which no call goes
 * farther than before; where there is no such size, the values of the search stay.
 */
export async function findBounds(trials: BoundTrials, seen: SeenBefore): Promise<FoundBounds> {
  const indices: FoundIndex[] = [];
  let present = seen;
  for (const { name, isRead, isWritten } of seen.buffers) {
    const { dtype } = elementOf(seen.elements, name).type;
    if (!isRead || isWritten || seen.known.has(name) || !/^u?int/.test(dtype)) continue;
    const numbers = [
      [largest(dtype)],
      ...(dtype.startsWith("uint") ? [] : belowZero),
      mixedParts.map((part) => Math.round(part * largest(dtype))),
    ];
    let isNumber = true;
    for (const values of numbers)
      isNumber &&= await isTame(trials, { name, seen: present, values: () => values });
    if (isNumber) continue;
    present = await withFirstPlace(trials, name, present);
    const { range, bound } = await rangeOf(trials, name, present);
    const starts = bound === undefined ? undefined : await findStarts(trials, name, { seen: present, bound });
    indices.push({
      ...{ index: name, into: "", rows: "", isNew: false, row: 1, base: 0 },
      ...(starts ?? { distribution: range }),
    });
  }
  return { indices, buffers: present.buffers };
}

/** Parts of a range, in an order in which neighbours differ in either direction. */
const mixedParts = [1, 0, 0.5, 1, 0.25, 0, 0.75];

interface FoundRange {
  readonly range: Distribution;
  /** The size that the values stay below. */
  readonly bound?: string;
}

/** The values with which no call goes farther than before: of all sizes, mixed ones have to be such. */
async function rangeOf(trials: BoundTrials, name: string, seen: SeenBefore): Promise<FoundRange> {
  const below = async (
    of: (last: number) => readonly number[],
    sizes: readonly string[],
  ): Promise<string[]> => {
    const bounds: string[] = [];
    for (const size of sizes)
      if (await isTame(trials, { name, seen, values: (setting) => of(entry(setting, size) - 1) }))
        bounds.push(size);
    return bounds.sort((a, b) => sumOf(seen, b) - sumOf(seen, a));
  };
  const plain = await below((last) => [last], seen.sizes);
  const mixed = (low: number, last: number): readonly number[] =>
    mixedParts.map((part) => Math.max(low, Math.round(part * last)));
  for (const low of [0, 1]) {
    const [bound] = await below((last) => mixed(low, last), plain);
    if (bound === undefined) continue;
    // With a large size such values would lead behind a table that is larger than the sizes of the search.
    const last = (await isFree(trials, name, { seen, bound }))
      ? await lastOfTable(trials, name, seen)
      : undefined;
    if (last !== undefined) return { range: { kind: "range", low, high: last } };
    // A length may be all of a row; a place in it may not, though the row behind it is there in most calls.
    const values = (sizes: Setting): readonly number[] => mixed(low, entry(sizes, bound));
    const isLength = isLengthName(name) && (await isTame(trials, { name, seen, values }));
    return { range: { kind: "range", low, high: isLength ? bound : `${bound} - 1` }, bound };
  }
  const [bound] = plain;
  if (bound !== undefined) return { range: { kind: "range", low: 0, high: `${bound} - 1` } };
  const last = await lastOfTable(trials, name, seen);
  const isFromZero = last !== undefined && (await isTame(trials, { name, seen, values: () => [0] }));
  return { range: { kind: "range", low: isFromZero ? 0 : 1, high: last ?? plainIndex } };
}

/** Whether values are tame that a size does not allow, as where it has no part in what bounds them. */
async function isFree(
  trials: BoundTrials,
  name: string,
  { seen, bound }: { readonly seen: SeenBefore; readonly bound: string },
): Promise<boolean> {
  const { settings } = seen.probes;
  const all = settings.map((sizes) => entry(sizes, bound));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (least === most) return false;
  const index = all.indexOf(least);
  const observations = seen.probes.observations.slice(index, index + 1);
  const alone = { ...seen, probes: { settings: [at(settings, index)], observations } };
  return isTame(trials, { name, seen: alone, values: () => [most - 1] });
}

/**
 * The greatest number that is tame whatever the sizes are: the last place of a table in the code or in
 * constant memory. Undefined where there is none above the values of the search, or sizes move it.
 */
async function lastOfTable(trials: BoundTrials, name: string, seen: SeenBefore): Promise<number | undefined> {
  const isTameAt = (value: number): Promise<boolean> => isTame(trials, { name, seen, values: () => [value] });
  const most = largest(elementOf(seen.elements, name).type.dtype);
  let [tame, wild] = [plainIndex, plainIndex + 1];
  while (wild < most && (await isTameAt(wild))) [tame, wild] = [wild, 2 * wild];
  while (wild - tame > 1) {
    const middle = Math.floor((tame + wild) / 2);
    if (await isTameAt(middle)) tame = middle;
    else wild = middle;
  }
  if (tame === plainIndex) return undefined;
  for (const [index, sizes] of seen.probes.settings.entries()) {
    const observations = seen.probes.observations.slice(index, index + 1);
    const alone = { ...seen, probes: { settings: [sizes], observations } };
    if (await isTame(trials, { name, seen: alone, values: () => [wild] })) return undefined;
  }
  return tame;
}

interface Trial {
  readonly name: string;
  readonly seen: SeenBefore;
  readonly values: (sizes: Readonly<Record<string, number>>) => readonly number[];
}

/** Whether calls with such values in turn run, and touch nothing that they did not touch before. */
async function isTame({ contents, once }: BoundTrials, { name, seen, values }: Trial): Promise<boolean> {
  const { settings, observations } = seen.probes;
  try {
    for (const [index, sizes] of settings.entries()) {
      contents.set(name, { kind: "cycle", values: values(sizes) });
      const now = await once(sizes);
      const before = endsBefore(seen, sizes, at(observations, index).buffers);
      if (!now.ok || !isWithin(now.value.buffers, before)) return false;
    }
    return true;
  } finally {
    contents.delete(name);
  }
}

type Buffers = ProbeObservation["buffers"];

/** What is known to be there of a buffer, in bytes. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is there of each buffer: all that was touched before, and of what was fitted to that. */
function endsBefore(
  { buffers, elements }: SeenBefore,
  sizes: Setting,
  before: Buffers,
): ReadonlyMap<string, Span> {
  return new Map(
    before.map(({ name, read, written }) => {
      const extent = buffers.find((each) => each.name === name)?.extent ?? 0;
      const fitted = evaluateSizeExpression(extent, sizes);
      const bytes = fitted.ok ? fitted.value * elementBytes(elements, name) : 0;
      const from = Math.min(read?.from ?? 0, written?.from ?? 0, 0);
      return [name, { from, to: Math.max(read?.to ?? 0, written?.to ?? 0, bytes) }];
    }),
  );
}

function isWithin(now: Buffers, before: ReadonlyMap<string, Span>): boolean {
  return now.every(({ name, read, written }) => {
    const known = before.get(name) ?? { from: 0, to: 0 };
    const spans = [read, written].flatMap((span) => span ?? []);
    return spans.every(({ from, to }) => from >= known.from && to <= known.to);
  });
}

function largest(dtype: DataType): number {
  const bits = 8 * itemBytes[dtype] - (dtype.startsWith("uint") ? 0 : 1);
  return Math.min(farIndex, 2 ** bits - 1);
}

function sumOf({ probes: { settings } }: SeenBefore, name: string): number {
  return settings.reduce((sum, sizes) => sum + entry(sizes, name), 0);
}

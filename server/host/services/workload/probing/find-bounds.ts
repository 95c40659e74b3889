import { at, entry } from "../../../../core/base/known";
import type { Outcome } from "../../../../core/base/outcome";
import type { ProbeContent, ProbeObservation } from "../../../../core/workload/probe/observation";
import type { Setting } from "../../../../core/workload/probe/settings";
import { itemBytes } from "../../../../core/workload/item-bytes";
import { elementOf, type Elements, type FittedBuffer } from "../../../../core/workload/probe/judge-probe";
import type { DataType, Distribution } from "../../../../core/workload/spec";
import type { FoundIndex } from "./find-indices";
import { plainIndex } from "./probe-session";

/** What calls or launches again, with other contents in some buffer. */
export interface BoundTrials {
  readonly contents: Map<string, ProbeContent>;
  readonly once: (sizes: Setting) => Promise<Outcome<Pick<ProbeObservation, "buffers">, string>>;
}

/** What was seen before. */
export interface SeenBefore {
  readonly probes: {
    readonly settings: readonly Setting[];
    readonly observations: readonly Pick<ProbeObservation, "buffers">[];
  };
  readonly buffers: readonly FittedBuffer[];
  /** Names of the sizes. */
  readonly sizes: readonly string[];
  readonly elements: Elements;
  /** Buffers of which it is known what their values lead to. */
  readonly known: ReadonlySet<string>;
}

/** A number that no index is as large as; smaller where a type holds no such number. */
const farIndex = 1_000_000;
/**
 * Numbers below zero: near it, where a guard against one mark as `-1` does not hold them back, and as far as
 * they are drawn.
 */
const belowZero = [-3, -100];

/**
 * Buffers of whole numbers that say where others are touched without being plain row numbers: labels within a
 * row, lengths, starts of loops. Their values stay from 0 to below the greatest size with which no call goes
 * farther than before; where there is no such size, the values of the search stay.
 */
export async function findBounds(trials: BoundTrials, seen: SeenBefore): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  for (const { name, isRead, isWritten } of seen.buffers) {
    const { dtype } = elementOf(seen.elements, name).type;
    if (!isRead || isWritten || seen.known.has(name) || !/^u?int/.test(dtype)) continue;
    const numbers = [largest(dtype), ...(dtype.startsWith("uint") ? [] : belowZero)];
    let isNumber = true;
    for (const value of numbers) isNumber &&= await isTame(trials, { name, seen, value: () => value });
    if (isNumber) continue;
    const range = await rangeOf(trials, name, seen);
    found.push({
      ...{ index: name, into: "", rows: "", isNew: false, row: 1, base: 0 },
      distribution: range,
    });
  }
  return found;
}

/** The values with which no call goes farther than before. */
async function rangeOf(trials: BoundTrials, name: string, seen: SeenBefore): Promise<Distribution> {
  const bounds: string[] = [];
  for (const size of seen.sizes)
    if (await isTame(trials, { name, seen, value: (sizes) => entry(sizes, size) - 1 })) bounds.push(size);
  const [bound] = bounds.sort((a, b) => sumOf(seen, b) - sumOf(seen, a));
  if (bound !== undefined) return { kind: "range", low: 0, high: `${bound} - 1` };
  const last = await lastOfTable(trials, name, seen);
  const isFromZero = last !== undefined && (await isTame(trials, { name, seen, value: () => 0 }));
  return { kind: "range", low: isFromZero ? 0 : 1, high: last ?? plainIndex };
}

/**
 * The greatest number that is tame whatever the sizes are: the last place of a table in the code or in
 * constant memory. Undefined where there is none above the values of the search, or sizes move it.
 */
async function lastOfTable(trials: BoundTrials, name: string, seen: SeenBefore): Promise<number | undefined> {
  const isTameAt = (value: number): Promise<boolean> => isTame(trials, { name, seen, value: () => value });
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
    if (await isTame(trials, { name, seen: alone, value: () => wild })) return undefined;
  }
  return tame;
}

interface Trial {
  readonly name: string;
  readonly seen: SeenBefore;
  readonly value: (sizes: Readonly<Record<string, number>>) => number;
}

/** Whether calls with that value everywhere run, and touch nothing that they did not touch before. */
async function isTame({ contents, once }: BoundTrials, { name, seen, value }: Trial): Promise<boolean> {
  const { settings, observations } = seen.probes;
  try {
    for (const [index, sizes] of settings.entries()) {
      contents.set(name, { kind: "constant", value: value(sizes) });
      const now = await once(sizes);
      if (!now.ok || !isWithin(now.value.buffers, at(observations, index).buffers)) return false;
    }
    return true;
  } finally {
    contents.delete(name);
  }
}

type Buffers = ProbeObservation["buffers"];

function isWithin(now: Buffers, before: Buffers): boolean {
  return now.every(({ name, read, written }) => {
    const known = before.find((each) => each.name === name);
    const end = Math.max(known?.read?.to ?? 0, known?.written?.to ?? 0);
    const start = Math.min(known?.read?.from ?? 0, known?.written?.from ?? 0, 0);
    const spans = [read, written].flatMap((span) => span ?? []);
    return spans.every(({ from, to }) => from >= start && to <= end);
  });
}

function largest(dtype: DataType): number {
  const bits = 8 * itemBytes[dtype] - (dtype.startsWith("uint") ? 0 : 1);
  return Math.min(farIndex, 2 ** bits - 1);
}

function sumOf({ probes: { settings } }: SeenBefore, name: string): number {
  return settings.reduce((sum, sizes) => sum + entry(sizes, name), 0);
}

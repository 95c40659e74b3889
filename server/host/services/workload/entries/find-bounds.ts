import { entry, at } from "../../../../core/base/known";
import { itemBytes } from "../../../../core/workload/item-bytes";
import { elementBytes, type Elements } from "../../../../core/workload/probe/judge-probe";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { DataType, Distribution } from "../../../../core/workload/spec";
import type { FoundIndex } from "../probing/find-indices";
import { plainIndex } from "../probing/probe-session";
import type { EntryProbes, EntrySession } from "./entry-session";
import type { FoundCalls } from "./find-domains";

/** A number that no index is as large as; smaller where a type holds no such number. */
const farIndex = 1_000_000;

/**
 * Buffers of whole numbers that say where others are touched without being plain row numbers: labels within a
 * row, lengths. Their values stay below the greatest size with which no call goes farther than before;
 * where there is no such size, the values of the search stay.
 */
export async function findBounds(
  session: EntrySession,
  { calls, elements }: { readonly calls: FoundCalls; readonly elements: Elements },
  indices: readonly FoundIndex[],
): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  for (const { name, isRead, isWritten } of calls.buffers) {
    const dtype = elements.get(name)?.type.dtype ?? "float32";
    const isKnown = indices.some(({ index }) => index === name);
    if (!isRead || isWritten || isKnown || !/^u?int/.test(dtype)) continue;
    if (await isTame(session, { name, calls, value: () => largest(dtype) })) continue;
    const range = await rangeOf(session, name, calls);
    found.push({
      ...{ index: name, into: "", rows: "", isNew: false, row: 1, base: 0 },
      distribution: range,
    });
  }
  return found;
}

/** The values with which no call goes farther than before. */
async function rangeOf(session: EntrySession, name: string, calls: FoundCalls): Promise<Distribution> {
  const bounds: string[] = [];
  for (const size of calls.domains.keys())
    if (await isTame(session, { name, calls, value: (sizes) => entry(sizes, size) - 1 })) bounds.push(size);
  const [bound] = bounds.sort((a, b) => sumOf(calls.probes, b) - sumOf(calls.probes, a));
  return bound === undefined
    ? { kind: "range", low: 1, high: plainIndex }
    : { kind: "range", low: 0, high: `${bound} - 1` };
}

/** Whether what an index leads to is exactly its rows, from the first to the one it names. */
export function isPlain(index: FoundIndex, { probes }: FoundCalls, elements: Elements): boolean {
  return probes.observations.every(({ buffers }, position) => {
    const row = evaluateSizeExpression(index.row, at(probes.settings, position));
    const seen = buffers.find(({ name }) => name === index.into);
    const end = Math.max(seen?.read?.to ?? 0, seen?.written?.to ?? 0) / elementBytes(elements, index.into);
    return row.ok && end === row.value * (plainIndex + 1);
  });
}

interface Trial {
  readonly name: string;
  readonly calls: FoundCalls;
  readonly value: (sizes: Readonly<Record<string, number>>) => number;
}

/** Whether calls with that value everywhere run, and touch nothing that they did not touch before. */
async function isTame(session: EntrySession, { name, calls, value }: Trial): Promise<boolean> {
  const { settings, observations } = calls.probes;
  try {
    for (const [index, sizes] of settings.entries()) {
      session.contents.set(name, { kind: "constant", value: value(sizes) });
      const seen = await session.once(sizes);
      if (!seen.ok || !isWithin(seen.value.buffers, at(observations, index).buffers)) return false;
    }
    return true;
  } finally {
    session.contents.delete(name);
  }
}

type Buffers = EntryProbes["observations"][number]["buffers"];

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

function sumOf({ settings }: EntryProbes, name: string): number {
  return settings.reduce((sum, sizes) => sum + entry(sizes, name), 0);
}

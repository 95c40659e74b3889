import { at } from "../../../../../core/base/known";
import { fitExtent } from "../../../../../core/workload/probe/fit";
import { elementBytes, type FittedBuffer } from "../../../../../core/workload/probe/judge-probe";
import type { BufferObservation, TouchedSpan } from "../../../../../core/workload/probe/observation";
import type { BoundTrials, SeenBefore } from "./bound-trials";

/**
 * What is touched with any of the values of the search or 0 in a buffer: with differences of places, as
 * `head - delay`, the least value leads farthest. Unchanged where no expression gives how far that is, or
 * where it leads to before the start of a buffer, as of places counted from 1.
 */
export async function withFirstPlace(
  { contents, once }: BoundTrials,
  name: string,
  seen: SeenBefore,
): Promise<SeenBefore> {
  const { settings, observations } = seen.probes;
  const merged: { readonly buffers: readonly BufferObservation[] }[] = [];
  contents.set(name, { kind: "constant", value: 0 });
  try {
    for (const [index, sizes] of settings.entries()) {
      const now = await once(sizes);
      if (!now.ok) return seen;
      merged.push({
        buffers: at(observations, index).buffers.map((each) => withMore(each, now.value.buffers)),
      });
    }
  } finally {
    contents.delete(name);
  }
  const probes = { settings, observations: merged };
  const buffers: FittedBuffer[] = [];
  for (const buffer of seen.buffers) {
    const ends = endsOf(buffer.name, { ...seen, probes });
    const isAsBefore = endsOf(buffer.name, seen).every((end, index) => end === ends[index]);
    const extent = isAsBefore
      ? buffer.extent
      : fitExtent(settings.map((sizes, index) => ({ sizes, value: at(ends, index) })));
    if (!isAsBefore && extent === undefined) return seen;
    buffers.push(isAsBefore ? buffer : { ...buffer, extent, overrun: undefined });
  }
  const isBehindStart = merged.every(({ buffers: now }) =>
    now.every(({ read, written }) => Math.min(read?.from ?? 0, written?.from ?? 0) >= 0),
  );
  return isBehindStart ? { ...seen, probes, buffers } : seen;
}

function withMore(before: BufferObservation, now: readonly BufferObservation[]): BufferObservation {
  const other = now.find(({ name }) => name === before.name);
  const [read, written] = [joined(before.read, other?.read), joined(before.written, other?.written)];
  return { ...before, ...(read && { read }), ...(written && { written }) };
}

function joined(one: TouchedSpan | undefined, other: TouchedSpan | undefined): TouchedSpan | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    bytes: Math.max(one.bytes, other.bytes),
  };
}

function endsOf(name: string, { probes: { observations }, elements }: SeenBefore): readonly number[] {
  return observations.map(({ buffers }) => {
    const seen = buffers.find((each) => each.name === name);
    return Math.ceil(Math.max(seen?.read?.to ?? 0, seen?.written?.to ?? 0) / elementBytes(elements, name));
  });
}

import { at } from "../../../../../core/base/known";
import { elementBytes } from "../../../../../core/workload/probe/judge-probe";
import type { BufferObservation } from "../../../../../core/workload/probe/observation";
import type { BoundTrials, SeenBefore } from "./bound-trials";
import type { FoundIndex } from "../find-indices";

/** Places where all rows begin in two launches. */
const places = [2, 5] as const;

/**
 * Where rows of another buffer begin, without the place where the last one ends: with one number everywhere
 * that buffer is read from there on, and always up to its end. Ascending places then, up to before the end,
 * so that no row is missing. `bound`: the size that the values stay below.
 */
export async function findStarts(
  { contents, once }: BoundTrials,
  name: string,
  { seen, bound }: { readonly seen: SeenBefore; readonly bound: string },
): Promise<Pick<FoundIndex, "distribution" | "starts"> | undefined> {
  const rows = seen.buffers.find((each) => each.name === name)?.extent;
  if (rows === undefined || rows === bound) return undefined;
  const calls: (readonly (readonly BufferObservation[])[])[] = [];
  try {
    for (const value of places) {
      contents.set(name, { kind: "constant", value });
      const now = [];
      for (const sizes of seen.probes.settings) {
        const one = await once(sizes);
        if (!one.ok) return undefined;
        now.push(one.value.buffers);
      }
      calls.push(now);
    }
  } finally {
    contents.delete(name);
  }
  const isLed = seen.buffers.some(
    (into) => into.name !== name && !into.isWritten && beginsThere(into.name, { calls, seen }),
  );
  if (!isLed) return undefined;
  return {
    distribution: { kind: "offsets", total: `${bound} - ${bound} / (${rows})` },
    starts: { total: bound, rows },
  };
}

interface Calls {
  /** Buffers by the places, and then by the settings. */
  readonly calls: readonly (readonly (readonly BufferObservation[])[])[];
  readonly seen: SeenBefore;
}

/** Whether a buffer was read from the place on, without a gap, and as far as ever. */
function beginsThere(name: string, { calls, seen: { probes, elements } }: Calls): boolean {
  const bytes = elementBytes(elements, name);
  return probes.observations.every(({ buffers }, setting) => {
    const end = spanIn(buffers, name)?.to;
    const rows = places.map((place, index) => {
      const span = spanIn(at(at(calls, index), setting), name);
      const isWhole = span !== undefined && span.to === end && span.bytes === span.to - span.from;
      return isWhole ? span.from / place : Number.NaN;
    });
    return rows.every((row) => row === rows[0] && row >= bytes && row % bytes === 0);
  });
}

function spanIn(buffers: readonly BufferObservation[], name: string): BufferObservation["read"] {
  return buffers.find((each) => each.name === name)?.read;
}

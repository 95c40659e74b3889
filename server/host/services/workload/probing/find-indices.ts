import { fitExtent } from "../../../../core/workload/probe/fit";
import type { Outcome } from "../../../../core/base/outcome";
import {
  type Elements,
  elementBytes,
  type FittedBuffer,
  type Probes,
} from "../../../../core/workload/probe/judge-probe";
import type { BufferObservation, ProbeContent } from "../../../../core/workload/probe/observation";
import type { Distribution, SizeExpression } from "../../../../core/workload/spec";
import type { TriedLaunch } from "./find-grid";
import { plainIndex } from "./probe-session";

/** A buffer whose values say where another one is touched. */
export interface FoundIndex {
  readonly index: string;
  readonly into: string;
  /** The size that bounds the values: a parameter that nothing else depends on, or a new one. */
  readonly rows: string;
  readonly isNew: boolean;
  /** Elements of the other buffer for each value. */
  readonly row: SizeExpression;
  readonly distribution: Distribution;
}

const otherIndex = 11;

/** The same probes once more, with other contents. */
export interface Reprobe {
  /** What whole-number buffers hold where that is not the plain index. */
  readonly contents: Map<string, ProbeContent>;
  readonly again: () => Promise<Outcome<Probes, string>>;
}

/** What the probes have told before. */
type Seen = Pick<TriedLaunch, "buffers" | "probes">;

/**
 * Probes once more with other values in each buffer of whole numbers: where another buffer is then touched
 * farther out, the values are indices.
 */
export async function findIndices(
  { contents, again }: Reprobe,
  launch: Seen,
  { elements, idle }: { readonly elements: Elements; readonly idle: readonly string[] },
): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  const free = [...idle];
  for (const buffer of launch.buffers.filter((each) => isIndexLike(each, elements))) {
    contents.set(buffer.name, { kind: "constant", value: otherIndex });
    const moved = await again();
    contents.delete(buffer.name);
    if (!moved.ok) continue;
    for (const { name } of launch.buffers) {
      const row = rowOf(name, launch, { moved: moved.value.observations, elements });
      if (row === undefined || found.some(({ into }) => into === name)) continue;
      found.push(indexOf({ index: buffer.name, into: name, row }, { free, elements }));
    }
  }
  return found;
}

function isIndexLike({ name, isRead, isWritten }: FittedBuffer, elements: Elements): boolean {
  const dtype = elements.get(name)?.type.dtype ?? "";
  return isRead && !isWritten && /^u?int/.test(dtype);
}

interface Moved {
  readonly moved: TriedLaunch["probes"]["observations"];
  readonly elements: Elements;
}

/** How many elements of a buffer one step of the index moves along. */
function rowOf(name: string, { probes }: Seen, { moved, elements }: Moved): SizeExpression | undefined {
  const bytes = elementBytes(elements, name);
  const samples = probes.settings.map((sizes, index) => {
    const before = endOf(probes.observations[index]?.buffers, name);
    const after = endOf(moved[index]?.buffers, name);
    return { sizes, value: (after - before) / bytes / (otherIndex - plainIndex) };
  });
  return samples.every(({ value }) => value > 0 && Number.isInteger(value)) ? fitExtent(samples) : undefined;
}

function endOf(buffers: readonly BufferObservation[] | undefined, name: string): number {
  const buffer = buffers?.find((each) => each.name === name);
  return Math.max(buffer?.read?.to ?? 0, buffer?.written?.to ?? 0);
}

function indexOf(
  { index, into, row }: Pick<FoundIndex, "index" | "into" | "row">,
  { free, elements }: { readonly free: string[]; readonly elements: Elements },
): FoundIndex {
  const parameter = free.shift();
  const rows = parameter ?? `${into}_rows`;
  const isByte = elements.get(index)?.itemBytes === 1;
  const high = isByte
    ? `min(${rows}, ${elements.get(index)?.type.dtype === "int8" ? 128 : 256}) - 1`
    : `${rows} - 1`;
  return {
    index,
    into,
    rows,
    isNew: parameter === undefined,
    row,
    distribution: { kind: "range", low: 0, high },
  };
}

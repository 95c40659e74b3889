import { at } from "../../../../../core/base/known";
import {
  elementBytes,
  type Elements,
  endsOf,
  type FittedBuffer,
  type Probes,
} from "../../../../../core/workload/probe/judge-probe";
import { plainIndex } from "../../../../../core/workload/probe/fitting/fit-last-row";
import type { SizeExpression } from "../../../../../core/workload/spec";

/** What a length is at most: so many elements are room enough for each. */
const longest = 8;

interface Led {
  readonly index: string;
  readonly into: string;
}

interface Seen {
  readonly probes: Probes;
  readonly buffers: readonly FittedBuffer[];
}

/**
 * Indices of which some are lengths: where all elements from the start of a buffer on are written, so many
 * for each number, the numbers say how many each has, and their sum how many there are.
 */
export function withLengths<Index extends Led>(
  indices: readonly Index[],
  { probes, buffers }: Seen,
  elements: Elements,
): readonly Index[] {
  return indices.map((index): Index => {
    const count = buffers.find(({ name }) => name === index.index)?.extent;
    if (count === undefined || !isFilled(index, probes, elements)) return index;
    return {
      ...index,
      ...{ rows: roomFor(count), isShared: true, row: 1, base: 0 },
      distribution: { kind: "range", low: 0, high: longest },
    };
  });
}

function roomFor(count: SizeExpression): SizeExpression {
  return /^\w+$/.test(String(count)) ? `${longest} * ${count}` : `${longest} * (${count})`;
}

/** Whether as many elements are written as all numbers of an index come to, with none left out. */
function isFilled({ index, into }: Led, probes: Probes, elements: Elements): boolean {
  const counts = endsOf(probes, index, elements);
  return probes.observations.every(({ buffers }, probe) => {
    const written = buffers.find(({ name }) => name === into)?.written;
    const bytes = plainIndex * at(counts, probe) * elementBytes(elements, into);
    return written !== undefined && written.from === 0 && written.to === bytes && written.bytes === bytes;
  });
}

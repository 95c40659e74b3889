import { at } from "../../../../core/base/known";
import { fitExtent } from "../../../../core/workload/probe/fit";
import { type Elements, endsOf, fitBuffers } from "../../../../core/workload/probe/judge-probe";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { Reprobe, Seen } from "./find-indices";

/** A buffer whose values say where rows of other buffers begin and end. */
export interface FoundOffsets {
  readonly index: string;
  /** Numbers of the rows. */
  readonly rows: SizeExpression;
  /** Buffers with so many elements for each number that the last offset counts. */
  readonly into: ReadonlyMap<string, SizeExpression>;
}

/**
 * Probes once more with ascending numbers in buffers of whole numbers that have one element more than a size:
 * where other buffers are then touched as far as the last number says, they are offsets of rows. The launch
 * as it is with such offsets, which the session keeps.
 */
export async function findOffsets(
  reprobe: Reprobe,
  launch: Seen,
  { elements, divide }: Buffers,
): Promise<{ readonly seen: Seen; readonly offsets: readonly FoundOffsets[] }> {
  const offsets: FoundOffsets[] = [];
  let present = launch;
  for (const { name, extent, overrun } of launch.buffers) {
    const rows = /^(.+) \+ 1$/.exec(String(extent))?.[1];
    const isWhole = /^u?int(?:32|64)$/.test(elements.get(name)?.type.dtype ?? "");
    if (rows === undefined || !isWhole || overrun !== undefined) continue;
    const single = await withRamp(reprobe, present, { name, step: 1, elements, divide });
    const double = await withRamp(reprobe, present, { name, step: 2, elements, divide });
    if (single === undefined || double === undefined) continue;
    const into = ledInto(name, { single, double }, elements);
    if (into.size === 0) continue;
    reprobe.contents.set(name, { kind: "ramp", step: 1 });
    present = single;
    offsets.push({ index: name, rows, into });
  }
  return { seen: present, offsets };
}

interface Buffers {
  readonly elements: Elements;
  /** Numbers that extents may be divided by: threads of a block. */
  readonly divide: readonly number[];
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
  return { probes: probes.value, buffers: fitBuffers(probes.value, elements, divide) };
}

/** Buffers that are touched as far as the last offset says, and twice as far with twice the offsets. */
function ledInto(
  index: string,
  { single, double }: { readonly single: Seen; readonly double: Seen },
  elements: Elements,
): ReadonlyMap<string, SizeExpression> {
  const into = new Map<string, SizeExpression>();
  const { settings } = single.probes;
  const rows = endsOf(single.probes, index, elements);
  for (const { name } of single.buffers) {
    const [once, twice] = [endsOf(single.probes, name, elements), endsOf(double.probes, name, elements)];
    const isLed = once.every((end, position) => end > 0 && twice[position] === 2 * end);
    if (name === index || !isLed) continue;
    const row = fitExtent(
      settings.map((sizes, position) => ({
        sizes,
        value: at(once, position) / Math.max(1, at(rows, position) - 1),
      })),
    );
    if (row !== undefined) into.set(name, row);
  }
  return into;
}

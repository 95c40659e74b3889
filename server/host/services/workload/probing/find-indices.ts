import { at } from "../../../../core/base/known";
import type { Outcome } from "../../../../core/base/outcome";
import { fitExtent } from "../../../../core/workload/probe/fit";
import {
  elementBytes,
  type Elements,
  endsOf,
  type FittedBuffer,
  type Probes,
  elementOf,
} from "../../../../core/workload/probe/judge-probe";
import type { ProbeContent, ProbeObservation } from "../../../../core/workload/probe/observation";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { Distribution, SizeExpression } from "../../../../core/workload/spec";
import type { TriedLaunch } from "./find-grid";
import { isTurnName } from "../../../../core/workload/probe/range-names";
import { withLengths } from "./extents/find-lengths";
import { plainNumber } from "./probe-session";

/** A buffer whose values say where another one is touched. */
export interface FoundIndex {
  readonly index: string;
  readonly into: string;
  /**
   * The size that bounds the values: a parameter that nothing else depends on, a known extent, or a new one.
   */
  readonly rows: SizeExpression;
  /** `rows` is a size that no parameter tells. */
  readonly isNew: boolean;
  /** `rows` is what other buffers have as well. */
  readonly isShared?: true;
  /** Elements of the other buffer for each value. */
  readonly row: SizeExpression;
  /**
   * Rows before the first one that the value 0 leads to: tables may lie one behind the other. Below zero
   * where values are counted from 1.
   */
  readonly base: SizeExpression;
  readonly distribution: Distribution;
  /** Of starts of rows: the size that counts the elements of all of them, and how many rows there are. */
  readonly starts?: { readonly total: string; readonly rows: SizeExpression };
}

/** A buffer that is touched farther with other values in another one, but not as an index says. */
export interface FoundSearch {
  /** Whose values decide. */
  readonly by: string;
  readonly into: string;
  readonly extent: SizeExpression;
}

const otherIndex = 11;
/** A number of a row that no launch with the usual numbers comes to. */
export const otherNumber: ProbeContent = { kind: "constant", value: otherIndex };

/** The same probes once more, with other contents. */
export interface Reprobe {
  /** What buffers hold where that is not the plain number. */
  readonly contents: Map<string, ProbeContent>;
  readonly again: () => Promise<Outcome<Probes, string>>;
}

/** What the probes have told before. */
export type Seen = Pick<TriedLaunch, "buffers" | "probes">;

/** The sizes that bound the values of indices. */
export function rangesOf(indices: readonly FoundIndex[]): readonly string[] {
  const rows = indices.flatMap(({ rows: each, distribution, isShared }) =>
    typeof each === "string" && each !== "" && isShared === undefined && !isPermutation(distribution)
      ? each
      : [],
  );
  return [...new Set(rows)];
}

/** Sizes that count the elements of rows, with how many rows there are. */
export function ledOf(indices: readonly FoundIndex[]): ReadonlyMap<string, SizeExpression> {
  return new Map(indices.flatMap(({ starts }) => (starts ? [[starts.total, starts.rows] as const] : [])));
}

/** The rows of tables that are only read and that no parameter tells, with the elements of each row. */
export function tablesOf(
  indices: readonly FoundIndex[],
  buffers: readonly FittedBuffer[],
): ReadonlyMap<string, SizeExpression> {
  const read = indices.filter(
    ({ isNew, into }) => isNew && buffers.some(({ name, isWritten }) => name === into && !isWritten),
  );
  return new Map(read.map(({ rows, row }) => [String(rows), row]));
}

/** Whether each place is there once. */
export function isPermutation(distribution: Distribution): boolean {
  return (typeof distribution === "string" ? distribution : distribution.kind) === "permutation";
}

interface Search {
  readonly elements: Elements;
  /** Sizes that nothing depends on. */
  readonly idle: readonly string[];
  /** Offsets of rows, with what they lead into. */
  readonly offsets?: readonly {
    readonly rows: SizeExpression;
    readonly into: ReadonlyMap<string, unknown>;
  }[];
  /** Of these it is known what their values lead to. */
  readonly known: ReadonlySet<string>;
  /** What buffers are probed with once more, the usual numbers if left out; undefined: not at all. */
  readonly tried?: (buffer: FittedBuffer) => ProbeContent | undefined;
}

/**
 * Probes once more with other values in each buffer that is only read: where another buffer is then touched
 * farther out, the values are indices, or decide how far a search gets.
 */
export async function findIndices(
  reprobe: Reprobe,
  launch: Seen,
  { elements, idle, offsets = [], known, tried = (buffer) => otherContent(buffer, launch, elements) }: Search,
): Promise<{ readonly indices: readonly FoundIndex[]; readonly searches: readonly FoundSearch[] }> {
  const indices: FoundIndex[] = [];
  const searches: FoundSearch[] = [];
  const free = idle.filter((name) => !isTurnName(name));
  for (const buffer of launch.buffers.filter(({ name }) => !known.has(name))) {
    const content = tried(buffer);
    const moved = content && (await movedWith(reprobe, launch, { name: buffer.name, content }));
    if (moved === undefined) continue;
    const ofRows = offsets.find((each) => each.into.has(buffer.name))?.rows;
    const index = content?.kind === "constant" ? buffer : undefined;
    for (const into of launch.buffers.filter(({ name }) => searches.every((each) => each.into !== name))) {
      // Both ends of an edge lead into the same table.
      const beside = indices.find((each) => each.into === into.name);
      const led = index && ledFrom(index, into, { launch, moved, elements });
      if (led !== undefined && isAlike(beside, led))
        indices.push(indexOf({ index: buffer, into, ...led }, { free, elements, before: indices, ofRows }));
      if (led === undefined && beside === undefined)
        searches.push(...searchOf(buffer, into, { launch, moved, elements }));
    }
  }
  return { indices: withLengths(indices, launch, elements), searches };
}

/** The probes with other contents in one buffer; undefined where it has some already, or they fail. */
async function movedWith(
  { contents, again }: Reprobe,
  { probes }: Seen,
  { name, content }: { readonly name: string; readonly content: ProbeContent },
): Promise<Probes | undefined> {
  if (contents.has(name)) return undefined;
  contents.set(name, content);
  const moved = await again();
  contents.delete(name);
  return moved.ok && moved.value.settings.length >= probes.settings.length ? moved.value : undefined;
}

/** How far what an index leads to moves along; see `rowOf`. */
function ledFrom(
  index: FittedBuffer,
  into: FittedBuffer,
  { launch, moved, elements }: Moved & { readonly launch: Seen },
): Pick<FoundIndex, "row" | "base"> | undefined {
  const step = otherIndex - plainNumber(elementOf(elements, index.name).type.dtype);
  return rowOf(into.name, launch, { moved, elements, step });
}

/** Whether two indices into one table count the same rows. */
function isAlike(beside: FoundIndex | undefined, led: Pick<FoundIndex, "row" | "base">): boolean {
  return beside === undefined || (beside.row === led.row && beside.base === led.base);
}

/**
 * The values that a buffer is probed with once more; undefined where they cannot decide where others are
 * touched.
 */
function otherContent(
  { name, isRead, isWritten }: FittedBuffer,
  { buffers }: Seen,
  elements: Elements,
): ProbeContent | undefined {
  const { dtype } = elementOf(elements, name).type;
  if (!isRead || isWritten) return undefined;
  if (/^u?int/.test(dtype)) return otherNumber;
  if (!dtype.includes("float")) return undefined;
  const isOpen = buffers.some(({ extent }) => extent === undefined || /\//.test(String(extent)));
  if (isOpen) return { kind: "spread" };
  // What all threads touch in one place may be touched where a number of another type says.
  const isFixed = buffers.some((each) => typeof each.extent === "number" && !each.isAtomic);
  return isFixed ? otherNumber : undefined;
}

interface Moved {
  readonly moved: Probes;
  readonly elements: Elements;
}

/**
 * How many elements of a buffer `step` more of the index move along, a row each, and how many such rows lie
 * before.
 */
function rowOf(
  name: string,
  { probes }: Seen,
  { moved, elements, step }: Moved & { readonly step: number },
): Pick<FoundIndex, "row" | "base"> | undefined {
  const [before, after] = [endsOf(probes, name, elements), endsOf(moved, name, elements)];
  const rows = before.map((end, index) => (at(after, index) - end) / step);
  if (!rows.every((row) => row > 0 && Number.isInteger(row))) return undefined;
  const { settings } = probes;
  const row = fitExtent(settings.map((sizes, index) => ({ sizes, value: at(rows, index) })));
  const bases = before.map((end, index) => Math.ceil(end / at(rows, index)) - (otherIndex - step) - 1);
  const base = fitExtent(settings.map((sizes, index) => ({ sizes, value: at(bases, index) })));
  return row === undefined ? undefined : { row, base: base ?? 0 };
}

/**
 * The extent that both probes together show, where it is more than the first one did and an expression fits.
 */
function searchOf(
  by: FittedBuffer,
  into: FittedBuffer,
  { launch, moved, elements }: Moved & { readonly launch: Seen },
): readonly FoundSearch[] {
  const before = endsOf(launch.probes, into.name, elements);
  const ends = endsOf(moved, into.name, elements).map((end, index) => Math.max(end, at(before, index)));
  if (ends.every((end, index) => end === before[index])) return [];
  const extent = fitExtent(launch.probes.settings.map((sizes, index) => ({ sizes, value: at(ends, index) })));
  return extent === undefined ? [] : [{ by: by.name, into: into.name, extent }];
}

/**
 * An index: into what is only written each number is taken to be there once, as every element is to be
 * written and no two threads may write the same.
 */
function indexOf(
  {
    index,
    into,
    row,
    base,
  }: Pick<FoundIndex, "row" | "base"> & {
    readonly index: FittedBuffer;
    readonly into: FittedBuffer;
  },
  {
    free,
    elements,
    before,
    ofRows,
  }: {
    readonly free: string[];
    readonly elements: Elements;
    readonly before: readonly FoundIndex[];
    /** Of an index that lies in rows: how many rows there are. */
    readonly ofRows?: SizeExpression | undefined;
  },
): FoundIndex {
  const isByte = elementOf(elements, index.name).itemBytes === 1;
  const isScattered = isFilled(into) && !isByte && ofRows === undefined;
  const common = { index: index.name, into: into.name, row, base };
  const digits = ofRows === undefined ? digitsOf(common) : undefined;
  if (digits !== undefined) return digits;
  const first = firstPlace({ base });
  if (isScattered && index.extent !== undefined)
    return {
      ...{ ...common, rows: index.extent, isNew: false },
      distribution: first === 0 ? "permutation" : { kind: "permutation", first },
    };
  // A table of bytes has a row for each of them.
  if (isByte && free.length === 0)
    return { ...common, rows: byteValues(index, elements), isNew: false, distribution: "integers" };
  const known = knownRows(common, before);
  if (known !== undefined) return known;
  const { rows, ...from } = rowsLedInto(into, free, ofRows);
  const most = isByte ? `min(${rows}, ${byteValues(index, elements)})` : rows;
  const high = first === 1 ? most : `${most} - 1${first === 0 ? "" : ` + ${first}`}`;
  return { ...common, rows, ...from, distribution: { kind: "range", low: first, high } };
}

/** An index into a table of whose rows another one has told, or whose values lead into another table, too. */
function knownRows(
  common: Pick<FoundIndex, "index" | "into" | "row" | "base">,
  before: readonly FoundIndex[],
): FoundIndex | undefined {
  const ranges = before.filter(({ distribution }) => isRange(distribution));
  const beside = ranges.find(({ into }) => into === common.into);
  if (beside !== undefined) return { ...beside, index: common.index, isNew: false };
  const other = ranges.find(({ index }) => index === common.index);
  return other && { ...other, ...common };
}

/** Whether a buffer is written, and nothing of what it held before. */
function isFilled({ isWritten, isRead, isAtomic }: FittedBuffer): boolean {
  return isWritten && !isRead && !isAtomic;
}

/** Where two values are the digits of one place: `counts[a * k + b]`. */
function digitsOf(common: Pick<FoundIndex, "index" | "into" | "row">): FoundIndex | undefined {
  const size = /^(\w+) \+ 1$/.exec(String(common.row))?.[1];
  if (size === undefined) return undefined;
  return {
    ...{ ...common, rows: size, row: size, base: 0, isNew: false, isShared: true },
    distribution: { kind: "range", low: 0, high: `${size} - 1` },
  };
}

/**
 * How many rows values lead into: a parameter that nothing else depends on, else a size of its own. What rows
 * hold may be numbers of rows, as the neighbours of a node are: into what is written they lead then.
 */
function rowsLedInto(
  into: FittedBuffer,
  free: string[],
  ofRows: SizeExpression | undefined,
): Pick<FoundIndex, "rows" | "isNew" | "isShared"> {
  const parameter = free.shift();
  if (parameter !== undefined) return { rows: parameter, isNew: false };
  if (ofRows !== undefined && into.isWritten) return { rows: ofRows, isNew: false, isShared: true };
  return { rows: `${into.name}_rows`, isNew: true };
}

/** The least value that leads into the table: 1 where places are counted from 1. */
export function firstPlace({ base }: Pick<FoundIndex, "base">): number {
  return typeof base === "number" && base < 0 ? -base : 0;
}

/** Values from 0 that a byte has. */
function byteValues({ name }: FittedBuffer, elements: Elements): number {
  return elementOf(elements, name).type.dtype === "int8" ? 128 : 256;
}

function isRange(distribution: Distribution): boolean {
  return typeof distribution === "object" && distribution.kind === "range";
}

/** Whether what an index leads to is its rows, from the first to the one it names, or a part of that. */
export function isPlain(
  index: FoundIndex,
  {
    probes,
  }: {
    readonly probes: {
      readonly settings: Probes["settings"];
      readonly observations: readonly Pick<ProbeObservation, "buffers">[];
    };
  },
  elements: Elements,
): boolean {
  return probes.observations.every(({ buffers }, position) => {
    const row = evaluateSizeExpression(index.row, at(probes.settings, position));
    const seen = buffers.find(({ name }) => name === index.into);
    const end = Math.max(seen?.read?.to ?? 0, seen?.written?.to ?? 0) / elementBytes(elements, index.into);
    const last = plainNumber(elementOf(elements, index.index).type.dtype) - firstPlace(index);
    return row.ok && end > row.value * last && end <= row.value * (last + 1);
  });
}

import { at, known } from "../../base/known";
import type { SizeExpression } from "../spec";
import { fitLastRow } from "./fitting/fit-last-row";
import { fitTerms } from "./fitting/fit-terms";
import { fitExtent, rimOf } from "./fit";
import type { BufferObservation, ElementType, ProbeObservation, TouchedSpan } from "./observation";
import { findOverrun, type Overrun } from "./overrun";
import { insideRim, type Rim } from "./rim";
import type { Sample } from "./sample";
import type { Setting } from "./settings";

/** Probes of one launch under several settings. */
export interface Probes {
  readonly settings: readonly Setting[];
  readonly observations: readonly ProbeObservation[];
}

/** What the probes say about one buffer. */
export interface FittedBuffer {
  readonly name: string;
  /** Elements; undefined when no expression gives what was seen. */
  readonly extent: SizeExpression | undefined;
  /** Set where the extent speaks of a guard that lets one thread too many through. */
  readonly overrun: Overrun | undefined;
  /** Elements that were touched with the first setting. */
  readonly seen: number;
  readonly isRead: boolean;
  readonly isWritten: boolean;
  readonly isAtomic: boolean;
  /** Some of its elements stay unwritten. */
  readonly isPartial: boolean;
  /** Part of the extent that is written, at worst: from 0 to 1; what a rim leaves out does not count. */
  readonly coverage: number;
  /** The same of what is read. */
  readonly readCoverage: number;
  /** Numbers in an element: of a structure some fields may stay unwritten. */
  readonly width: number;
  /** Part of what is written that several threads write, at worst. */
  readonly contended: number;
  /** Bytes before its start that are touched, at most. */
  readonly before: number;
}

/** `itemBytes`: bytes of one number; `pitch`: bytes from row to row, where that is known. */
interface ElementFacts {
  readonly type: ElementType;
  readonly itemBytes: number;
  readonly pitch?: number;
}

/** What the elements of each buffer are. */
export type Elements = ReadonlyMap<string, ElementFacts>;

/** What the elements of a buffer are. */
export function elementOf(elements: Elements, name: string): ElementFacts {
  return known(elements.get(name), `the elements of the buffer ${name}`);
}

/** Bytes of an element: of a number, or of all numbers of a vector or structure. */
export function elementBytes(elements: Elements, name: string): number {
  const { type, itemBytes } = elementOf(elements, name);
  return type.width * itemBytes;
}

/** How far a buffer was touched by each probe, in elements. */
export function endsOf({ observations }: Probes, name: string, elements: Elements): readonly number[] {
  const bytes = elementBytes(elements, name);
  return observations.map(({ buffers }) => {
    const buffer = buffers.find((each) => each.name === name);
    return buffer === undefined ? 0 : Math.ceil(endOf(buffer) / bytes);
  });
}

/** What an extent may be made of besides sizes. */
interface FitParts {
  /** What a size may be divided by. */
  readonly divide?: readonly number[];
  /** What code computes of sizes; see `fitTerms`. */
  readonly terms?: readonly string[];
}

/** Fits the extent of each buffer that was touched, in elements. */
export function fitBuffers(
  { settings, observations }: Probes,
  elements: Elements,
  { divide = [], terms = [] }: FitParts = {},
): readonly FittedBuffer[] {
  const names = observations[0]?.buffers.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const seen = observations.flatMap(({ buffers }) => buffers.find((each) => each.name === name) ?? []);
    const bytes = elementBytes(elements, name);
    const extents = endsOf({ settings, observations }, name, elements);
    const samples = settings.map((sizes, index) => ({ sizes, value: at(extents, index) }));
    const rim = rimOf(samples);
    const part = (of: (buffer: BufferObservation) => TouchedSpan | undefined): number =>
      touchedPart({ samples, rim }, seen.map(of), bytes);
    const isLed = leads(elements, name);
    // Which elements are written is then a matter of the values alone.
    const isOfSeveral = observations.some((each) => each.isOfSeveral === true);
    const extent = fitExtent(samples, divide);
    return {
      name,
      extent:
        extent ??
        fitTerms(samples, terms) ??
        fitRows(samples, (elementOf(elements, name).pitch ?? 0) / bytes) ??
        (isLed ? fitLastRow(samples) : undefined),
      // Of what has no expression there is nothing to say, and to search again takes long.
      overrun: extent === undefined ? undefined : overrunOf(samples, seen),
      seen: at(extents, 0),
      isRead: seen.some(({ readFirst }) => readFirst !== undefined),
      isWritten: seen.some(({ written }) => written !== undefined),
      isAtomic: seen.some(({ isAtomic }) => isAtomic),
      width: elementOf(elements, name).type.width,
      isPartial: seen.some((buffer) => {
        const { written } = buffer;
        if (buffer.isSometimes === true) return true;
        // Of the last element a part may be left out.
        const end = bytes * Math.ceil(endOf(buffer) / bytes);
        return written !== undefined && (written.from > 0 || written.bytes < end);
      }),
      coverage: isOfSeveral ? 1 : part(({ written }) => written),
      readCoverage: part(({ read }) => read),
      contended: isOfSeveral ? 0 : Math.max(0, ...seen.map(contendedPart)),
      before: Math.max(0, ...seen.map(({ read, written }) => -Math.min(read?.from ?? 0, written?.from ?? 0))),
    };
  });
}

function overrunOf(samples: readonly Sample[], seen: readonly BufferObservation[]): Overrun | undefined {
  return findOverrun(
    samples,
    seen.map(({ lastBy }) => lastBy),
  );
}

/** Whether another buffer holds whole numbers, which may lead into this one. */
function leads(elements: Elements, into: string): boolean {
  return [...elements].some(([name, { type }]) => name !== into && /int(?:32|64)$/.test(type.dtype));
}

/** Whole rows of so many elements; undefined where their number has no expression either. */
function fitRows(samples: readonly Sample[], elements: number): SizeExpression | undefined {
  if (elements < 1) return undefined;
  const rows = fitExtent(samples.map(({ sizes, value }) => ({ sizes, value: Math.ceil(value / elements) })));
  if (rows === undefined || typeof rows === "number") return rows && rows * elements;
  return `${elements} * ${/^[\w *]+$/.test(rows) ? rows : `(${rows})`}`;
}

/** All of a matrix, also within a rim: `rows * columns`, `(rows - 2) * (columns - 2)`. */
const wholeMatrix = /^(?:\w+|\(\w+ [-+] \d+\))(?: \* (?:\w+|\(\w+ [-+] \d+\)))+$/;

/**
 * Part of what lies between the start and the end of what is touched that is touched, at worst. What a rim
 * leaves out does not count, nor does what lies between the rows of a matrix.
 */
function touchedPart(
  { samples, rim }: { readonly samples: readonly Sample[]; readonly rim: Rim | undefined },
  spans: readonly (TouchedSpan | undefined)[],
  bytes: number,
): number {
  const touched = samples.map(({ sizes }, index) => ({ sizes, value: (spans[index]?.bytes ?? 0) / bytes }));
  if (wholeMatrix.test(String(fitExtent(touched)))) return 1;
  const parts = samples.map(({ sizes, value }, index) => {
    const span = spans[index];
    if (span === undefined) return 1;
    const whole = rim === undefined ? value : insideRim(rim, sizes, Math.floor(span.from / bytes));
    return span.bytes / Math.max(span.bytes, bytes * whole);
  });
  return Math.min(1, ...parts);
}

/** What of the misfit of a launch comes of elements that several threads write. */
export function contention(buffers: readonly FittedBuffer[]): number {
  return buffers.reduce((sum, buffer) => sum + contentionOf(buffer), 0);
}

function contentionOf({ isWritten, extent, contended }: FittedBuffer): number {
  return isWritten && typeof extent !== "number" ? penalties.contended * contended : 0;
}

function endOf({ read, written }: BufferObservation): number {
  return Math.max(read?.to ?? 0, written?.to ?? 0, 0);
}

function contendedPart({ written, contendedBytes }: BufferObservation): number {
  return written === undefined ? 0 : Math.min(1, contendedBytes / Math.max(1, written.bytes));
}

const penalties = {
  fault: 1000,
  unfit: 100,
  contended: 60,
  uncovered: 50,
  unread: 5,
  before: 30,
  rounded: 0.4,
  unused: 3,
  squared: 2,
};

/** What is read more thinly than this is looked up: the values of another buffer decide what is read. */
const sparse = 0.3;

/** What the misfit of a launch has for each buffer whose extent no expression gives. */
export const unfitPenalty = penalties.unfit;
/** The same for each buffer that is touched before its start. */
export const beforePenalty = penalties.before;

/**
 * How ill a launch suits a kernel, from what its probes touched: faults, extents that no expression gives,
 * elements that several threads write, nobody writes or nobody reads, and sizes that nothing depends on
 * (`names`: those that something has to depend on). 0 is a launch that explains everything.
 */
export function misfit(
  buffers: readonly FittedBuffer[],
  probes: Probes,
  launch: { readonly grid: readonly SizeExpression[]; readonly names: readonly string[] },
): number {
  const faults = probes.observations.reduce((sum, { faults: found }) => sum + Math.min(1, found.length), 0);
  const used = [...launch.grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  const unused = launch.names.filter((name) => !new RegExp(`\\b${name}\\b`).test(used)).length;
  let sum = penalties.fault * faults + penalties.unused * unused;
  for (const buffer of buffers) {
    if (buffer.extent === undefined) sum += penalties.unfit;
    if (/ceil_div|\//.test(String(buffer.extent))) sum += penalties.rounded;
    sum += contentionOf(buffer);
    if (buffer.isWritten && typeof buffer.extent !== "number")
      sum += penalties.uncovered * Math.max(0, 1 - buffer.coverage * buffer.width);
    if (!buffer.isWritten && typeof buffer.extent !== "number" && buffer.readCoverage > sparse)
      sum += penalties.unread * Math.max(0, 1 - buffer.readCoverage * buffer.width);
    if (buffer.before > 0) sum += penalties.before;
  }
  // A single size is squared by every square matrix; times its own number of blocks it is by chance.
  const isAlone = Object.keys(probes.settings[0] ?? {}).length === 1;
  const squared = isAlone ? /\b(\w+) \* ceil_div\(\1\b/ : /\b(\w+) \* (?:ceil_div\()?\1\b/;
  return sum + (buffers.some(({ extent }) => squared.test(String(extent))) ? penalties.squared : 0);
}

import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import { findBounds } from "../find-bounds";
import type { BoundTrials, SeenBefore } from "./bound-trials";
import { type Elements, elementOf, type FittedBuffer } from "../../../../../core/workload/probe/judge-probe";
import {
  findIndices,
  otherNumber,
  type FoundIndex,
  type FoundSearch,
  type Reprobe,
  type Seen,
} from "../find-indices";
import { findTablePlaces } from "./find-table-places";
import { findCoordinates, type FoundCoordinates } from "./find-coordinates";
import { findFloatBounds } from "./find-float-bounds";

/**
 * What bounds the values of buffers that are no plain row numbers: whole numbers first, then floats that are
 * places. `renew` begins another search.
 */
export async function findValues(
  trials: BoundTrials,
  seen: SeenBefore,
  { searches, renew }: { readonly searches: readonly FoundSearch[]; readonly renew: () => void },
): Promise<FoundCoordinates> {
  const { indices, buffers } = await findBounds(trials, seen);
  renew();
  const known = new Set([...seen.known, ...searches.map(({ by }) => by)]);
  const places = await findCoordinates(trials, { ...seen, buffers, known });
  renew();
  const told = new Set([...known, ...places.indices.map(({ index }) => index)]);
  const floats = await findFloatBounds(trials, { ...seen, buffers: places.buffers, known: told });
  return { indices: [...indices, ...places.indices, ...floats], buffers: places.buffers };
}

/** What the values of buffers lead to, as far as whole numbers tell. */
interface FoundLeading {
  readonly buffers: readonly FittedBuffer[];
  /** Buffers of which any value leads into a table. */
  readonly places: readonly FoundIndex[];
  readonly indices: readonly FoundIndex[];
  readonly searches: readonly FoundSearch[];
}

interface LeadingSearch extends Omit<SeenBefore, "sizes"> {
  /** Sizes that nothing depends on. */
  readonly idle: readonly string[];
  readonly offsets: NonNullable<Parameters<typeof findIndices>[2]["offsets"]>;
  readonly again: Reprobe["again"];
  /** Begins another search. */
  readonly renew: () => void;
}

/** Tables that every value of a type leads into first, then places and searches by the usual numbers. */
export async function findLeading(
  trials: BoundTrials,
  { idle, offsets, again, renew, ...seen }: LeadingSearch,
  probes: Seen["probes"],
): Promise<FoundLeading> {
  const { indices: places, buffers } = await findTablePlaces(trials, { ...seen, idle });
  renew();
  const known = new Set(places.map(({ index }) => index));
  const { elements } = seen;
  const { contents } = trials;
  const search = { elements, idle, offsets, known };
  const found = await findIndices({ contents, again }, { buffers, probes }, search);
  renew();
  return { ...found, buffers, places };
}

/** What is known of the buffers by now. */
interface LabelSearch {
  readonly elements: Elements;
  /** Sizes that nothing depends on. */
  readonly idle: readonly string[];
  /** Of these it is known what their values lead to. */
  readonly known: ReadonlySet<string>;
}

/**
 * Floats that are numbers of rows, as labels and kinds that are stored beside other floats: with the usual
 * ones, all below 1, there would be a single kind. Those of which a part is the place in a row are none.
 */
export async function findLabels(
  reprobe: Reprobe,
  launch: Seen,
  { elements, idle, known }: LabelSearch,
): Promise<readonly FoundIndex[]> {
  const isAsked = ({ name, isRead, isWritten }: FittedBuffer): boolean =>
    isRead && !isWritten && !known.has(name) && elementOf(elements, name).type.dtype.includes("float");
  if (!launch.buffers.some(isAsked)) return [];
  const tried = (buffer: FittedBuffer): ProbeContent | undefined =>
    isAsked(buffer) ? otherNumber : undefined;
  const { indices } = await findIndices(reprobe, launch, { elements, idle, known, tried });
  return indices.filter(({ row, isShared }) => isShared === undefined && /^[\w *]+$/.test(String(row)));
}

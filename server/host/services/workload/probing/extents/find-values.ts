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
  const { indices } = await findIndices(reprobe, launch, { elements, idle, tried });
  return indices.filter(({ row, isShared }) => isShared === undefined && /^[\w *]+$/.test(String(row)));
}

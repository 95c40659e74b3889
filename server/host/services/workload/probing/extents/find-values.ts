import { findBounds } from "../find-bounds";
import type { BoundTrials, SeenBefore } from "./bound-trials";
import type { FoundSearch } from "../find-indices";
import { findCoordinates, type FoundCoordinates } from "./find-coordinates";

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
  return { indices: [...indices, ...places.indices], buffers: places.buffers };
}

import { at, entry } from "../../../base/known";
import type { Setting } from "../settings";

/**
 * Launches of one call, at most: each costs the virtual GPU as much as thousands of instructions, and a
 * hundred more of those that are alike tell nothing new.
 */
const mostLaunches = 256;

/** The part of the most that each of the proposed shapes has; see `odd` in `proposed.ts`. */
const parts = [1, 3 / 4, 1 / 4, 1 / 2];

/**
 * The size of which each one more is as many more launches of host code, with the most that a shape has of
 * it. Empty where it is not seen that launches are in proportion to one size alone.
 */
export function launchCaps(
  settings: readonly Setting[],
  launches: readonly number[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const caps = names.flatMap((name): (readonly [string, number])[] => {
    const each = launchesForEach(
      settings.map((sizes) => entry(sizes, name)),
      launches,
    );
    return each === undefined ? [] : [[name, Math.max(1, Math.floor(mostLaunches / each))]];
  });
  return new Map(caps.length === 1 ? caps : []);
}

/** How many launches one more of a size is; undefined where they do not lie on a rising line. */
function launchesForEach(values: readonly number[], launches: readonly number[]): number | undefined {
  const least = values.indexOf(Math.min(...values));
  const most = values.indexOf(Math.max(...values));
  const spread = at(values, Math.max(0, most)) - at(values, Math.max(0, least));
  if (values.length < 2 || spread === 0) return undefined;
  const slope = (at(launches, most) - at(launches, least)) / spread;
  const rest = at(launches, least) - slope * at(values, least);
  const isLine = values.every((value, index) => at(launches, index) === slope * value + rest);
  return isLine && slope > 0 && Number.isInteger(slope) ? slope : undefined;
}

/** A value of a size for one of the proposed shapes, with no more launches than a call has. */
export function withinLaunches(
  caps: ReadonlyMap<string, number> | undefined,
  { name, shape }: { readonly name: string; readonly shape: number },
  value: number,
): number {
  const most = caps?.get(name);
  if (most === undefined || value <= most * at(parts, shape)) return value;
  // Odd, where the shape has odd sizes.
  const less = Math.max(1, Math.floor(most * at(parts, shape)));
  return shape === 0 || less % 2 === 1 ? less : less - 1;
}

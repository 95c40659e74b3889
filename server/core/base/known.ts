import { InvariantError } from "./assert";

/*
 * Reads what the code itself guarantees to be there. Where absence is normal a `??` default says so; where it
 * would be a bug of ours, these name the bug instead of carrying on with a made-up value.
 */

/** The value, which is there by construction. `what` names it in the error: "the type of a parameter". */
export function known<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new InvariantError(`missing: ${what}`);
  return value;
}

/** The element at an index within the list; also a group of a regular expression that always takes part. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new InvariantError(`no element ${index} in a list of ${list.length}`);
  return value;
}

/** The last element of a list that is not empty. */
export function last<T>(list: ArrayLike<T>): T {
  return at(list, list.length - 1);
}

/** The value of a key that the record has by construction, as a size of one of its shapes. */
export function entry<V>(record: Readonly<Record<string, V>>, key: string): V {
  const value = record[key];
  if (value === undefined) throw new InvariantError(`no entry for ${key}`);
  return value;
}

/** The value of a key that was put into the map before. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new InvariantError(`no entry for ${String(key)}`);
  return value;
}

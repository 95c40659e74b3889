import { namedOptions } from "../../../core/base/compiling/named-options";
import { missesOlderCuda } from "../../../core/base/compiling/older-cuda";

/** What a file is compiled with beyond its build settings, since a compiler said that it lacks it. */
export interface Mends {
  /** Our header of what CUDA 13 has no longer. */
  readonly olderCuda: boolean;
  /** Options of nvcc that it named itself. */
  readonly options: readonly string[];
}

export const noMends: Mends = { olderCuda: false, options: [] };

/**
 * With what a compiler says that the file lacks besides; undefined where that is nothing new.
 * @param words - The options that it was compiled with.
 */
export function moreMends(
  { olderCuda, options }: Mends,
  said: string,
  words: readonly string[],
): Mends | undefined {
  const named = namedOptions(said, [...words, ...options]);
  const isOlder = !olderCuda && missesOlderCuda(said);
  if (named.length === 0 && !isOlder) return undefined;
  return { olderCuda: olderCuda || isOlder, options: [...options, ...named] };
}

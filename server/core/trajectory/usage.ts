import type { StoredUsage } from "./events";

/** Token counts as ATIF wants them; a field that is not known is left out, never 0. */
interface AtifTokens {
  /** All input, cached or not, reads and writes. */
  readonly prompt_tokens?: number;
  /** Read from a cache: part of `prompt_tokens`. */
  readonly cached_tokens?: number;
  /** All output, reasoning included. */
  readonly completion_tokens?: number;
  readonly extra?: { readonly cache_write_tokens?: number; readonly reasoning_tokens?: number };
}

/**
 * The five disjoint parts of a reply as ATIF counts them. A provider that says the input but nothing about
 * caches used none; one that does not say the uncached input leaves the sum unknown.
 */
export function atifTokens(usage: StoredUsage): AtifTokens {
  const known = typeof usage.input_uncached === "number";
  const prompt = known
    ? (usage.input_uncached ?? 0) + (usage.cache_read ?? 0) + (usage.cache_write ?? 0)
    : undefined;
  const extra = {
    ...(usage.cache_write === null ? {} : { cache_write_tokens: usage.cache_write }),
    ...(usage.reasoning === null ? {} : { reasoning_tokens: usage.reasoning }),
    ...(!known && usage.cache_read !== null ? { cache_read_tokens: usage.cache_read } : {}),
  };
  return {
    ...(prompt === undefined ? {} : { prompt_tokens: prompt }),
    ...(prompt === undefined || usage.cache_read === null ? {} : { cached_tokens: usage.cache_read }),
    ...(usage.output === null ? {} : { completion_tokens: usage.output }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** All tokens that were read and written, as far as they are known. */
export function allTokens({ input_uncached, cache_read, cache_write, output }: StoredUsage): number {
  return (input_uncached ?? 0) + (cache_read ?? 0) + (cache_write ?? 0) + (output ?? 0);
}

/** Part by part; a sum with an unknown part is unknown. */
export function addUsage(first: StoredUsage, second: StoredUsage): StoredUsage {
  const add = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : a + b;
  return {
    input_uncached: add(first.input_uncached, second.input_uncached),
    cache_read: add(first.cache_read, second.cache_read),
    cache_write: add(first.cache_write, second.cache_write),
    output: add(first.output, second.output),
    reasoning: add(first.reasoning, second.reasoning),
  };
}

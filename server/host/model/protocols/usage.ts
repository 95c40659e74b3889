/**
 * Tokens of the input that were neither read from a cache nor written to one; null when the whole is not
 * known.
 */
export function uncachedOf(
  input: number | null | undefined,
  cacheRead: number | null,
  cacheWrite: number | null,
): number | null {
  if (input === null || input === undefined) return null;
  return Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0));
}

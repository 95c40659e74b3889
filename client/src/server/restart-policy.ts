/** How often the language server may end by itself before we stop starting it again. */
interface RestartPolicy {
  /** Notes one end at a time in milliseconds; true when another start is allowed. */
  allows(now: number): boolean;
}

/**
 * At most `limit` restarts within `windowMilliseconds`: a server that ends at once, each time, is not started
 * for ever.
 */
export function boundedRestarts(limit: number, windowMilliseconds: number): RestartPolicy {
  let ends: readonly number[] = [];
  return {
    allows(now) {
      ends = [...ends.filter((end) => now - end < windowMilliseconds), now];
      return ends.length <= limit;
    },
  };
}

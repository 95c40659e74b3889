/** How long something on the screen may take before a test fails, in milliseconds. */
export const PATIENCE_MS = 90_000;

/** How soon the screen is looked at again, in milliseconds. */
const POLL_MS = 50;

/**
 * What has not come yet is looked for again after this share of the time that it was waited for: a look takes
 * processor time from what is waited for.
 */
const POLL_SHARE = 1 / 20;

/** What is waited for. */
export interface Expectation<T> {
  /** Stands in the failure: "the lens Optimize". */
  readonly what: string;
  readonly read: () => Promise<T>;
  readonly accept: (value: T) => boolean;
  /** In milliseconds; PATIENCE_MS when not given. */
  readonly limit?: number;
}

/** What was waited for did not come in time. */
export class NotSeenError extends Error {}

/**
 * Reads until the value is accepted, and gives it.
 * @throws NotSeenError that shows the last value, when the limit runs out
 */
export async function eventually<T>({ what, read, accept, limit = PATIENCE_MS }: Expectation<T>): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    const waited = Date.now() - begun;
    if (waited > limit) {
      const last = JSON.stringify(value, null, 1);
      throw new NotSeenError(`${what}: not seen in ${limit / 1000} s; last seen: ${last}`);
    }
    await new Promise((wake) => setTimeout(wake, Math.max(POLL_MS, waited * POLL_SHARE)));
  }
}

/** Whether a text is the one wanted, or matches the pattern wanted. */
export function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text === wanted : wanted.test(text);
}

/** How long something on the screen may take before a test fails, in milliseconds. */
export const PATIENCE_MS = 90_000;

/** How often the screen is looked at, in milliseconds. */
const POLL_MS = 50;

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
  const deadline = Date.now() + limit;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > deadline) {
      const last = JSON.stringify(value, null, 1);
      throw new NotSeenError(`${what}: not seen in ${limit / 1000} s; last seen: ${last}`);
    }
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

/** Whether a text is the one wanted, or matches the pattern wanted. */
export function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text === wanted : wanted.test(text);
}

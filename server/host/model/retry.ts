import type { Clock } from "../../core/ports/clock";

export interface RetryPolicy {
  /** All attempts together, the first one counted. */
  readonly attempts: number;
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
  /** A server that asks for a longer wait than this is not waited for. */
  readonly patienceMilliseconds: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  firstMilliseconds: 500,
  longestMilliseconds: 20_000,
  patienceMilliseconds: 120_000,
};

/**
 * Wait before the attempt after `attempt` (counted from 1): doubled each time, with jitter over its upper
 * half so that clients spread out.
 */
export function backOff(policy: RetryPolicy, attempt: number, random: () => number): number {
  const whole = Math.min(policy.longestMilliseconds, policy.firstMilliseconds * 2 ** (attempt - 1));
  return Math.round(whole / 2 + (whole / 2) * random());
}

/** What a server's headers ask for, in milliseconds; undefined when they say nothing that can be read. */
export function retryAfter(
  headers: { get(name: string): string | null } | undefined,
  clock: Pick<Clock, "now">,
): number | undefined {
  const exact = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers?.get("retry-after")?.trim() ?? "";
  if (value === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.parse(clock.now()));
}

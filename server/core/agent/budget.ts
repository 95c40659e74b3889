import type { Clock } from "../ports/clock";
import type { BudgetLimits, BudgetUsed } from "../trajectory/events";

export type BudgetLimit = "usd" | "minutes" | "candidates";

/** What may be spent next: `go`, or the limit that stands in the way with a sentence. */
export type Allowance =
  | { readonly kind: "go" }
  | {
      readonly kind: "limit";
      readonly limit: BudgetLimit;
      readonly reason: string;
    }
  /** The price is not known, so no limit in money can be kept. */
  | { readonly kind: "unpriced" };

export const nothingUsed: BudgetUsed = {
  usd: 0,
  minutes: 0,
  candidates: 0,
  modelCalls: 0,
};

/**
 * Counts what a session uses and says before each step whether the next one still fits. Time runs from the
 * making of this object and stands while a model thinks or the user is asked.
 */
export class Budget {
  private usd: number;
  private candidates: number;
  private modelCalls: number;
  /** What each call that has no answer yet may cost. */
  private readonly held = new Set<{ readonly usd: number }>();
  private readonly minutesBefore: number;
  private readonly began: number;
  /** Microseconds that models and the user took. */
  private thinking = 0;

  constructor(
    private allowed: BudgetLimits,
    private readonly clock: Clock,
    used: BudgetUsed = nothingUsed,
  ) {
    this.usd = used.usd;
    this.candidates = used.candidates;
    this.modelCalls = used.modelCalls;
    this.minutesBefore = used.minutes;
    this.began = clock.monotonicMicroseconds();
  }

  get limits(): BudgetLimits {
    return this.allowed;
  }

  get used(): BudgetUsed {
    const minutes =
      this.minutesBefore + (this.clock.monotonicMicroseconds() - this.began - this.thinking) / 60_000_000;
    return {
      usd: roundTo(this.usd, 1e6),
      minutes: roundTo(minutes, 1e3),
      candidates: this.candidates,
      modelCalls: this.modelCalls,
    };
  }

  /** Adds to the limits. */
  raise({ usd, minutes, candidates }: BudgetLimits): void {
    const { limits } = this;
    this.allowed = {
      usd: limits.usd + usd,
      minutes: limits.minutes + minutes,
      candidates: limits.candidates + candidates,
    };
  }

  /** Waits for something that is no work of the session. */
  async resting<Value>(wait: () => Promise<Value>): Promise<Value> {
    const began = this.clock.monotonicMicroseconds();
    try {
      return await wait();
    } finally {
      this.pause(this.clock.monotonicMicroseconds() - began);
    }
  }

  /** Asked before each call of a model, with an upper estimate of its price. */
  beforeModelCall(estimateUsd: number | null): Allowance {
    const time = this.beforeAnything();
    if (time.kind !== "go") return time;
    if (estimateUsd === null) return { kind: "unpriced" };
    const bound = [...this.held].reduce((sum, { usd }) => sum + usd, this.usd);
    if (bound + estimateUsd <= this.limits.usd) return time;
    const rest = Math.max(0, this.limits.usd - bound).toFixed(4);
    return {
      kind: "limit",
      limit: "usd",
      reason: `the next call may cost ${estimateUsd.toFixed(4)} USD and ${rest} of ${this.limits.usd} USD is left`,
    };
  }

  /** Keeps back what a call may cost until it has its answer; gives what ends that. */
  hold(estimateUsd: number): () => void {
    const call = { usd: estimateUsd };
    this.held.add(call);
    return () => void this.held.delete(call);
  }

  /** Asked before each candidate is compiled. */
  beforeCandidate(): Allowance {
    const time = this.beforeAnything();
    if (time.kind !== "go" || this.candidates < this.limits.candidates) return time;
    return {
      kind: "limit",
      limit: "candidates",
      reason: `the budget of candidates (${this.limits.candidates}) is used up`,
    };
  }

  /** Asked before something is run that is no candidate. */
  beforeTrial(): Allowance {
    return this.beforeAnything();
  }

  /**
   * A finished call; `usd` is null when the provider did not say. The microseconds in which nothing but the
   * model was busy are not those of the session.
   */
  spendModelCall(usd: number | null, microseconds: number): void {
    this.modelCalls += 1;
    this.usd += usd ?? 0;
    this.thinking += microseconds;
  }

  /** Time in which the session waited for its user. */
  pause(microseconds: number): void {
    this.thinking += microseconds;
  }

  spendCandidate(): void {
    this.candidates += 1;
  }

  private beforeAnything(): Allowance {
    if (this.used.minutes < this.limits.minutes) return { kind: "go" };
    return {
      kind: "limit",
      limit: "minutes",
      reason: `${this.limits.minutes} minutes have passed`,
    };
  }
}

function roundTo(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}

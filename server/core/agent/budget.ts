import type { Clock } from "../ports/clock";
import type { BudgetLimit, BudgetLimits, BudgetUsed } from "../trajectory/events";

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

/** What a call of a model may take, rather too much than too little. */
export interface CallEstimate {
  /** Null where the price is not known. */
  readonly usd: number | null;
  /** Those that it reads and those that it may write. */
  readonly tokens: number;
}

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
  private readonly spent: { usd: number; tokens: number; candidates: number; modelCalls: number };
  /** What each call that has no answer yet may cost. */
  private readonly held = new Set<CallEstimate>();
  private readonly began: number;
  /** Microseconds that models and the user took. */
  private thinking = 0;

  /** `gpu`: microseconds for which a real GPU was held since; undefined where the target has none. */
  constructor(
    private allowed: BudgetLimits,
    private readonly clock: Clock,
    private readonly before: BudgetUsed = nothingUsed,
    private readonly gpu: () => number | undefined = () => undefined,
  ) {
    const { usd, tokens = 0, candidates, modelCalls } = before;
    this.spent = { usd, tokens, candidates, modelCalls };
    this.began = clock.monotonicMicroseconds();
  }

  get limits(): BudgetLimits {
    return this.allowed;
  }

  get used(): BudgetUsed {
    const { usd, tokens, candidates, modelCalls } = this.spent;
    const running = this.clock.monotonicMicroseconds() - this.began - this.thinking;
    const gpuMinutes = (this.before.gpuMinutes ?? 0) + (this.gpu() ?? 0) / 60_000_000;
    return {
      usd: roundTo(usd, 1e6),
      minutes: roundTo(this.before.minutes + running / 60_000_000, 1e3),
      candidates,
      modelCalls,
      ...(tokens > 0 && { tokens }),
      ...(gpuMinutes > 0 && { gpuMinutes: roundTo(gpuMinutes, 1e3) }),
    };
  }

  /** Adds to the limits; what has none gets none. */
  raise({ usd, minutes, candidates, tokens = 0, gpuMinutes = 0 }: BudgetLimits): void {
    const { limits } = this;
    this.allowed = {
      usd: limits.usd + usd,
      minutes: limits.minutes + minutes,
      candidates: limits.candidates + candidates,
      ...(limits.tokens !== undefined && { tokens: limits.tokens + tokens }),
      ...(limits.gpuMinutes !== undefined && { gpuMinutes: limits.gpuMinutes + gpuMinutes }),
    };
  }

  /** Waits for something that is no work of the session: a pause, the answer of its user. */
  async resting<Value>(wait: () => Promise<Value>): Promise<Value> {
    const began = this.clock.monotonicMicroseconds();
    try {
      return await wait();
    } finally {
      this.thinking += this.clock.monotonicMicroseconds() - began;
    }
  }

  /** Asked before each call of a model. */
  beforeModelCall(estimate: CallEstimate): Allowance {
    const time = this.beforeTrial();
    if (time.kind !== "go") return time;
    const { usd } = estimate;
    if (usd === null) return { kind: "unpriced" };
    return this.moneyFor(usd) ?? this.tokensFor(estimate.tokens) ?? time;
  }

  /** Keeps back what a call may take until it has its answer; gives what ends that. */
  hold(estimate: CallEstimate): () => void {
    const call = { ...estimate };
    this.held.add(call);
    return () => void this.held.delete(call);
  }

  /** Asked before each candidate is compiled. */
  beforeCandidate(): Allowance {
    const time = this.beforeTrial();
    if (time.kind !== "go" || this.spent.candidates < this.limits.candidates) return time;
    return {
      kind: "limit",
      limit: "candidates",
      reason: `the budget of candidates (${this.limits.candidates}) is used up`,
    };
  }

  /** Asked before anything: what is run that is no candidate takes time alone. */
  beforeTrial(): Allowance {
    const { minutes, gpuMinutes } = this.limits;
    const { used } = this;
    if (used.minutes >= minutes)
      return { kind: "limit", limit: "minutes", reason: `${minutes} minutes have passed` };
    if (gpuMinutes === undefined || this.gpu() === undefined || (used.gpuMinutes ?? 0) < gpuMinutes)
      return { kind: "go" };
    return { kind: "limit", limit: "gpuMinutes", reason: `the GPU was held for ${gpuMinutes} minutes` };
  }

  /**
   * A finished call; `usd` is null when the provider did not say. The microseconds in which nothing but the
   * model was busy are not those of the session.
   */
  spendModelCall({ usd, tokens }: CallEstimate, microseconds: number): void {
    this.spent.modelCalls += 1;
    this.spent.usd += usd ?? 0;
    this.spent.tokens += tokens;
    this.thinking += microseconds;
  }

  spendCandidate(): void {
    this.spent.candidates += 1;
  }

  /** The limit in money, where a call may pass it. */
  private moneyFor(usd: number): Allowance | undefined {
    const bound = [...this.held].reduce((sum, call) => sum + (call.usd ?? 0), this.spent.usd);
    if (bound + usd <= this.limits.usd) return undefined;
    const rest = Math.max(0, this.limits.usd - bound).toFixed(4);
    return {
      kind: "limit",
      limit: "usd",
      reason: `the next call may cost ${usd.toFixed(4)} USD and ${rest} of ${this.limits.usd} USD is left`,
    };
  }

  /** The limit in tokens, where a call may pass it. */
  private tokensFor(tokens: number): Allowance | undefined {
    const { tokens: limit } = this.limits;
    const bound = [...this.held].reduce((sum, call) => sum + call.tokens, this.spent.tokens);
    if (limit === undefined || bound + tokens <= limit) return undefined;
    const rest = Math.max(0, limit - bound);
    return {
      kind: "limit",
      limit: "tokens",
      reason: `the next call may take ${tokens} tokens and ${rest} of ${limit} are left`,
    };
  }
}

function roundTo(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}

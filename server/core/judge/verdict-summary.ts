import { compareVerdicts } from "./comparison";
import type { Comparison } from "./comparison-result";
import type { CorrectVerdict, FailedVerdict, ScoredVerdict, Tier, Verdict } from "./verdict";

/**
 * What stays in memory of a verdict: what lists, figures and tables say of a version. Cases, counters and
 * machine code are many kilobytes; they are read from the log when somebody looks at the version.
 */
export type VerdictSummary =
  | CorrectSummary
  | Pick<ScoredVerdict, "kind" | "score">
  | { readonly kind: FailedVerdict["kind"] };

/** The same of a correct version. */
export interface CorrectSummary {
  readonly kind: "correct";
  readonly tier: Tier;
  readonly bound: {
    readonly nanoseconds: number;
    readonly simulatedNanoseconds?: number | undefined;
    readonly fillsGpu?: boolean | undefined;
    readonly binding: string;
  };
  /** What decides between it and the baseline; undefined of the baseline, and where that is not correct. */
  readonly change?: Pick<Comparison, "by" | "gain"> | undefined;
}

/** `baseline`: what the session began with; left out for that version itself. */
export function summarizeVerdict(verdict: Verdict, baseline?: Verdict): VerdictSummary {
  if (verdict.kind === "scored") return { kind: verdict.kind, score: verdict.score };
  if (verdict.kind !== "correct") return { kind: verdict.kind };
  const { nanoseconds, simulatedNanoseconds, fillsGpu, binding } = verdict.bound;
  // Sessions hold one for each candidate: objects made by spreading take several times the memory.
  return {
    kind: verdict.kind,
    tier: verdict.tier,
    bound: { nanoseconds, simulatedNanoseconds, fillsGpu, binding },
    change: baseline?.kind === "correct" ? changeBetween(verdict, baseline) : undefined,
  };
}

function changeBetween(verdict: CorrectVerdict, baseline: CorrectVerdict): CorrectSummary["change"] {
  const { by, gain } = compareVerdicts(verdict, baseline);
  return { by, gain };
}

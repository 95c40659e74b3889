import type { LineRewrite } from "../../../core/words/rule-text";
import type { LaunchModel } from "../../../core/timing/execution/launch-model";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import type { Target } from "../../../core/timing/target";
import type { Verdict } from "../../../core/judge/verdict";
import type { KernelCounters } from "../../../core/timing/counters";
import type { CheckRequest } from "../../../core/ports/evaluator";
import type { KernelProfile } from "../../../core/words/profile";
import type { FoundSpec, KernelName } from "../sources/ports";

/** On which GPU a kernel is judged. */
export interface JudgeQuestion {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Is told of each case when it begins. */
  readonly onCase?: CheckRequest["onCase"];
}

/** Verdicts of one command on functions that launch several kernels, by their tasks. */
export type JudgedBeside = Map<string, { readonly kernel: string; readonly judged: JudgedTree }>;

/** What a kernel was judged to be, and what was counted, right or wrong, when it ran to its end. */
export interface JudgedTree {
  readonly verdict: Verdict;
  readonly launches: readonly LaunchProfile[];
  /** Of launches that were simulated. */
  readonly models: readonly LaunchModel[];
  readonly counted?: Pick<KernelProfile, "counters" | "facts">;
  readonly toolRuns?: KernelProfile["toolRuns"];
}

export interface JudgeService {
  /**
   * The launches of the kernel as it is on disk, simulated on the target's GPU, with a quick check where they
   * are so short that all of their blocks run. `shape`: of those that are not held out, the first when left
   * out.
   */
  model(
    name: KernelName,
    question: JudgeQuestion & { readonly shape?: number },
  ): Promise<{
    readonly spec: FoundSpec;
    /** Left out where some blocks stand for the others: nothing was judged. */
    readonly verdict: Verdict | undefined;
    /** The sizes of a launch of which nothing was judged. */
    readonly sizes?: Readonly<Record<string, number>>;
    /** Of a kernel that ran to its end, right or wrong. */
    readonly profile: KernelProfile | undefined;
    /** Empty where it did not run, or where a launch cannot be simulated. */
    readonly models: readonly LaunchModel[];
    readonly notes: readonly string[];
  }>;
  /**
   * Full-tier check of the kernel as it is on disk, with counters. `tools`: NVIDIA's, where it is a GPU.
   * `beside`: what was judged with it; where that ran the same function on the same shapes, its verdict
   * counts.
   */
  check(
    name: KernelName,
    question: JudgeQuestion & { readonly tools?: boolean; readonly beside?: JudgedBeside },
  ): Promise<{
    readonly spec: FoundSpec;
    readonly verdict: Verdict;
    readonly counters: KernelCounters | undefined;
    /** Of a kernel that ran to its end, right or wrong. */
    readonly profile: KernelProfile | undefined;
    /** What rules of the rulebook would write anew of it; none of a kernel that is not correct. */
    readonly rewrites: () => Promise<readonly LineRewrite[]>;
    /** What was found about how to compile it and is not used, one sentence each. */
    readonly notes: readonly string[];
  }>;
}

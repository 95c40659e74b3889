import type { SourceTree } from "../../judge/candidate";
import type { CompiledFacts, JudgedLaunch, ModelledBound } from "../../judge/verdict";
import type { SyntaxNode } from "../../language/tree";
import type { CounterName, KernelCounters } from "../../timing/counters";
import type { HoldReason } from "../../trajectory/events";
import type { Dialect, KernelSpec } from "../../workload/spec";

/**
 * Parses one text with the grammar of the path's language; undefined when no grammar reads such a file. Never
 * throws for bad text.
 */
export type RuleParse = (path: string, text: string) => SyntaxNode | undefined;

/**
 * What a rule sees: the best candidate so far and what was measured on it. Paths are keys of `tree`
 * (workspace-relative POSIX).
 */
export interface RuleInput {
  readonly tree: SourceTree;
  /** The kernel's own file. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  /** Held-out shapes are taken out: a rule may not fit a rewrite to them. */
  readonly spec: KernelSpec;
  readonly counters: KernelCounters;
  readonly facts: readonly CompiledFacts[];
  readonly bound: ModelledBound;
  /** Launches of the profiled shape; logs of earlier versions do not say them. */
  readonly launches?: readonly JudgedLaunch[] | undefined;
  /** Sizes that the counters belong to. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly parse: RuleParse;
}

/** Why a rewrite is tried: one counter of one line against what it would be if nothing were wasted. */
export interface RuleEvidence {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly counter:
    | CounterName
    | "registers"
    | "spillStoreBytes"
    | "spillLoadBytes"
    | "sharedBytes"
    | "threadsPerBlock"
    | "copies"
    | "hostCalls"
    | "launches";
  readonly value: number;
  readonly ideal: number;
  /** One sentence for the user: `line 18 needs 32 shared-memory wavefronts a request where 1 would do`. */
  readonly sentence: string;
}

/** One rewrite of the whole tree, with its reason. */
export interface RuleProposal {
  readonly kind: "proposal";
  readonly tree: SourceTree;
  /** One sentence: what is changed and why it should help. */
  readonly hypothesis: string;
  readonly evidence: RuleEvidence;
  /**
   * Fraction of the modelled bound (0 … 1) that the rewrite may save, as the rule estimates it; proposals are
   * tried in falling order.
   */
  readonly gain: number;
  /**
   * True for another way to mend what the rule's proposal for the same line mends: it is tried even when that
   * one has won, so that the judge chooses.
   */
  readonly isAlternative?: boolean;
}

/** Why a rule proposes nothing at one place: the guard that held it back. */
export interface RuleHold {
  readonly kind: "not";
  readonly because: HoldReason;
  /** What the guard found, for the user; without a full stop. */
  readonly sentence: string;
  /** One-based line that the guard looked at. */
  readonly line: number;
  /**
   * Fraction of the modelled bound that the waste costs, where the rule has seen the waste and only a rewrite
   * is missing.
   */
  readonly gain?: number;
}

export type RuleAnswer = RuleProposal | RuleHold;

/**
 * A profile-guided rewrite. Pure: the same input gives the same answers; no proposal when the evidence is not
 * there.
 */
export interface Rule {
  /** Kebab-case; stands in a candidate's origin as `rulebook:ID`. */
  readonly id: string;
  /** What it does, in a few words, for the user. */
  readonly title: string;
  /** What it mends: a word of causes.json, and the same in a few words. */
  readonly cause: { readonly id: string; readonly words: string };
  readonly dialects: readonly Dialect[];
  /** At least one answer: each proposal, and each place where a guard held the rule back. */
  answer(input: RuleInput): readonly RuleAnswer[];
}

/** The answer of a guard. `at` is the node that it looked at, or its one-based line. */
export function not(because: HoldReason, sentence: string, at: SyntaxNode | number): RuleHold {
  return { kind: "not", because, sentence, line: typeof at === "number" ? at : at.startPosition.row + 1 };
}

/** Tells a guard's answer from what a query found. */
export function isNot(found: unknown): found is RuleHold {
  return typeof found === "object" && found !== null && (found as { kind?: unknown }).kind === "not";
}

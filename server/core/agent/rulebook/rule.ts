import type { SourceTree } from "../../judge/candidate";
import type { CounterName, KernelCounters } from "../../timing/counters";
import type { Dialect, KernelSpec } from "../../workload/spec";
import type { CompiledFacts, ModelledBound } from "../../judge/verdict";
import type { SyntaxNode } from "../../language/tree";

/** What rules read: a node as the language layer knows it. */
export type RuleNode = SyntaxNode;

/**
 * Parses one text with the grammar of the path's language; undefined when no grammar reads such a file. Never
 * throws for bad text.
 */
export type RuleParse = (path: string, text: string) => RuleNode | undefined;

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
    CounterName | "registers" | "spillStoreBytes" | "spillLoadBytes" | "sharedBytes" | "threadsPerBlock";
  readonly value: number;
  readonly ideal: number;
  /** One sentence for the user: `line 18 needs 32 shared-memory wavefronts a request where 1 would do`. */
  readonly sentence: string;
}

/** One rewrite of the whole tree, with its reason. */
export interface RuleProposal {
  readonly tree: SourceTree;
  /** One sentence: what is changed and why it should help. */
  readonly hypothesis: string;
  readonly evidence: RuleEvidence;
  /**
   * Fraction of the modelled bound (0 … 1) that the rewrite may save, as the rule estimates it; proposals are
   * tried in falling order.
   */
  readonly gain: number;
}

/**
 * A profile-guided rewrite. Pure: the same input gives the same proposals; no proposal when the evidence is
 * not there.
 */
export interface Rule {
  /** Kebab-case; stands in a candidate's origin as `rulebook:ID`. */
  readonly id: string;
  /** What it does, in a few words, for the user. */
  readonly title: string;
  readonly dialects: readonly Dialect[];
  propose(input: RuleInput): readonly RuleProposal[];
}

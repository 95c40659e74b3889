import type { JsonObject } from "../base/json";
import type { Stage } from "../judge/candidate";
import type { KernelCounters } from "../timing/counters";
import type { CommandScore, FailedVerdict, ModelledBound, Verdict } from "../judge/verdict";
import type { Hunk } from "../review/hunk";
import type { FileEdit } from "../review/line-edit";
import type { Challenged } from "./talk/challenged";
import type { Lineage } from "./proposal/lineage";
import type { BlobReference, StoredText, StoredUsage } from "./talk/stored";
import type { TalkEvents } from "./talk/talk-events";

export type { BlobReference, StoredText, StoredUsage };

/** Each changed path of a tree with its blob; `null` = the file is not there. */
export type TreeFiles = Readonly<
  Record<
    string,
    {
      readonly blob: string;
      readonly mode: "100644" | "100755";
      readonly eol: "lf" | "crlf";
    } | null
  >
>;

export type SessionOutcome = "improved" | "no-gain" | "failed" | "cancelled" | "limit";

/** Status as the trajectory format spells it. */
export const sessionStatuses = ["succeeded", "no_gain", "failed", "cancelled", "limit", "crashed"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const budgetLimits = ["usd", "minutes", "candidates", "tokens", "gpuMinutes"] as const;
export type BudgetLimit = (typeof budgetLimits)[number];

export interface BudgetLimits {
  /** US dollars for the model. */
  readonly usd: number;
  readonly minutes: number;
  readonly candidates: number;
  /** That models read and write. Left out, this and the next: as many as it takes. */
  readonly tokens?: number | undefined;
  /** For which a real GPU is held. */
  readonly gpuMinutes?: number | undefined;
}

export interface BudgetUsed {
  readonly usd: number;
  readonly minutes: number;
  readonly candidates: number;
  readonly modelCalls: number;
  /** Left out where there were none, this and the next; earlier versions counted neither. */
  readonly tokens?: number | undefined;
  readonly gpuMinutes?: number | undefined;
}

export interface SessionTask {
  /** Workspace-relative POSIX path of the spec file; empty when the spec was inferred. */
  readonly specPath: string;
  readonly specText: StoredText;
  /** Workspace-relative POSIX path of the kernel's file. */
  readonly file: string;
  readonly kernel: string;
  readonly target: string;
  readonly strategy: string;
  readonly model?: string;
  readonly budget: BudgetLimits;
  /** The build settings as JSON. Left out by versions that had none. */
  readonly build?: StoredText;
  /**
   * Workspace-relative paths besides the kernel's file that may be changed, as the user said at the start;
   * absent where the spec's `editable` says.
   */
  readonly mayTouch?: readonly string[];
  /** The candidate that this session goes on from; absent where it begins with the baseline. */
  readonly from?: Lineage;
}

/**
 * What holds a rewrite rule back, from the reason that says most about the kernel to the one that says least:
 * a number or name that other code relies on, memory that may overlap, values that depend on the order of
 * threads or iterations, threads that work together, a type, a limit of the GPU, the launch, no waste
 * counted, no such code in the kernel, source that does not parse.
 */
export const holdReasons = [
  "fixed-elsewhere",
  "aliasing",
  "dependence",
  "cooperation",
  "type",
  "limit",
  "launch",
  "no-rewrite",
  "no-evidence",
  "no-pattern",
  "unreadable",
] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Why one rule of the rulebook proposes nothing at one place. */
export interface HeldRule {
  readonly rule: string;
  /** What the rule does, in a few words. */
  readonly title: string;
  readonly because: HoldReason;
  readonly sentence: string;
  /** One-based line of the kernel's file. */
  readonly line: number;
}

/** What the rulebook found wrong with a kernel. */
export interface NamedCause {
  /** A word of causes.json, as in `thread-per-row`. */
  readonly cause: string;
  /** The same in a few words. */
  readonly words: string;
  /** Fraction of the modelled bound that it costs, as estimated: 0 to 1. */
  readonly share: number;
  /** One-based line of the kernel's file. */
  readonly line: number;
  /** What was counted there. */
  readonly sentence: string;
  /** What usually helps; logs of earlier versions do not say it. */
  readonly helps?: string | undefined;
}

/**
 * Everything the product writes today, by type. The reader also passes through types and fields that it does
 * not know.
 */
export interface EventData extends TalkEvents {
  "session.started": {
    readonly format_version: "1.0";
    readonly product: {
      readonly name: "kernelwright";
      readonly version: string;
    };
    /** sha256 of the workspace folder's real path: tells workspaces apart without naming them. */
    readonly workspace: string;
    readonly task: SessionTask;
    readonly baseline_tree: string;
    readonly seed: string;
  };
  "session.resumed": { readonly from_seq: number };
  /** The user lets the run rest after its present step, or go on. */
  "session.paused": { readonly paused: boolean };
  "session.recovered": {
    readonly torn_bytes: number;
    readonly lost_calls: readonly string[];
  };
  "session.ended": {
    readonly status: SessionStatus;
    /** How it ended, by name (`proposal/endings.ts`); earlier versions named it not. */
    readonly ending?: string;
    readonly reason: string;
    readonly best: string | null;
    readonly used: BudgetUsed;
  };
  "segment.opened": { readonly segment: number };
  "env.captured": { readonly facts: JsonObject };
  "tool.called": {
    readonly call: string;
    readonly name: string;
    readonly arguments: JsonObject;
    readonly effect: "read" | "write" | "exec" | "gpu" | "network";
    readonly origin: "model" | "user" | "engine";
  };
  "tool.returned": {
    readonly call: string;
    readonly status: "ok" | "error" | "timeout" | "cancelled" | "denied" | "lost";
    readonly output: StoredText;
    readonly shown: StoredText;
    readonly duration_ms: number;
  };
  "tree.snapshot": {
    readonly tree: string;
    readonly parent: string | null;
    readonly files: TreeFiles;
  };
  "candidate.created": {
    readonly candidate: string;
    readonly parent: string | null;
    readonly tree: string;
    readonly hypothesis: string;
    readonly strategy: string;
  };
  "candidate.staged": {
    readonly candidate: string;
    readonly stage: Stage;
    readonly accepted: boolean;
    readonly reason: string;
    readonly verdict: StoredVerdict;
  };
  "rules.held_back": {
    readonly candidate: string;
    readonly rules: readonly HeldRule[];
    /** What is wrong with the baseline; absent in logs of earlier versions. */
    readonly causes?: readonly NamedCause[] | undefined;
  };
  /** What the tester tried against a candidate that had passed the full check. */
  "candidate.challenged": Challenged;
  "candidate.selected": { readonly candidate: string; readonly reason: string };
  "job.queued": {
    readonly job: string;
    readonly kind: "compile" | "check" | "profile";
    readonly candidate: string;
  };
  "job.started": { readonly job: string };
  "job.finished": {
    readonly job: string;
    readonly status: "ok" | "failed" | "cancelled";
    readonly duration_ms: number;
  };
  "proposal.ready": {
    readonly candidate: string;
    readonly hunks: readonly Hunk[];
    readonly before: ProposalBefore;
    readonly after: ProposalSide | ScoreSide;
  };
  "edit.hunk_decided": {
    readonly hunks: readonly string[];
    readonly decision: "accepted" | "rejected" | "undone";
    /**
     * What the decision changed, applied before it was written, in lines of each text as it was then. Empty
     * when the text stood so already (an undo, a rejection); left out by versions that decided before they
     * edited.
     */
    readonly edits?: readonly FileEdit[];
    /** Only in logs of versions that decided before they edited: the text did not allow the decision. */
    readonly conflict?: boolean;
  };
  /** Which hunks of the newest proposal need each other, found out by judging subsets of them. */
  "review.grouped": {
    readonly candidate: string;
    /** For each hunk the others that it does not work without. */
    readonly needs: Readonly<Record<string, readonly string[]>>;
    /** True when the budget for trying ended first: what was not found out counts as needing all others. */
    readonly bounded: boolean;
    readonly trials: readonly {
      readonly hunks: readonly string[];
      readonly outcome: Verdict["kind"];
      readonly summary: string;
    }[];
  };
  /** A quick check of the proposal with the user's decisions and edits. */
  "review.checked": {
    /** Hunks that stood accepted; none = the check was of the text with all open hunks put in. */
    readonly accepted: readonly string[];
    /** sha256 of the canonical texts that were checked: the claim is about these and no others. */
    readonly texts_sha256: string;
    readonly outcome: Verdict["kind"];
    readonly summary: string;
    readonly bound_ns: number | null;
  };
  "budget.updated": {
    readonly limits: BudgetLimits;
    readonly used: BudgetUsed;
  };
  "limit.reached": {
    readonly limit: BudgetLimit;
    readonly used: BudgetUsed;
  };
  "loop.detected": { readonly pattern: string };
  "checkpoint.created": {
    readonly best: string | null;
    readonly frontier: readonly string[];
    readonly state: JsonObject;
  };
}

/** A verdict as it stands in the log: the value itself, with counters kept whole. */
export type StoredVerdict = Verdict | null;

export interface ProposalSide {
  readonly counters: KernelCounters;
  readonly bound: ModelledBound;
}

/** A baseline that was not correct: it has no cost to compare with. */
export interface FaultSide {
  readonly outcome: FailedVerdict["kind"];
  /** One sentence: what is wrong with it. */
  readonly summary: string;
}

/** What was found about the baseline of a proposal. */
export type ProposalBefore = ProposalSide | ScoreSide | FaultSide;

/** What the command of a target gave. */
export interface ScoreSide {
  readonly score: CommandScore;
}

export type EventType = keyof EventData;

export type Actor = {
  readonly kind: "user" | "agent" | "engine" | "runner" | "editor" | "system";
  readonly name?: string;
};

/** What a producer hands to the store; the store adds the envelope. */
export type NewEvent = {
  readonly [Type in EventType]: {
    readonly type: Type;
    readonly actor: Actor;
    readonly data: EventData[Type];
    readonly step?: number;
  };
}[EventType];

/** One line of the log. */
interface Envelope<Type extends string = string, Data = unknown> {
  readonly v: 1;
  readonly seq: number;
  readonly id: string;
  readonly ts: string;
  readonly mono_us: number;
  readonly type: Type;
  readonly actor: Actor;
  readonly span?: string;
  readonly parent_span?: string;
  readonly step?: number;
  readonly branch: string;
  readonly parent?: string;
  readonly data: Data;
  readonly blobs?: readonly string[];
  /** Numbers that JSON has no form for: `null` in `data`, with what it was here. */
  readonly unrepresentable?: readonly {
    readonly pointer: string;
    readonly reason: "NaN" | "Infinity" | "-Infinity";
  }[];
  /** sha256 of the bytes of the line before, without its newline; 64 zeros on the first line. */
  readonly prev: string;
}

/** What this version cannot use of a log: a newer type, or data that an edit has spoilt. */
interface Unread {
  /** The type as it stands in the log. */
  readonly type: string;
  readonly content: JsonObject;
  /** How the data differs from what a known type holds; absent for an unknown type. */
  readonly fault?: string;
}

/**
 * The closed union that reductions switch over. It is what `readEvent` makes of a line, so it holds for any
 * log.
 */
export type SessionEvent =
  | { readonly [Type in EventType]: Envelope<Type, EventData[Type]> }[EventType]
  | Envelope<"unread", Unread>;

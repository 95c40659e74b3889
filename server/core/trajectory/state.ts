import type { JsonObject } from "../base/json";
import type { Stage } from "../judge/candidate";
import type { ModelledBound, Verdict } from "../judge/verdict";
import type { VerdictSummary } from "../judge/verdict-summary";
import type { ReviewedHunk } from "../review/hunk";
import type {
  BudgetLimits,
  BudgetUsed,
  EventData,
  HeldRule,
  NamedCause,
  ProposalBefore,
  ProposalSide,
  ScoreSide,
  SessionStatus,
  SessionTask,
  StoredUsage,
} from "./events";

export interface CandidateRecord {
  readonly id: string;
  readonly parent: string | undefined;
  readonly tree: string;
  readonly hypothesis: string;
  /** `rulebook:RULE` or `refine:MODEL`. */
  readonly origin: string;
  /** How far it came. */
  readonly stage: Stage;
  /** `running` until its verdict; `best` when it is the selected one. */
  readonly state: "running" | "dropped" | "accepted" | "best";
  readonly accepted: boolean;
  readonly reason: string;
  /** Null as long as it has none. */
  readonly verdict: VerdictSummary | null;
  /** Sequence number of the event that has the whole verdict. */
  readonly judgedAt: number | undefined;
}

/** One whose verdict is known. */
export interface TriedCandidate extends CandidateRecord {
  readonly verdict: VerdictSummary;
  readonly judgedAt: number;
}

export function isTried(record: CandidateRecord): record is TriedCandidate {
  return record.verdict !== null && record.judgedAt !== undefined;
}

export interface ProposalRecord {
  readonly candidate: string;
  readonly hunks: readonly ReviewedHunk[];
  readonly before: ProposalBefore;
  readonly after: ProposalSide | ScoreSide;
  /** True when the budget for finding out which hunks need each other ended first. */
  readonly bounded: boolean;
  /** The newest check of the proposal with the user's decisions and edits. */
  readonly checked: CheckedCombination | undefined;
}

interface CheckedCombination {
  readonly accepted: readonly string[];
  /** sha256 of the texts that were checked. */
  readonly digest: string;
  readonly outcome: Verdict["kind"];
  /** One line. */
  readonly summary: string;
}

interface JobRecord {
  readonly job: string;
  readonly kind: "compile" | "check" | "profile";
  readonly candidate: string;
  readonly started: boolean;
}

interface CheckpointRecord {
  readonly seq: number;
  readonly best: string | null;
  readonly frontier: readonly string[];
  readonly state: JsonObject;
}

/** Sums over all replies of the model; null = at least one part is unknown. */
type UsageTotals = StoredUsage;

/** Everything a view, a resume or an export wants to know of a session: a pure function of its events. */
export interface SessionState {
  readonly started: string;
  /** The user lets it rest. */
  readonly paused: boolean;
  /** When it was started or resumed last, in UTC. */
  readonly began: string;
  /** When it ended, in UTC; undefined while it is open. */
  readonly ended: string | undefined;
  readonly productVersion: string;
  /** Digest of the workspace folder it was recorded in; empty while its start is missing. */
  readonly workspace: string;
  readonly task: SessionTask | undefined;
  readonly seed: string;
  readonly baselineTree: string | undefined;
  /** `open` = running, or crashed: the events alone cannot tell. */
  readonly status: SessionStatus | "open";
  readonly reason: string;
  /** How it ended, by name; undefined while it is open, and in logs that do not name it. */
  readonly ending?: string | undefined;
  readonly best: string | undefined;
  /** Bounds of the baseline and of each version that became the best, by the candidate, with their terms. */
  readonly bounds: ReadonlyMap<string, ModelledBound>;
  readonly candidates: readonly CandidateRecord[];
  readonly proposal: ProposalRecord | undefined;
  readonly limits: BudgetLimits | undefined;
  readonly used: BudgetUsed;
  /** When that was known; empty before. */
  readonly usedAt: string;
  /** The beginning of the newest answer of a model that has words. */
  readonly lastWords: string;
  readonly usage: UsageTotals;
  /** Begun and not finished. */
  readonly jobs: readonly JobRecord[];
  /** Calls and model requests with no end. */
  readonly openCalls: readonly string[];
  readonly openRequests: readonly string[];
  /** The tool of the first of the open calls. */
  readonly usedTool: string | undefined;
  readonly checkpoint: CheckpointRecord | undefined;
  /** What held the rules of the rulebook back on the last candidate that they were asked about. */
  readonly heldRules: readonly HeldRule[];
  /** What is wrong with the baseline, as far as the rulebook sees it; the most expensive first. */
  readonly causes: readonly NamedCause[];
  readonly environment: JsonObject;
  readonly recoveries: number;
  readonly resumes: number;
  readonly lastSequence: number;
  /** Events of a known type whose content is not what that type holds: passed over. */
  readonly unread: readonly number[];
}

/** Id of the candidate that is the baseline. */
export const baselineId = "baseline";

/** True for the last word on a candidate; stages on the way there carry neither verdict nor reason. */
export function isJudged(staged: EventData["candidate.staged"]): boolean {
  return staged.verdict !== null || (!staged.accepted && staged.reason !== "");
}

/** The state while it is being built. */
export type Draft = {
  -readonly [
    Key in keyof Omit<
      SessionState,
      "candidates" | "bounds" | "jobs" | "openCalls" | "openRequests" | "usedTool" | "unread"
    >
  ]: SessionState[Key];
} & {
  readonly candidates: Map<string, CandidateRecord>;
  readonly bounds: Map<string, ModelledBound>;
  /** The whole verdict of the baseline: all others are compared with it. */
  baseline: Verdict | undefined;
  readonly jobs: Map<string, JobRecord>;
  readonly calls: Map<string, string>;
  readonly requests: Set<string>;
  readonly unread: number[];
};

export function emptyDraft(): Draft {
  return {
    started: "",
    began: "",
    paused: false,
    ended: undefined,
    productVersion: "",
    workspace: "",
    task: undefined,
    seed: "",
    baselineTree: undefined,
    status: "open",
    reason: "",
    best: undefined,
    bounds: new Map(),
    baseline: undefined,
    proposal: undefined,
    limits: undefined,
    used: { usd: 0, minutes: 0, candidates: 0, modelCalls: 0 },
    usedAt: "",
    usage: {
      input_uncached: 0,
      cache_read: 0,
      cache_write: 0,
      output: 0,
      reasoning: 0,
    },
    checkpoint: undefined,
    heldRules: [],
    causes: [],
    environment: {},
    recoveries: 0,
    resumes: 0,
    lastSequence: 0,
    lastWords: "",
    candidates: new Map(),
    jobs: new Map(),
    calls: new Map(),
    requests: new Set(),
    unread: [],
  };
}

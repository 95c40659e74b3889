import type { JsonObject } from "../base/json";
import type { Stage } from "../judge/candidate";
import type { Verdict } from "../judge/verdict";
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
  StoredText,
  StoredUsage,
  StoredVerdict,
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
  readonly verdict: StoredVerdict;
  /** Sequence number of its creation. */
  readonly seq: number;
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

interface CallRecord {
  readonly call: string;
  readonly name: string;
  readonly rawArguments: StoredText;
  /** Null when the model's text was no JSON object. */
  readonly arguments: JsonObject | null;
}

/** The pool that `llm.request` names messages from, in the order of writing. */
export interface MessageRecord {
  readonly id: string;
  readonly role: "system" | "user" | "injected" | "assistant" | "tool";
  readonly text: StoredText;
  readonly seq: number;
  readonly calls?: readonly CallRecord[];
  /** Tool messages: the call that this answers, and the tool. */
  readonly call?: string;
  readonly name?: string;
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
  readonly task: SessionTask | undefined;
  readonly seed: string;
  readonly baselineTree: string | undefined;
  /** `open` = running, or crashed: the events alone cannot tell. */
  readonly status: SessionStatus | "open";
  readonly reason: string;
  /** How it ended, by name; undefined while it is open, and in logs that do not name it. */
  readonly ending?: string | undefined;
  readonly best: string | undefined;
  readonly candidates: readonly CandidateRecord[];
  readonly proposal: ProposalRecord | undefined;
  readonly limits: BudgetLimits | undefined;
  readonly used: BudgetUsed;
  readonly messages: readonly MessageRecord[];
  readonly usage: UsageTotals;
  /** Begun and not finished. */
  readonly jobs: readonly JobRecord[];
  /** Calls and model requests with no end. */
  readonly openCalls: readonly string[];
  readonly openRequests: readonly string[];
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
      "candidates" | "messages" | "jobs" | "openCalls" | "openRequests" | "unread"
    >
  ]: SessionState[Key];
} & {
  readonly candidates: Map<string, CandidateRecord>;
  readonly messages: Map<string, MessageRecord>;
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
    task: undefined,
    seed: "",
    baselineTree: undefined,
    status: "open",
    reason: "",
    best: undefined,
    proposal: undefined,
    limits: undefined,
    used: { usd: 0, minutes: 0, candidates: 0, modelCalls: 0 },
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
    candidates: new Map(),
    messages: new Map(),
    jobs: new Map(),
    calls: new Map(),
    requests: new Set(),
    unread: [],
  };
}

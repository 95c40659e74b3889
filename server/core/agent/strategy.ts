import type { JsonObject } from "../base/json";
import type { Candidate, SourceTree, Stage } from "../judge/candidate";
import type { ChallengeOutcome, ChallengeRequest, CommandTask, KernelCode } from "../ports/evaluator";
import type { KernelSpec } from "../workload/spec";
import type { TriedCandidate } from "../trajectory/state";
import type { CompiledFacts, CorrectVerdict, FailedVerdict, ScoredVerdict, Verdict } from "../judge/verdict";
import type { EndingName } from "../trajectory/proposal/endings";
import type { BudgetLimit, SessionEvent } from "../trajectory/events";
import type { Baton } from "./beside/baton";
import type { Budget } from "./budget";
import type { Reach } from "./dependencies";
import type { Questions } from "./dialogue/user/questions";
import type { Guidance } from "./dialogue/guidance";
import type { Past } from "./memory/past";
import type { Recorder } from "./recorder";

/** A candidate with what the pipeline found out about it, by the kind of its verdict. */
export type JudgedCandidate = CorrectCandidate | ScoredCandidate | FailedCandidate;

/** The same before its verdict is looked at. */
interface JudgedRecord {
  readonly candidate: Candidate;
  readonly treeId: string;
  readonly stage: Stage;
  readonly verdict: Verdict;
  /** True when it beat the best one before it in the full tier. */
  readonly accepted: boolean;
  /** One sentence: why it was kept or dropped. Never names a held-out size. */
  readonly reason: string;
}

/** A correct one: everything that may be stacked on. */
export interface CorrectCandidate extends JudgedRecord {
  readonly verdict: CorrectVerdict;
}

/** A version of a target with a command, with its score. */
interface ScoredCandidate extends JudgedRecord {
  readonly verdict: ScoredVerdict;
}

/** A version that others may build on: of a kernel, or of a target with a command. */
export type StandingCandidate = CorrectCandidate | ScoredCandidate;

/** One that is not correct. */
export interface FailedCandidate extends JudgedRecord {
  readonly verdict: FailedVerdict;
}

/** What became of the proposal before. */
export type Feedback =
  | { readonly kind: "judged"; readonly judged: JudgedCandidate }
  /** The same files were judged before; nothing was run. */
  | { readonly kind: "duplicate"; readonly of: JudgedCandidate }
  /** Not a candidate at all: it edits what it may not, or changes nothing. */
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * What a strategy knows when it is asked, whatever the target. The tree of a candidate holds every file in
 * scope.
 */
export interface SharedContext extends Reach {
  /** Workspace-relative path of the kernel's file; of a target with a command the first that may change. */
  readonly file: string;
  /** What the session begins with: a version to compare others with, or one that has to be mended first. */
  readonly baseline: JudgedCandidate;
  /**
   * What costs are told against: the baseline, or the first correct candidate where the baseline is wrong.
   * Undefined as long as nothing is correct: the aim is then a correct version.
   */
  readonly firstCorrect: StandingCandidate | undefined;
  /** The baseline as long as nothing has won. */
  readonly best: JudgedCandidate;
  /** In the order of proposing, without the baseline. */
  readonly candidates: readonly TriedCandidate[];
  /** One of them, or the baseline, with all that is known of it; undefined where none has that name. */
  judged(id: string): Promise<JudgedCandidate | undefined>;
  /** The name of the candidate with these files, or of the baseline; undefined where none has them. */
  withFiles(tree: SourceTree): string | undefined;
  /** The version of another session that this one goes on from; left out where that is the baseline. */
  readonly continued?: JudgedCandidate;
  readonly feedback: Feedback | undefined;
  /** On each candidate of the proposal before, in its order; `feedback` is the last. */
  readonly feedbacks: readonly Feedback[];
  readonly budget: Budget;
  /** Whose turn it is, of conversations that go on side by side. */
  readonly baton: Baton;
  readonly recorder: Recorder;
  readonly trials: Trials;
  /** Earlier sessions on the same kernel. */
  readonly past: Past;
  /** What the user says meanwhile. */
  readonly guidance: Guidance;
  /** What models ask the user. */
  readonly questions: Questions;
}

/** A version of a kernel, correct or not. */
export type KernelVersion = Exclude<JudgedCandidate, ScoredCandidate>;

/** What a strategy knows of a kernel. */
export interface StrategyContext extends SharedContext {
  /** Without its held-out shapes. */
  readonly spec: KernelSpec;
  /** As it is written: `vgpu:sm_80`. */
  readonly target: string;
  readonly baseline: KernelVersion;
  readonly firstCorrect: CorrectCandidate | undefined;
  readonly best: KernelVersion;
}

/** What a strategy knows of a target with a command. */
export interface CommandContext extends SharedContext {
  readonly task: CommandTask;
  readonly baseline: ScoredCandidate;
  readonly firstCorrect: ScoredCandidate;
  readonly best: ScoredCandidate;
}

/**
 * Looks at files that are no candidate: nothing becomes the best one by it, nothing is counted against the
 * budget of candidates. Only files that a candidate may have are to be handed in. Throws OperationalError
 * when the runner is lost.
 */
export interface Trials {
  /** Calls that may overlap on this machine; at least one. */
  readonly atOnce: number;
  compile(
    tree: SourceTree,
  ): Promise<Verdict | { readonly kind: "compiled"; readonly facts: readonly CompiledFacts[] }>;
  /** The code of the kernels of these files. */
  code(
    tree: SourceTree,
  ): Promise<Verdict | { readonly kind: "code"; readonly kernels: readonly KernelCode[] }>;
  /** The quick check without counters. */
  run(tree: SourceTree): Promise<Verdict | { readonly kind: "passed"; readonly cases: number }>;
  /** The quick check with counters: what the files cost. */
  price(tree: SourceTree): Promise<Verdict>;
}

export interface CandidateProposal {
  readonly kind: "candidate";
  readonly tree: SourceTree;
  readonly parent: string;
  readonly hypothesis: string;
  readonly origin: string;
}

export type Proposal =
  | CandidateProposal
  /**
   * Several that do not depend on each other: they are checked at the same time, and judged in this order.
   */
  | { readonly kind: "candidates"; readonly each: readonly CandidateProposal[] }
  /** Nothing more to try. */
  | { readonly kind: "done"; readonly reason: string; readonly ending?: EndingName }
  /** The next step would pass a limit of the budget. */
  | { readonly kind: "limit"; readonly limit: BudgetLimit; readonly reason: string }
  /** Cannot go on, for instance because the model cannot be reached. */
  | { readonly kind: "failed"; readonly reason: string; readonly ending?: EndingName };

/**
 * Decides what to try next, and nothing else: it is handed verdicts and gives trees. Stateful; belongs to one
 * session. `propose` stops early, in any way, when the signal fires; calls and requests that it leaves open
 * in the log are closed for it. It may throw OperationalError; the session then ends as failed.
 */
export interface Strategy {
  readonly name: string;
  /** Writes down what it sees in the original; called once, before the first `propose` of a new session. */
  survey?(context: SharedContext): Promise<void>;
  propose(context: SharedContext, signal: AbortSignal): Promise<Proposal>;
  /** What `restore` needs beside the log; goes into each checkpoint. */
  state(): JsonObject;
  /**
   * Told of the baseline and of each candidate once it is judged, in their order; also of those that the log
   * holds, before the first `propose` of a session that goes on.
   */
  learn?(judged: JudgedCandidate): void;
  /** Takes up a session again; called once, before all else. */
  restore?(resumed: StrategyResume): Promise<void>;
}

export interface StrategyResume extends Reach {
  readonly events: readonly SessionEvent[];
  /** Of the newest checkpoint; empty when there is none. */
  readonly state: JsonObject;
  readonly recorder: Recorder;
}

/** What a tester works with: the session, and what runs a case on the original and the candidate. */
export interface ChallengeSession<Context = SharedContext> {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly run: (made: ChallengeRequest["made"]) => Promise<ChallengeOutcome>;
}

/** Tries to refute candidates that passed the full check. */
export interface Tester {
  /** The verdict where a case fails on the candidate and not on the original; undefined where none does. */
  challenge(
    judged: Pick<CorrectCandidate, "candidate" | "verdict">,
    session: ChallengeSession,
  ): Promise<FailedVerdict | undefined>;
  /** Takes up what the log says of earlier cases. */
  restore(events: readonly SessionEvent[]): void;
}

/** True for the verdict kind of a kernel that may be stacked on. */
export function isCorrect(judged: JudgedCandidate): judged is CorrectCandidate {
  return judged.verdict.kind === "correct";
}

export function isStanding(judged: JudgedCandidate): judged is StandingCandidate {
  return judged.verdict.kind === "correct" || judged.verdict.kind === "scored";
}

/** A candidate by the kind of its verdict. */
export function judgedCandidate({ verdict, ...rest }: JudgedRecord): JudgedCandidate {
  switch (verdict.kind) {
    case "correct":
      return { ...rest, verdict };
    case "scored":
      return { ...rest, verdict };
    default:
      return { ...rest, verdict };
  }
}

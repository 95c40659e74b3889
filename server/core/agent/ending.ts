import { toOperational } from "../base/operational-error";
import { candidateName, type SourceTree } from "../judge/candidate";
import { compareVerdicts, describeComparison } from "../judge/comparison";
import type { CorrectVerdict, ScoredVerdict, Verdict } from "../judge/verdict";
import { computeHunks } from "../review/compute-hunks";
import { describeVerdict } from "../words/describe";
import type {
  BudgetLimit,
  EventData,
  ProposalBefore,
  ProposalSide,
  ScoreSide,
  SessionOutcome,
  SessionStatus,
} from "../trajectory/events";
import { type EndingName, limitEndings } from "../trajectory/proposal/endings";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import type { OpenEnds } from "../trajectory/recovery";
import type { Budget } from "./budget";
import { describeBaseline } from "./mending/task-of-baseline";
import type { Recorder } from "./recorder";
import type { Session } from "./session";
import { type FailedCandidate, type JudgedCandidate, type StandingCandidate, isStanding } from "./strategy";

export { whyNoTask } from "./mending/task-of-baseline";

export interface LoopResult {
  readonly outcome: SessionOutcome;
  /** One or two sentences for the user. */
  readonly reason: string;
  /** The best verified candidate, whatever the outcome; undefined when nothing beat the baseline. */
  readonly best: StandingCandidate | undefined;
  readonly baseline: Verdict | undefined;
}

/** Why the loop stopped asking. */
export type Stop =
  | {
      readonly kind: "exhausted" | "failed" | "cancelled";
      readonly reason: string;
      readonly ending?: EndingName;
    }
  | { readonly kind: "limit"; readonly limit: BudgetLimit; readonly reason: string };

interface Ending {
  /** A fresh one: the session's own is sealed. */
  readonly recorder: Recorder;
  readonly open: OpenEnds;
  readonly budget: Budget;
  readonly session: Session | undefined;
  readonly stop: Stop;
}

/** Writes the end. A part that cannot be written does not keep the later ones from being tried. */
export async function finish(ending: Ending): Promise<LoopResult> {
  const { recorder, budget, stop } = ending;
  const baseline = ending.session?.register.baseline;
  const best = ending.session?.register.best;
  const faults: string[] = [];
  const attempt = async (what: string, write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      faults.push(`${what}: ${toOperational(thrown, "disk-failed").message}`);
    }
  };
  await attempt("closing what was open", () => closeOpenEnds(recorder, ending.open, stop));
  if (stop.kind === "limit")
    await attempt("writing the limit", () =>
      recorder.append("limit.reached", "engine", { limit: stop.limit, used: budget.used }),
    );
  if (best && baseline) await attempt("writing the proposal", () => writeProposal(recorder, baseline, best));
  const outcome: SessionOutcome = faults.length > 0 ? "failed" : outcomeOf(stop, best);
  const reason = [endReason(stop, ending.session), ...faults].join("; ");
  await attempt("writing the end", () =>
    recorder.append("session.ended", "engine", {
      status: statuses[outcome],
      ending: endingOf(stop),
      reason,
      best: best?.candidate.id ?? null,
      used: budget.used,
    }),
  );
  const failed = faults.length > 0 && outcome !== "failed";
  return {
    outcome: failed ? "failed" : outcome,
    reason: failed ? [reason, ...faults].join("; ") : reason,
    best,
    baseline: baseline?.verdict,
  };
}

/** Every call, request and job of the log gets its end, so that readers always find pairs. */
async function closeOpenEnds(recorder: Recorder, open: OpenEnds, stop: Stop): Promise<void> {
  const note = `The session ended: ${stop.reason}`;
  for (const job of open.jobs)
    await recorder.append("job.finished", "engine", { job, status: "cancelled", duration_ms: 0 });
  for (const asked of open.requests)
    await recorder.append("llm.failed", "engine", {
      ...asked,
      failure: "cancelled",
      message: note,
      attempts: 1,
      cost_usd: null,
    });
  for (const call of open.calls)
    await recorder.append("tool.returned", "engine", {
      call,
      status: "cancelled",
      output: note,
      shown: note,
      duration_ms: 0,
    });
}

/** How the session ended, by name. */
function endingOf(stop: Stop): EndingName {
  if (stop.kind === "limit") return limitEndings[stop.limit];
  if (stop.ending !== undefined) return stop.ending;
  return stop.kind === "exhausted" ? "nothing-left" : stop.kind;
}

const statuses: Record<SessionOutcome, SessionStatus> = {
  improved: "succeeded",
  "no-gain": "no_gain",
  failed: "failed",
  cancelled: "cancelled",
  limit: "limit",
};

/**
 * A verified win is a win even when a limit ended the search; a cancelled or broken session says so, and its
 * proposal stands in the log.
 */
function outcomeOf(stop: Stop, best: StandingCandidate | undefined): SessionOutcome {
  switch (stop.kind) {
    case "cancelled":
      return "cancelled";
    case "failed":
      return "failed";
    case "limit":
      return best ? "improved" : "limit";
    case "exhausted":
      return best ? "improved" : "no-gain";
  }
}

function endReason(stop: Stop, session: Session | undefined): string {
  const { best, baseline, firstCorrect } = session?.register ?? {};
  if (!baseline || isAboutBaseline(endingOf(stop))) return stop.reason;
  const isTakenUp = best?.candidate.origin === continuedOrigin;
  const gains = [
    ...(isStanding(baseline) ? [] : [mendedReason(baseline, firstCorrect)]),
    ...(best && firstCorrect && best !== firstCorrect ? [fasterReason(best, firstCorrect)] : []),
    ...(isTakenUp ? ["it is what the session went on from, and nothing faster was found"] : []),
  ];
  return gains.length === 0 ? stop.reason : `${gains.join("; ")}. Stopped: ${stop.reason}`;
}

/** Whether the reason says what is wrong with the baseline. */
function isAboutBaseline(ending: EndingName): boolean {
  return ending === "baseline-not-correct" || ending === "no-rule-mends";
}

/** What became of a kernel that was wrong. */
function mendedReason({ verdict }: FailedCandidate, firstCorrect: StandingCandidate | undefined): string {
  if (firstCorrect === undefined) return `no candidate is correct, and ${describeBaseline(verdict)}`;
  const name = candidateName(firstCorrect.candidate.id);
  return `${name} is ${describeVerdict(firstCorrect.verdict)}, where ${describeBaseline(verdict)}`;
}

function fasterReason({ candidate, verdict }: StandingCandidate, first: StandingCandidate): string {
  const comparison = compareVerdicts(verdict, first.verdict);
  return `${candidateName(candidate.id)} is ${describeComparison(comparison, candidateName(first.candidate.id))}`;
}

async function writeProposal(
  recorder: Recorder,
  baseline: JudgedCandidate,
  best: StandingCandidate,
): Promise<void> {
  const before = { tree: baseline.candidate.tree, verdict: baseline.verdict };
  const after = { tree: best.candidate.tree, verdict: best.verdict };
  await recorder.append("proposal.ready", "engine", proposalOf(before, after, best.candidate.id));
}

/** Files with what was found about them. */
interface ProposedVersion {
  readonly tree: SourceTree;
  readonly verdict: CorrectVerdict | ScoredVerdict;
}

/** The files that a session began with, and what was found about them. */
export interface BaselineVersion {
  readonly tree: SourceTree;
  readonly verdict: Verdict;
}

/** A candidate as the proposal that is put before the user: its changes to the baseline, and both costs. */
export function proposalOf(
  baseline: BaselineVersion,
  proposed: ProposedVersion,
  candidate: string,
): EventData["proposal.ready"] {
  const hunks = Object.entries(proposed.tree)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, text]) =>
      // A file that the candidate adds has no text in the baseline.
      computeHunks({ file, base: baseline.tree[file] ?? "", proposed: text }),
    );
  return { candidate, hunks, before: beforeOf(baseline), after: costOf(proposed) };
}

function beforeOf({ tree, verdict }: BaselineVersion): ProposalBefore {
  if (verdict.kind === "correct" || verdict.kind === "scored") return costOf({ tree, verdict });
  return { outcome: verdict.kind, summary: describeVerdict(verdict) };
}

function costOf({ verdict }: ProposedVersion): ProposalSide | ScoreSide {
  if (verdict.kind === "scored") return { score: verdict.score };
  return { counters: verdict.counters, bound: verdict.bound };
}

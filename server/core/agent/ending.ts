import { toOperational } from "../base/operational-error";
import { candidateName, type SourceTree } from "../judge/candidate";
import { compareVerdicts, describeComparison } from "../judge/comparison";
import type { CorrectVerdict, ScoredVerdict, Verdict } from "../judge/verdict";
import { computeHunks } from "../review/compute-hunks";
import { describeVerdict } from "../words/describe";
import type { EventData, ProposalSide, ScoreSide, SessionOutcome, SessionStatus } from "../trajectory/events";
import type { EndingName } from "../trajectory/proposal/endings";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import type { OpenEnds } from "../trajectory/recovery";
import type { Budget, BudgetLimit } from "./budget";
import type { Recorder } from "./recorder";
import type { Session } from "./session";
import { type StandingCandidate, isStanding } from "./strategy";

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

export interface Ending {
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
  if (best && baseline && isStanding(baseline))
    await attempt("writing the proposal", () => writeProposal(recorder, baseline, best));
  const outcome: SessionOutcome = faults.length > 0 ? "failed" : outcomeOf(stop, best);
  const reason = [
    endReason(stop, baseline && isStanding(baseline) ? baseline : undefined, best),
    ...faults,
  ].join("; ");
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
  for (const request of open.requests)
    await recorder.append("llm.failed", "engine", {
      request,
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

/** Why nothing can be compared with a baseline. */
export function baselineFault(verdict: Verdict | undefined): string {
  if (!verdict) return "the baseline was not judged";
  if (verdict.kind !== "wrong") return `the baseline cannot be judged: it ${describeVerdict(verdict)}`;
  return `the kernel as it stands is ${describeVerdict(verdict)}. Kernelwright makes a right kernel faster and does not mend a wrong one: mend it first; "check" tells every case that fails`;
}

/** How the session ended, by name. */
function endingOf(stop: Stop): EndingName {
  if (stop.kind === "limit") return `budget-${stop.limit}`;
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

function endReason(
  stop: Stop,
  baseline: StandingCandidate | undefined,
  best: StandingCandidate | undefined,
): string {
  if (!best || !baseline) return stop.reason;
  const comparison = compareVerdicts(best.verdict, baseline.verdict);
  const found = `${candidateName(best.candidate.id)} is ${describeComparison(comparison, "the baseline")}`;
  const isTakenUp = best.candidate.origin === continuedOrigin;
  const more = isTakenUp ? "; it is what the session went on from, and nothing faster was found" : "";
  return `${found}${more}. Stopped: ${stop.reason}`;
}

async function writeProposal(
  recorder: Recorder,
  baseline: StandingCandidate,
  best: StandingCandidate,
): Promise<void> {
  const proposal = proposalOf(sideOf(baseline), sideOf(best), best.candidate.id);
  await recorder.append("proposal.ready", "engine", proposal);
}

function sideOf({ candidate, verdict }: StandingCandidate): ProposedVersion {
  return { tree: candidate.tree, verdict };
}

/** Files with what was found about them. */
export interface ProposedVersion {
  readonly tree: SourceTree;
  readonly verdict: CorrectVerdict | ScoredVerdict;
}

/** A candidate as the proposal that is put before the user: its changes to the baseline, and both costs. */
export function proposalOf(
  baseline: ProposedVersion,
  proposed: ProposedVersion,
  candidate: string,
): EventData["proposal.ready"] {
  const hunks = Object.entries(proposed.tree)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, text]) =>
      // A file that the candidate adds has no text in the baseline.
      computeHunks({ file, base: baseline.tree[file] ?? "", proposed: text }),
    );
  return { candidate, hunks, before: costOf(baseline), after: costOf(proposed) };
}

function costOf({ verdict }: ProposedVersion): ProposalSide | ScoreSide {
  if (verdict.kind === "scored") return { score: verdict.score };
  return { counters: verdict.counters, bound: verdict.bound };
}

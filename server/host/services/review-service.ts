import type { Verdict } from "../../core/judge/verdict";
import type { Clock } from "../../core/ports/clock";
import { withHunks } from "../../core/review/with-hunks";
import { findNeeds } from "../../core/review/needs";
import { describeVerdict } from "../../core/words/describe";
import { adoptCandidate } from "./recorded/adopt-candidate";
import { judging, type RecordedJudgeOptions, taskOf } from "./recorded/recorded-judge";
import type { ReviewCheck, ReviewService } from "./services";
import { readSourceTree } from "./sources/source-tree";

interface ReviewServiceOptions extends RecordedJudgeOptions {
  readonly clock: Clock;
}

/**
 * How many subsets of a proposal are tried, and for how long: what is not found out by then counts as one
 * change.
 */
const mostTrials = 24;
const mostMicroseconds = 5 * 60 * 1_000_000;

/**
 * Judges parts of a proposal by compiling and checking them, and keeps what it learns in the session's log.
 */
export function createReviewService(options: ReviewServiceOptions): ReviewService {
  return {
    group: (sessionId, signal) => group(options, sessionId, signal),
    check: (sessionId, combination) => check(options, sessionId, combination),
    adopt: (sessionId, candidate, signal) => adoptCandidate(options, { sessionId, candidate, signal }),
  };
}

async function group(options: ReviewServiceOptions, sessionId: string, signal: AbortSignal): Promise<void> {
  const record = await options.store.read(sessionId);
  const { proposal } = record.state;
  if (proposal === undefined || proposal.hunks.every((hunk) => hunk.needs !== null)) return;
  const task = await taskOf(options, sessionId, record);
  const trials: Trial[] = [];
  const began = options.clock.monotonicMicroseconds();
  const isSpent = (): boolean =>
    trials.length >= mostTrials || options.clock.monotonicMicroseconds() - began > mostMicroseconds;
  const found = await judging(options, task, signal, (judge) =>
    findNeeds(
      proposal.hunks.map((hunk) => hunk.id),
      async (hunks) => {
        signal.throwIfAborted();
        const tree = withHunks(task.baseline, proposal.hunks, new Set(hunks));
        const verdict = await judge(tree, "quick", "alone");
        trials.push({ hunks, outcome: verdict.kind, summary: describeVerdict(verdict) });
        return verdict.kind === "correct";
      },
      { isSpent },
    ),
  );
  await options.store.append(sessionId, {
    type: "review.grouped",
    actor: { kind: "engine" },
    data: { candidate: proposal.candidate, ...found, trials },
  });
}

async function check(
  options: ReviewServiceOptions,
  sessionId: string,
  { texts, digest, signal }: ReviewCheck,
): Promise<void> {
  const record = await options.store.read(sessionId);
  const accepted = record.state.proposal?.hunks.filter((hunk) => hunk.decision === "accepted") ?? [];
  const task = await taskOf(options, sessionId, record);
  const present = await readSourceTree(options.files, task, task.build);
  const verdict = await judging(options, task, signal, (judge) => judge({ ...present, ...texts }, "quick"));
  signal.throwIfAborted();
  await options.store.append(sessionId, {
    type: "review.checked",
    actor: { kind: "engine" },
    data: {
      accepted: accepted.map((hunk) => hunk.id),
      texts_sha256: digest,
      outcome: verdict.kind,
      summary: describeVerdict(verdict),
      bound_ns: verdict.kind === "correct" ? verdict.bound.nanoseconds : null,
    },
  });
}

interface Trial {
  readonly hunks: readonly string[];
  readonly outcome: Verdict["kind"];
  readonly summary: string;
}

import { OperationalError } from "../../core/base/operational-error";
import { verdictOfCheck, verdictOfCompile } from "../../core/agent/verdict-of";
import type { SourceTree } from "../../core/judge/candidate";
import type { Verdict } from "../../core/judge/verdict";
import type { Clock } from "../../core/ports/clock";
import type { Evaluation, EvaluationTask } from "../../core/ports/evaluator";
import type { SessionRecord, SessionStore } from "../../core/ports/run-store";
import { withHunks } from "../../core/review/with-hunks";
import { findNeeds } from "../../core/review/needs";
import { describeVerdict } from "../../core/words/describe";
import type { JudgeServiceOptions } from "./judge-service";
import { recordedTask, withoutTask } from "./recorded-task";
import type { ReviewCheck, ReviewService } from "./services";
import { requireWorkspace } from "./session-service";
import { readSourceTree } from "./sources/source-tree";

export interface ReviewServiceOptions extends JudgeServiceOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly workspaceDigest: string;
}

/**
 * How many subsets of a proposal are tried, and for how long: what is not found out by then counts as one
 * change.
 */
const mostTrials = 24;
const mostMicroseconds = 5 * 60 * 1_000_000;

/**
 * Failures of the runner that a combination of hunks may have caused: a trial that fails, not the end of
 * trying.
 */
const trialFailures: ReadonlySet<string> = new Set(["worker-lost", "worker-timeout"]);

/**
 * Judges parts of a proposal by compiling and checking them, and keeps what it learns in the session's log.
 */
export function createReviewService(options: ReviewServiceOptions): ReviewService {
  return {
    group: (sessionId, signal) => group(options, sessionId, signal),
    check: (sessionId, combination) => check(options, sessionId, combination),
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
        const verdict = await judge(withHunks(task.baseline, proposal.hunks, new Set(hunks)));
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
  const verdict = await judging(options, task, signal, (judge) => judge({ ...present, ...texts }));
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

async function taskOf(
  options: ReviewServiceOptions,
  sessionId: string,
  { events, state }: SessionRecord,
): Promise<EvaluationTask> {
  requireWorkspace(sessionId, events, options.workspaceDigest);
  if (state.task === undefined || state.baselineTree === undefined) throw withoutTask(sessionId);
  return recordedTask(state.task, state.baselineTree, {
    specs: options.specs,
    loadText: (stored) => options.store.loadText(stored),
    loadTree: (treeId) => options.store.loadTree(sessionId, treeId),
  });
}

/**
 * Opens the runner for as long as `work` judges trees with it: compile, then the quick check with counters.
 */
async function judging<Answer>(
  options: ReviewServiceOptions,
  task: EvaluationTask,
  signal: AbortSignal,
  work: (judge: (tree: SourceTree) => Promise<Verdict>) => Promise<Answer>,
): Promise<Answer> {
  const evaluation = await options.evaluator.open(task, signal);
  try {
    return await work((tree) => judgeTree(options, { evaluation, task, signal }, tree));
  } finally {
    await evaluation.close();
  }
}

async function judgeTree(
  { identity }: ReviewServiceOptions,
  { evaluation, task, signal }: { evaluation: Evaluation; task: EvaluationTask; signal: AbortSignal },
  tree: SourceTree,
): Promise<Verdict> {
  try {
    const failed = verdictOfCompile(await evaluation.compile(tree, signal));
    if (failed) return failed;
    const outcome = await evaluation.check({ tree, tier: "quick", counters: true, signal });
    return verdictOfCheck(outcome, { task, tree, tier: "quick", identity });
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof OperationalError) || !trialFailures.has(thrown.code))
      throw thrown;
    return { kind: "did-not-run", reason: thrown.forModel, findings: [] };
  }
}

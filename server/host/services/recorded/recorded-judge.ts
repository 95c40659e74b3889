import { OperationalError } from "../../../core/base/operational-error";
import { verdictOfCheck, verdictOfCompile } from "../../../core/agent/verdict-of";
import type { SourceTree } from "../../../core/judge/candidate";
import type { Tier, Verdict } from "../../../core/judge/verdict";
import type { CheckRequest, Evaluation, EvaluationTask } from "../../../core/ports/evaluator";
import type { SessionRecord, SessionStore } from "../../../core/ports/run-store";
import type { JudgeServiceOptions } from "../judge-service";
import { recordedTask, withoutTask } from "./recorded-task";
import { requireWorkspace } from "../session-service";

export interface RecordedJudgeOptions extends JudgeServiceOptions {
  readonly store: SessionStore;
  readonly workspaceDigest: string;
}

/**
 * Failures of the runner that files under trial may have caused: a verdict on them, not the end of trying.
 */
const trialFailures: ReadonlySet<string> = new Set(["worker-lost", "worker-timeout"]);

/** The task of a recorded session. Refuses one of another folder. */
export async function taskOf(
  options: RecordedJudgeOptions,
  sessionId: string,
  { state }: Pick<SessionRecord, "state">,
): Promise<EvaluationTask> {
  requireWorkspace(sessionId, state, options.workspaceDigest);
  if (state.task === undefined || state.baselineTree === undefined) throw withoutTask(sessionId);
  return recordedTask(state.task, state.baselineTree, {
    specs: options.specs,
    loadText: (stored) => options.store.loadText(stored),
    loadTree: (treeId) => options.store.loadTree(sessionId, treeId),
  });
}

/** Compiles a tree, then checks it with counters. `alone`: whether it is right is all that is asked. */
type Judge = (tree: SourceTree, tier: Tier, alone?: "alone") => Promise<Verdict>;

/** Opens the runner for as long as `work` judges trees with it. */
export async function judging<Answer>(
  options: RecordedJudgeOptions,
  task: EvaluationTask,
  signal: AbortSignal,
  work: (judge: Judge) => Promise<Answer>,
): Promise<Answer> {
  const evaluation = await options.evaluator.open(task, signal);
  try {
    return await work((tree, tier, alone) =>
      judgeTree(options, { evaluation, task, signal }, { tree, tier, verdictAlone: alone === "alone" }),
    );
  } finally {
    await evaluation.close();
  }
}

async function judgeTree(
  { identity }: RecordedJudgeOptions,
  { evaluation, task, signal }: { evaluation: Evaluation; task: EvaluationTask; signal: AbortSignal },
  asked: Pick<CheckRequest, "tree" | "tier" | "verdictAlone">,
): Promise<Verdict> {
  const { tree, tier } = asked;
  try {
    const failed = verdictOfCompile(await evaluation.compile(tree, signal));
    if (failed) return failed;
    const outcome = await evaluation.check({ ...asked, counters: true, signal });
    return verdictOfCheck(outcome, { task, tree, tier, identity });
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof OperationalError) || !trialFailures.has(thrown.code))
      throw thrown;
    return { kind: "did-not-run", reason: thrown.forModel, findings: [] };
  }
}

import { invariant } from "../../../core/base/assert";
import { OperationalError } from "../../../core/base/operational-error";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { SourceTree } from "../../../core/judge/candidate";
import { parseTarget } from "../../../core/timing/target";
import { readBuildSettings } from "../../../core/workload/build/recorded";
import type { SessionTask, StoredText } from "../../../core/trajectory/events";
import type { SpecService } from "../services";

/** Where a session's texts come from: its open log, or the store. */
export interface RecordedContent {
  readonly loadText: (stored: StoredText) => Promise<string>;
  readonly loadTree: (treeId: string) => Promise<SourceTree>;
}

/** The task of a recorded session as evaluators take it: the spec, the target and the baseline of then. */
export async function recordedTask(
  task: SessionTask,
  baselineTree: string,
  from: RecordedContent & { readonly specs: SpecService },
): Promise<EvaluationTask> {
  const { spec, specFolder } = await from.specs.parse({
    specPath: specPathOf(task),
    text: await from.loadText(task.specText),
  });
  const target = parseTarget(task.target);
  invariant(target.ok, "a recorded target can be read back");
  const baseline = await from.loadTree(baselineTree);
  if (task.build === undefined) return { spec, specFolder, target: target.value, baseline };
  const build = readBuildSettings(await from.loadText(task.build));
  return { spec, specFolder, target: target.value, baseline, build };
}

/** An inferred spec has no file: it stands beside the kernel's. */
function specPathOf(task: SessionTask): string {
  return task.specPath !== "" ? task.specPath : `${task.file}.kernel.json`;
}

/** What a session without its first event can only answer. */
export function withoutTask(sessionId: string): OperationalError {
  return new OperationalError("session-damaged", {
    forUser: `Session ${sessionId} ended before its task was written: there is nothing to continue. Start a new one.`,
  });
}

import { invariant } from "../../../core/base/assert";
import { isCommandTask, type LoopDependencies } from "../../../core/agent/dependencies";
import type { CommandTask, Evaluation } from "../../../core/ports/evaluator";
import type { SessionTask } from "../../../core/trajectory/events";
import { readCommandSpec } from "../../../core/workload/command/command-spec";
import type { RecordedContent } from "../recorded/recorded-task";

/** Opens evaluations of targets with a command. */
export interface CommandOpener {
  open(task: CommandTask, signal: AbortSignal): Promise<Evaluation>;
}

/** The evaluator of a session on a target with a command. */
export function commandsOnly({
  commands,
}: {
  readonly commands: CommandOpener;
}): LoopDependencies["evaluator"] {
  return {
    open: (task, signal) => {
      invariant(isCommandTask(task), "a session on a target with a command has such a task");
      return commands.open(task, signal);
    },
  };
}

/** The task of a recorded session on a target with a command. */
export async function recordedCommand(
  task: SessionTask,
  baselineTree: string,
  from: RecordedContent,
): Promise<CommandTask> {
  const command = readCommandSpec(JSON.parse(await from.loadText(task.specText)));
  invariant(command.ok, "recorded commands can be read back");
  return { name: task.kernel, command: command.value, baseline: await from.loadTree(baselineTree) };
}

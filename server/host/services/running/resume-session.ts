import type { SessionLog } from "../../../core/ports/run-store";
import type { BudgetLimits, SessionEvent } from "../../../core/trajectory/events";
import { resumedBudget } from "../../../core/trajectory/proposal/more-budget";
import { listenFor } from "../listening";
import { knownBefore } from "../memory/memory";
import { type RecordedContent, recordedTask, withoutTask } from "../recorded/recorded-task";
import { requireWorkspace } from "../session-service";
import type { RunningSession } from "../services";
import { isCommandTarget } from "../../../core/trajectory/proposal/command-target";
import { commandsOnly, recordedCommand } from "./recorded-command";
import { announcing, guarded, type OptimizeServiceOptions } from "./running-session";

interface ResumeRequest {
  readonly signal: AbortSignal;
  readonly onEvent: (event: SessionEvent) => void;
  readonly onWords?: (delta: string) => void;
  /** What it may use in all; of what is left out the session's own limits hold. */
  readonly budget?: Partial<BudgetLimits>;
  readonly messages?: readonly string[];
}

/** Goes on with a session of this workspace from its newest checkpoint. */
export async function resumeSession(
  options: OptimizeServiceOptions,
  sessionId: string,
  request: ResumeRequest,
): Promise<RunningSession> {
  const log = announcing(await options.store.reopen(sessionId), request.onEvent);
  return guarded(options, log, async () => {
    const { state } = await options.store.read(sessionId);
    requireWorkspace(sessionId, state, options.workspaceDigest);
    const started = await startOf(sessionId, log);
    const { task } = started;
    const content: RecordedContent = {
      loadText: (stored) => log.loadText(stored),
      loadTree: (treeId) => log.loadTree(treeId),
    };
    const isCommand = isCommandTarget(task.target);
    const evaluation = isCommand
      ? await recordedCommand(task, started.baseline_tree, content)
      : await recordedTask(task, started.baseline_tree, { ...content, specs: options.specs });
    const { strategy, model, tester } = await options.createStrategy(task.strategy, {
      subject: isCommand ? "command" : "kernel",
      onWords: request.onWords,
    });
    const listening = await listenFor(model, request.messages);
    const budget = resumedBudget(state, task.budget, request.budget);
    for await (const { events } of log.logged.pagesAfter(0))
      for (const event of events) request.onEvent(event);
    await log.append({
      type: "session.resumed",
      actor: { kind: "user" },
      data: { from_seq: state.lastSequence },
    });
    const { from, mayTouch } = task;
    const past = await knownBefore(options, sessionId, { task, baselineTree: started.baseline_tree });
    return {
      past,
      task: {
        evaluation,
        file: task.file,
        baselineTree: started.baseline_tree,
        budget,
        ...(mayTouch && { mayTouch }),
        ...(from && {
          from: { tree: await log.loadTree(from.tree), treeId: from.tree, hypothesis: from.hypothesis },
        }),
      },
      strategy,
      tester,
      dependencies: { ...options, log, ...(isCommand && { evaluator: commandsOnly(options) }) },
      signal: request.signal,
      resume: true,
      ...listening,
    };
  });
}

type Started = Extract<SessionEvent, { type: "session.started" }>;

async function startOf(sessionId: string, { logged }: SessionLog): Promise<Started["data"]> {
  // It stands on the first page; only a log that is damaged has it elsewhere.
  for await (const { events } of logged.pagesAfter(0))
    for (const event of events) if (event.type === "session.started") return event.data;
  throw withoutTask(sessionId);
}

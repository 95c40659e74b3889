import type { LoopTask } from "../../core/agent/dependencies";
import { noPast } from "../../core/agent/memory/past";
import { resumeState } from "../../core/agent/resume";
import { formatTarget } from "../../core/timing/target";
import { writeBuildSettings } from "../../core/workload/build/recorded";
import type { BudgetLimits, SessionEvent, SessionTask } from "../../core/trajectory/events";
import { type RecordedContent, recordedTask, withoutTask } from "./recorded/recorded-task";
import { listenFor } from "./listening";
import { knownBefore } from "./memory/memory";
import { commandPrefix, commandsOnly, recordedCommand } from "./running/recorded-command";
import { announcing, guarded, type OptimizeServiceOptions, startedEvent } from "./running/running-session";
import { startCommand } from "./running/start-command";
import { requireWorkspace } from "./session-service";
import type { OptimizeRequest, OptimizeService, RunningSession } from "./services";
import { buildSettingsOf, pathFromSpec, readSourceTree } from "./sources/source-tree";

export type { OptimizeServiceOptions } from "./running/running-session";

type Announce = (event: SessionEvent) => void;

/** Starts and continues sessions. Every event is on disk before it is announced. */
export function createOptimizeService(options: OptimizeServiceOptions): OptimizeService {
  return {
    start: async (request) => {
      const target = await options.evaluator.resolve(request.target, request.signal);
      return startSession(options, { ...request, target });
    },
    startCommand: (request) => startCommand(options, request),
    resume: (sessionId, request) => resumeSession(options, sessionId, request),
  };
}

async function startSession(
  options: OptimizeServiceOptions,
  request: OptimizeRequest,
): Promise<RunningSession> {
  const found = await options.specs.find(request, request);
  const file = pathFromSpec(found.specFolder, found.spec.file);
  const build = await buildSettingsOf(options.builds, found);
  const baseline = await readSourceTree(options.files, found, build);
  const { strategy, model } = await options.createStrategy(request.strategy);
  const listening = await listenFor(model, request.messages);
  const log = announcing(await options.store.create(), request.onEvent);
  return guarded(options, log, async () => {
    const specText = await log.storeText(found.text, "application/json");
    const baselineTree = await log.snapshot(baseline, null);
    const task: SessionTask = {
      specPath: found.inferred ? "" : found.specPath,
      specText,
      file,
      kernel: found.spec.kernel,
      target: formatTarget(request.target),
      strategy: request.strategy,
      budget: request.budget,
      build: await log.storeText(writeBuildSettings(build), "application/json"),
      ...(model === undefined ? {} : { model }),
    };
    await log.append(startedEvent(options, task, baselineTree));
    const loopTask: LoopTask = {
      evaluation: { spec: found.spec, specFolder: found.specFolder, target: request.target, baseline, build },
      file,
      baselineTree,
      budget: request.budget,
    };
    const past = await knownBefore(options, log.sessionId, { task, baselineTree });
    const dependencies = { ...options, log };
    return { task: loopTask, strategy, dependencies, signal: request.signal, past, ...listening };
  });
}

interface ResumeRequest {
  readonly signal: AbortSignal;
  readonly onEvent: Announce;
  readonly budget?: BudgetLimits;
  readonly messages?: readonly string[];
}

async function resumeSession(
  options: OptimizeServiceOptions,
  sessionId: string,
  request: ResumeRequest,
): Promise<RunningSession> {
  const opened = await options.store.reopen(sessionId);
  const log = announcing(opened.log, request.onEvent);
  return guarded(options, log, async () => {
    const { events } = opened;
    requireWorkspace(sessionId, events, options.workspaceDigest);
    const started = startOf(sessionId, events);
    const { task } = started;
    const content: RecordedContent = {
      loadText: (stored) => log.loadText(stored),
      loadTree: (treeId) => log.loadTree(treeId),
    };
    const isCommand = task.target.startsWith(commandPrefix);
    const evaluation = isCommand
      ? await recordedCommand(task, started.baseline_tree, content)
      : await recordedTask(task, started.baseline_tree, { ...content, specs: options.specs });
    const { strategy, model } = await options.createStrategy(task.strategy, isCommand ? "command" : "kernel");
    const listening = await listenFor(model, request.messages);
    const budget = request.budget ?? task.budget;
    for (const event of events) request.onEvent(event);
    await log.append({
      type: "session.resumed",
      actor: { kind: "user" },
      data: { from_seq: events.at(-1)?.seq ?? 0 },
    });
    const past = isCommand
      ? noPast
      : await knownBefore(options, sessionId, { task, baselineTree: started.baseline_tree });
    return {
      past,
      task: {
        evaluation,
        file: task.file,
        baselineTree: started.baseline_tree,
        budget,
      },
      strategy,
      dependencies: { ...options, log, ...(isCommand && { evaluator: commandsOnly(options) }) },
      signal: request.signal,
      resume: resumeState(events),
      ...listening,
    };
  });
}

function startOf(
  sessionId: string,
  events: readonly SessionEvent[],
): Extract<SessionEvent, { type: "session.started" }>["data"] {
  for (const event of events) if (event.type === "session.started") return event.data;
  throw withoutTask(sessionId);
}

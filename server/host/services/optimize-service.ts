import type { LoopDependencies, LoopTask } from "../../core/agent/dependencies";
import { type LoopInput, runLoop } from "../../core/agent/loop";
import { resumeState } from "../../core/agent/resume";
import { formatTarget } from "../../core/timing/target";
import type { FileReader } from "../../core/ports/files";
import type { Identity } from "../../core/ports/identity";
import type { SessionLog, SessionStore } from "../../core/ports/run-store";
import { writeBuildSettings } from "../../core/workload/build/recorded";
import type { BudgetLimits, SessionEvent, SessionTask } from "../../core/trajectory/events";
import { recordedTask, withoutTask } from "./recorded/recorded-task";
import { type Listening, listenFor } from "./listening";
import { knownBefore, learnFrom, type SkillLibrary } from "./memory/memory";
import { requireWorkspace } from "./session-service";
import type {
  BuildService,
  OptimizeRequest,
  OptimizeResult,
  OptimizeService,
  RunningSession,
  SpecService,
} from "./services";
import { buildSettingsOf, pathFromSpec, readSourceTree } from "./sources/source-tree";

export interface OptimizeServiceOptions extends Omit<LoopDependencies, "log"> {
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly files: FileReader;
  readonly store: SessionStore;
  readonly identity: Identity;
  readonly workspaceDigest: string;
  readonly skills: SkillLibrary;
  readonly productVersion: string;
  /** Whom a model may ask; nobody when left out. */
  readonly user?: LoopInput["user"];
  /**
   * Makes a strategy by its name, with the model for those that need one. Throws `model-unavailable` or
   * `usage`.
   */
  readonly createStrategy: (
    name: string,
  ) => Promise<{ readonly strategy: LoopInput["strategy"]; readonly model?: string }>;
}

type Announce = (event: SessionEvent) => void;

/** Starts and continues sessions. Every event is on disk before it is announced. */
export function createOptimizeService(options: OptimizeServiceOptions): OptimizeService {
  return {
    start: async (request) => {
      const target = await options.evaluator.resolve(request.target, request.signal);
      return startSession(options, { ...request, target });
    },
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
    await log.append({
      type: "session.started",
      actor: { kind: "user" },
      data: {
        format_version: "1.0",
        product: { name: "kernelwright", version: options.productVersion },
        workspace: options.workspaceDigest,
        task,
        baseline_tree: baselineTree,
        seed: options.identity.randomHex(16),
      },
    });
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
    const evaluation = await recordedTask(task, started.baseline_tree, {
      specs: options.specs,
      loadText: (stored) => log.loadText(stored),
      loadTree: (treeId) => log.loadTree(treeId),
    });
    const { strategy, model } = await options.createStrategy(task.strategy);
    const listening = await listenFor(model, request.messages);
    const budget = request.budget ?? task.budget;
    for (const event of events) request.onEvent(event);
    await log.append({
      type: "session.resumed",
      actor: { kind: "user" },
      data: { from_seq: events.at(-1)?.seq ?? 0 },
    });
    const past = await knownBefore(options, sessionId, { task, baselineTree: started.baseline_tree });
    return {
      past,
      task: {
        evaluation,
        file: task.file,
        baselineTree: started.baseline_tree,
        budget,
      },
      strategy,
      dependencies: { ...options, log },
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

/** Prepares with the log open, then runs the loop in the background; the log is closed whatever happens. */
async function guarded(
  options: OptimizeServiceOptions,
  log: SessionLog,
  prepare: () => Promise<LoopInput & Listening>,
): Promise<RunningSession> {
  try {
    const input = await prepare();
    const notes = input.task.evaluation.build?.notes ?? [];
    const { say, control } = input;
    return { sessionId: log.sessionId, notes, say, control, finished: runToEnd(options, log, input) };
  } catch (thrown) {
    await log.close();
    throw thrown;
  }
}

async function runToEnd(
  options: OptimizeServiceOptions,
  log: SessionLog,
  input: LoopInput,
): Promise<OptimizeResult> {
  try {
    const { user } = options;
    const { outcome, reason } = await runLoop(user ? { ...input, user } : input);
    await learnFrom(options, log, input.task);
    return { sessionId: log.sessionId, outcome, reason };
  } finally {
    await log.close();
  }
}

/**
 * The same log, telling of each event once it is written. A listener that throws is a bug of ours and may not
 * harm the session.
 */
function announcing(log: SessionLog, announce: Announce): SessionLog {
  return {
    sessionId: log.sessionId,
    append: async (event) => {
      const written = await log.append(event);
      announce(written);
      return written;
    },
    storeText: (text, mediaType) => log.storeText(text, mediaType),
    loadText: (stored) => log.loadText(stored),
    snapshot: (tree, parent) => log.snapshot(tree, parent),
    loadTree: (id) => log.loadTree(id),
    close: () => log.close(),
  };
}

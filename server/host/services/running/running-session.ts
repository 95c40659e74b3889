import type { LoopDependencies } from "../../../core/agent/dependencies";
import { isCommandTask } from "../../../core/agent/dependencies";
import { type LoopInput, runLoop } from "../../../core/agent/loop";
import type { Evaluator } from "../../../core/ports/evaluator";
import type { FileMaker, FileReader } from "../../../core/ports/files";
import type { Identity } from "../../../core/ports/identity";
import type { SessionLog, SessionStore } from "../../../core/ports/run-store";
import type { NewEvent, SessionEvent, SessionTask } from "../../../core/trajectory/events";
import type { Listening } from "../listening";
import { learnFrom, type SkillLibrary } from "../memory/memory";
import type { BuildService, OptimizeResult, RunningSession, SpecService } from "../services";
import type { CommandOpener } from "./recorded-command";

export interface OptimizeServiceOptions extends Omit<LoopDependencies, "log" | "evaluator"> {
  readonly evaluator: Evaluator;
  /** Of targets with a command. */
  readonly commands: CommandOpener;
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly files: FileReader & FileMaker;
  readonly store: SessionStore;
  readonly identity: Identity;
  readonly workspaceDigest: string;
  readonly skills: SkillLibrary;
  readonly productVersion: string;
  /** Whom a model may ask; nobody when left out. */
  readonly user?: LoopInput["user"];
  /**
   * Makes a strategy by its name, with the model for those that need one, of which `onWords` hears the words
   * as they come. Throws `model-unavailable` or `usage`.
   */
  readonly createStrategy: (
    name: string,
    how: {
      readonly subject: "kernel" | "command";
      readonly onWords: ((delta: string) => void) | undefined;
    },
  ) => Promise<Pick<LoopInput, "strategy" | "tester"> & { readonly model?: string }>;
}

/** The first event of a session. */
export function startedEvent(
  options: OptimizeServiceOptions,
  task: SessionTask,
  baselineTree: string,
): Extract<NewEvent, { type: "session.started" }> {
  return {
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
  };
}

/** Prepares with the log open, then runs the loop in the background; the log is closed whatever happens. */
export async function guarded(
  options: OptimizeServiceOptions,
  log: SessionLog,
  prepare: () => Promise<LoopInput & Listening>,
): Promise<RunningSession> {
  try {
    const input = await prepare();
    const { evaluation } = input.task;
    const notes = isCommandTask(evaluation) ? [] : (evaluation.build?.notes ?? []);
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
export function announcing(log: SessionLog, announce: (event: SessionEvent) => void): SessionLog {
  return {
    sessionId: log.sessionId,
    logged: log.logged,
    get candidates() {
      return log.candidates;
    },
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

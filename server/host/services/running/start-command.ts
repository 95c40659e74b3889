import type { LoopTask } from "../../../core/agent/dependencies";
import { at } from "../../../core/base/known";
import type { SessionTask } from "../../../core/trajectory/events";
import { projectFileName } from "../../../core/workload/build/project-file";
import { knownBefore } from "../memory/memory";
import { listenFor } from "../listening";
import type { OptimizeService, RunningSession } from "../services";
import { commandTask } from "./command-targets";
import { commandPrefix } from "../../../core/trajectory/proposal/command-target";
import { commandsOnly } from "./recorded-command";
import { announcing, guarded, type OptimizeServiceOptions, startedEvent } from "./running-session";

/** Starts a session on a target with a command. */
export async function startCommand(
  options: OptimizeServiceOptions,
  request: Parameters<OptimizeService["startCommand"]>[0],
): Promise<RunningSession> {
  const evaluation = await commandTask(options.files, request);
  const { baseline, command, name } = evaluation;
  const { strategy, model } = await options.createStrategy(request.strategy, {
    subject: "command",
    onWords: request.onWords,
  });
  const listening = await listenFor(model, request.messages);
  const log = announcing(await options.store.create(), request.onEvent);
  return guarded(options, log, async () => {
    const baselineTree = await log.snapshot(baseline, null);
    const file = at(Object.keys(baseline), 0);
    const task: SessionTask = {
      specPath: projectFileName,
      specText: await log.storeText(JSON.stringify(command), "application/json"),
      file,
      kernel: name,
      target: `${commandPrefix}${name}`,
      strategy: request.strategy,
      budget: request.budget,
      ...(model === undefined ? {} : { model }),
    };
    await log.append(startedEvent(options, task, baselineTree));
    const loopTask: LoopTask = { evaluation, file, baselineTree, budget: request.budget };
    const dependencies = { ...options, evaluator: commandsOnly(options), log };
    const past = await knownBefore(options, log.sessionId, { task, baselineTree });
    return { task: loopTask, strategy, dependencies, signal: request.signal, past, ...listening };
  });
}

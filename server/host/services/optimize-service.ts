import { reachOf, type LoopTask } from "../../core/agent/dependencies";
import { formatTarget } from "../../core/timing/target";
import { writeBuildSettings } from "../../core/workload/build/recorded";
import type { SessionTask } from "../../core/trajectory/events";
import { listenFor } from "./listening";
import { knownBefore } from "./memory/memory";
import { findCandidate, recordTakenUp, takeUp } from "./recorded/taken-up";
import { againstBaseline, beginKernel } from "./running/begin-kernel";
import { announcing, guarded, type OptimizeServiceOptions, startedEvent } from "./running/running-session";
import { commandTargets, commandWords } from "./running/command-targets";
import { resumeSession } from "./running/resume-session";
import { startCommand } from "./running/start-command";
import type { OptimizeRequest, OptimizeService, RunningSession } from "./services";
import { refuseEmbedded } from "./sources/embedded-sources";
import { buildSettingsOf, pathFromSpec, readSourceTree } from "./sources/source-tree";

export type { OptimizeServiceOptions } from "./running/running-session";

/** Starts and continues sessions. Every event is on disk before it is announced. */
export function createOptimizeService(options: OptimizeServiceOptions): OptimizeService {
  return {
    start: async (request) => {
      const target = await options.evaluator.resolve(request.target, request.signal);
      const { name, first } = await beginKernel(options, request);
      const chosen = await options.createStrategy(request.strategy, {
        subject: "kernel",
        onWords: request.onWords,
      });
      if (first !== undefined) await options.files.create(first.file, first.text);
      const running = await startSession(options, { ...request, ...name, target }, chosen);
      if (first === undefined) return running;
      return { ...running, notes: [first.note, ...running.notes], made: first.file };
    },
    commands: async () =>
      Object.entries(await commandTargets(options.files)).map(([name, command]) => ({
        name,
        commands: commandWords(command),
      })),
    startCommand: (request) => startCommand(options, request),
    resume: (sessionId, request) => resumeSession(options, sessionId, request),
  };
}

type ChosenStrategy = Awaited<ReturnType<OptimizeServiceOptions["createStrategy"]>>;

async function startSession(
  options: OptimizeServiceOptions,
  request: OptimizeRequest,
  { strategy, model, tester }: ChosenStrategy,
): Promise<RunningSession> {
  const origin = request.from && (await findCandidate(options, request.from, request));
  const found = await options.specs.find(origin?.name ?? request, request);
  const file = pathFromSpec(found.specFolder, found.spec.file);
  refuseEmbedded(file);
  const build = await buildSettingsOf(options.builds, found);
  const baseline = await readSourceTree(options.files, found, build, request.mayTouch);
  const evaluation = {
    spec: found.spec,
    specFolder: found.specFolder,
    target: request.target,
    baseline,
    build,
  };
  const reach = request.mayTouch && { mayTouch: request.mayTouch };
  const touches = reachOf({ evaluation, file, ...reach });
  const takenUp = origin && takeUp(origin, { present: baseline, reach: touches, model });
  const listening = await listenFor(model, request.messages);
  const log = announcing(await options.store.create(), request.onEvent);
  const running = await guarded(options, log, async () => {
    const specText = await log.storeText(found.text, "application/json");
    const baselineTree = await log.snapshot(baseline, null);
    const from = takenUp && (await recordTakenUp(log, takenUp, baselineTree));
    const task: SessionTask = {
      specPath: found.inferred ? "" : found.specPath,
      specText,
      file,
      kernel: found.spec.kernel,
      target: formatTarget(request.target),
      strategy: request.strategy,
      budget: request.budget,
      build: await log.storeText(writeBuildSettings(build), "application/json"),
      ...reach,
      ...(model === undefined ? {} : { model }),
      ...(from && { from }),
    };
    await log.append(startedEvent(options, task, baselineTree));
    const loopTask: LoopTask = {
      evaluation,
      file,
      baselineTree,
      budget: request.budget,
      ...reach,
      ...(from &&
        takenUp && { from: { tree: takenUp.tree, treeId: from.tree, hypothesis: from.hypothesis } }),
    };
    const past = await knownBefore(options, log.sessionId, { task, baselineTree });
    const dependencies = { ...options, log };
    const { signal } = request;
    return { task: loopTask, strategy, tester, dependencies, signal, past, ...listening };
  });
  return { ...running, notes: [...againstBaseline(found), ...running.notes] };
}

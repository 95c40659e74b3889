import type { LaunchModel } from "../../../core/timing/execution/launch-model";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { EntryOutcome } from "../../../core/ports/entry-programs";
import type { CompiledModule } from "../compile/compiled-module";
import type { RunRequest } from "../evaluation/kernel-runner";
import { modelsOf } from "../gpu/virtual-gpu";

interface SimulatedRun {
  readonly request: Pick<RunRequest, "model" | "sampled">;
  readonly device: Extract<CompiledModule, { kind: "compiled" }>;
  readonly task: Pick<EvaluationTask, "target">;
}

/**
 * The simulation of each launch of an entry, of those that did the same one; nothing where a launch is not
 * known, or runs code of a library, and where samples were asked for and all blocks of all launches ran.
 */
export function entryModels(
  { executed }: EntryOutcome,
  { request, device, task }: SimulatedRun,
): { readonly models?: readonly LaunchModel[] } {
  const isKnown = executed?.every(({ kernel }) => device.entries.some(({ symbol }) => symbol === kernel));
  if (executed === undefined || isKnown !== true) return {};
  if (request.sampled === true && executed.every(({ sample }) => sample === undefined)) return {};
  const simulated = new Map<string, readonly LaunchModel[]>();
  const models = executed.flatMap((launch) => {
    const key = JSON.stringify(launch);
    const known = simulated.get(key) ?? simulate(launch, { request, device, task });
    simulated.set(key, known);
    return known;
  });
  return { models };
}

function simulate(
  { kernel, shape, ...launch }: NonNullable<EntryOutcome["executed"]>[number],
  { request, device: { cubin }, task }: SimulatedRun,
): readonly LaunchModel[] {
  return modelsOf(launch, { request, kernel, shape, cubin }, task).models ?? [];
}

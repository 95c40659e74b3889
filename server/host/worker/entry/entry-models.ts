import { at, mustGet } from "../../../core/base/known";
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

/** Different launches that are simulated briefly: each may take a sixth of a second. */
const mostBrief = 4;

/**
 * The simulation of each launch of an entry, of those that did the same one; nothing where a launch is not
 * known, or runs code of a library, where samples were asked for and all blocks of all launches ran, and
 * where brief simulations cannot be trusted or are too many.
 */
export function entryModels(
  { executed }: EntryOutcome,
  { request, device, task }: SimulatedRun,
): { readonly models?: readonly LaunchModel[] } {
  const isKnown = executed?.every(({ kernel }) => device.entries.some(({ symbol }) => symbol === kernel));
  if (executed === undefined || isKnown !== true) return {};
  if (request.sampled === true && executed.every(({ sample }) => sample === undefined)) return {};
  const keys = executed.map((launch) => JSON.stringify(launch));
  if (request.model === "briefly" && new Set(keys).size > mostBrief) return {};
  const simulated = new Map<string, readonly LaunchModel[]>();
  for (const [index, launch] of executed.entries()) {
    const key = at(keys, index);
    if (simulated.has(key)) continue;
    const models = simulate(launch, { request, device, task });
    if (models.length === 0) return {};
    simulated.set(key, models);
  }
  return { models: keys.flatMap((key) => mustGet(simulated, key)) };
}

function simulate(
  { kernel, shape, ...launch }: NonNullable<EntryOutcome["executed"]>[number],
  { request, device: { cubin }, task }: SimulatedRun,
): readonly LaunchModel[] {
  return modelsOf(launch, { request, kernel, shape, cubin }, task).models ?? [];
}

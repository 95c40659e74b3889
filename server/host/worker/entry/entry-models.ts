import { at, mustGet } from "../../../core/base/known";
import type { LaunchModel } from "../../../core/timing/execution/launch-model";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { EntryOutcome } from "../../../core/ports/entry-programs";
import type { CompiledModule } from "../compile/compiled-module";
import type { RunRequest } from "../evaluation/kernel-runner";
import { modelsOf } from "../gpu/virtual-gpu";
import { computesMuch } from "../../../core/timing/host/host-calls";
import type { EntryProgram } from "../../../core/ports/entry-programs";

interface SimulatedRun {
  readonly request: Pick<RunRequest, "model" | "sampled">;
  readonly device: Extract<CompiledModule, { kind: "compiled" }>;
  readonly task: Pick<EvaluationTask, "target">;
}

/** Different launches that are simulated briefly: each may take a sixth of a second. */
const mostBrief = 4;

/**
 * The simulation of each launch of an entry, of those that did the same one; nothing where a launch is not
 * known, or runs code of a library, and where brief simulations cannot be trusted or are too many.
 */
export function entryModels(
  { executed }: EntryOutcome,
  { request, device, task }: SimulatedRun,
): { readonly models?: readonly LaunchModel[] } {
  const isKnown = executed?.every(({ kernel }) => device.entries.some(({ symbol }) => symbol === kernel));
  if (executed === undefined || isKnown !== true) return {};
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

/**
 * A run that has no more steps of host code than a further call takes: what the first call alone computes,
 * as a table that it keeps, is no part of a call's price. That call is made where so many are made that they
 * have a price.
 */
export async function runWarm(
  program: EntryProgram,
  order: Parameters<EntryProgram["run"]>[0],
): Promise<EntryOutcome> {
  const outcome = await program.run(order);
  const { traffic } = outcome;
  if (!order.counters || !computesMuch(traffic.calls) || outcome.end.kind !== "returned") return outcome;
  const { executed: _executed, watched: _watched, ...plain } = order;
  const again = await program.run({ ...plain, counters: false, detectors: false });
  if (again.end.kind !== "returned") return outcome;
  const steps = Math.min(traffic.calls.steps ?? 0, again.traffic.calls.steps ?? 0);
  return { ...outcome, traffic: { ...traffic, calls: { ...traffic.calls, steps } } };
}

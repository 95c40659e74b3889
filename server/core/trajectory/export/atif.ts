import { sidesOf } from "../proposal/sides";
import type { JsonObject } from "../../base/json";
import { OperationalError } from "../../base/operational-error";
import { reduceSession } from "../reduce";
import { baselineId, type CandidateRecord, type SessionState } from "../state";
import { toStorable } from "../storable";
import { writeEvent } from "./atif-events";
import { StepCollector } from "./atif-steps";
import type { AtifStep, AtifTotals, AtifTrajectory, AtifVersion } from "./atif-types";
import { validateAtif } from "./atif-validate";
import { hardwareLabel, patchOf } from "./content";
import type { Exporter, ExportInput } from "./exporter";

/**
 * The exporter for one version. Nothing of ours needs audio, which is all that v1.8 adds, so the versions
 * differ in their name alone.
 */
export function atifExporter(version: AtifVersion): Exporter {
  const number = version.slice("ATIF-v".length);
  return {
    id: `atif-${number}`,
    title: `ATIF ${number}`,
    description: `The agent trajectory interchange format, version ${number}, as JSON.`,
    extension: "atif.json",
    write: (input) => writeAtif(input, version),
    check: (text) => validateAtif(text).map((problem) => `${problem.rule}: ${problem.message}`),
  };
}

async function writeAtif(input: ExportInput, version: AtifVersion): Promise<string> {
  const collector = new StepCollector(input);
  for (const event of input.events) await writeEvent(collector, event, input);
  const steps = collector.finish();
  if (steps.length === 0) {
    throw new OperationalError("session-damaged", {
      forUser: `Session ${input.sessionId} holds no step, so there is nothing to export.`,
      forModel: "The session holds no step.",
    });
  }
  const state = reduceSession(input.events);
  const requests = [...collector.requests.values()];
  const model = state.task?.model ?? requests[0]?.model;
  const tools = [...new Set(requests.flatMap((request) => request.tools))].sort();
  const document: AtifTrajectory = {
    schema_version: version,
    session_id: input.sessionId,
    trajectory_id: `${input.sessionId}/main`,
    agent: {
      name: "kernelwright",
      version: state.productVersion || input.productVersion,
      ...(model === undefined ? {} : { model_name: model }),
      extra: { strategy: state.task?.strategy ?? null, tools },
    },
    steps,
    ...(input.damaged === undefined
      ? {}
      : {
          notes: `The log was found damaged: ${input.damaged}. What follows the damage may not be what happened.`,
        }),
    final_metrics: totalsOf(steps),
    extra: { kernelwright: await rootFacts(input, state, collector) },
  };
  // One pass over the whole document: no text leaves without redaction and placeholders.
  return `${JSON.stringify(toStorable(document, input.clean).data, undefined, 2)}\n`;
}

/** Sums over the steps; a total that no step has a part of is left out. */
function totalsOf(steps: readonly AtifStep[]): AtifTotals {
  const sum = (
    part: "prompt_tokens" | "completion_tokens" | "cached_tokens" | "cost_usd",
  ): number | undefined => {
    const known = steps.flatMap((step) => step.metrics?.[part] ?? []);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  const totals = {
    total_prompt_tokens: sum("prompt_tokens"),
    total_completion_tokens: sum("completion_tokens"),
    total_cached_tokens: sum("cached_tokens"),
    total_cost_usd: sum("cost_usd"),
  };
  const calls = steps.filter((step) => step.llm_call_count === 1);
  const unknownCost = calls.filter((step) => step.metrics?.cost_usd === undefined).length;
  return {
    ...Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== undefined)),
    total_steps: steps.length,
    extra: { model_calls: calls.length, model_calls_of_unknown_cost: unknownCost },
  };
}

async function rootFacts(
  input: ExportInput,
  state: SessionState,
  collector: StepCollector,
): Promise<JsonObject> {
  const best = state.candidates.find((candidate) => candidate.id === state.best);
  const { task } = state;
  const facts = {
    outcome: {
      status: state.status === "open" ? "unfinished" : state.status,
      reason: state.reason,
      correct: best?.verdict?.kind === "correct",
      hardware: hardwareLabel(task?.target),
    },
    best: best && best.id !== baselineId ? bestFacts(best) : null,
    ...proposalFacts(state),
    patch: (await patchOf(input, state)) ?? null,
    hunks: state.proposal?.hunks.map(({ id, file, decision }) => ({ id, file, decision })) ?? [],
    task: task
      ? {
          file: task.file,
          kernel: task.kernel,
          target: task.target,
          strategy: task.strategy,
          budget: task.budget,
        }
      : null,
    used: state.used,
    environment: state.environment,
    ...(input.annotations.length === 0 ? {} : { annotations: input.annotations }),
    source: {
      events: input.events.length,
      chain_head: input.head,
      damaged: input.damaged ?? null,
      passed_over: Object.fromEntries([...collector.passedOver].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
  return facts as unknown as JsonObject;
}

function bestFacts({ id, hypothesis, origin, stage, verdict }: CandidateRecord): object {
  return { candidate: id, hypothesis, origin, stage, verdict: verdict?.kind ?? null };
}

/** What was counted and modelled on both sides of the proposal; null without one. */
function proposalFacts({ proposal }: SessionState): object {
  if (proposal === undefined) return { counters: null, modelled_bound: null };
  const { candidate } = proposal;
  const { kind, before, after } = sidesOf(proposal);
  switch (kind) {
    case "scored":
      return { counters: null, modelled_bound: null, scores_of_command: { candidate, before, after } };
    case "counted":
      return {
        counters: { candidate, before: before.counters, after: after.counters },
        modelled_bound: { before: before.bound, after: after.bound },
      };
    case "mended": {
      const score = "score" in after ? { scores_of_command: { candidate, before: null, after } } : {};
      const counters = "score" in after ? null : { candidate, before: null, after: after.counters };
      const modelled_bound = "score" in after ? null : { before: null, after: after.bound };
      return { counters, modelled_bound, ...score, baseline_fault: before };
    }
  }
}

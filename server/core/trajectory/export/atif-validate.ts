import { isJsonObject, type Json, type JsonObject } from "../../base/json";
import { checkShape, type ShapeProblem } from "./atif-shape";
import schema from "./atif-schema.json";

/** Rules across fields, beyond the shape of each object. The identifier is what tests and reports name. */
export const atifRules = {
  json: "the file is JSON",
  "shape-type": "each field has its type",
  "shape-required": "no required field is missing",
  "shape-unknown-key": "there is no key that the format does not know; what is ours stands in `extra`",
  version: "the version is a published one",
  "steps-present": "there is at least one step",
  "step-ids": "steps are numbered 1, 2, 3, …",
  source: "a step comes from system, user or agent",
  timestamp: "a timestamp is ISO 8601",
  "timestamp-order": "timestamps do not go back",
  "agent-only": "fields of a reply stand on agent steps only",
  "call-unique": "a tool call's id is used once in the document",
  "result-link": "a result's source_call_id is a call of the same step",
  "observation-place": "observations stand on agent steps, or on system steps without source_call_id",
  "content-part":
    "a content part has text exactly when it is text, and a source of its own kind exactly when it is not",
  "media-path": "a media file is named by a relative path",
  "audio-version": "audio came with v1.8",
  "embedded-id": "an embedded trajectory has an id of its own",
  "subagent-reference": "a reference names a file, or an embedded trajectory that is there",
  "no-call": "a step that asked no model has neither metrics nor reasoning",
  "call-count": "the number of model calls is not negative",
  "cached-tokens": "cached tokens are part of the prompt tokens",
  "token-lists": "token ids and logprobs are as many as the tokens counted",
  counts: "counts and costs are not negative",
  totals: "totals are the sums over the steps, copied context left out",
  "context-management": "a change of the context has a known type and boundary",
} as const;

export type AtifRule = keyof typeof atifRules;

interface AtifProblem {
  readonly rule: AtifRule;
  readonly message: string;
}

type Report = (rule: AtifRule, message: string) => void;

/** Checks a document: shape first; the rules across fields only when the shape holds. Empty = valid. */
export function validateAtif(text: string): readonly AtifProblem[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (thrown) {
    return [{ rule: "json", message: thrown instanceof Error ? thrown.message : "not JSON" }];
  }
  const shape: readonly ShapeProblem[] = checkShape(document, "Trajectory");
  if (shape.length > 0 || !isJsonObject(document)) return shape;
  const problems: AtifProblem[] = [];
  checkTrajectory(document, (rule, message) =>
    problems.push({ rule, message: `${message}: ${atifRules[rule]}` }),
  );
  return problems;
}

function checkTrajectory(document: JsonObject, report: Report): void {
  if (!schema.versions.includes(String(document.schema_version)))
    report("version", String(document.schema_version));
  const steps = objects(document.steps);
  if (steps.length === 0) report("steps-present", "steps");
  const embedded = objects(document.subagent_trajectories);
  const ids = embedded.map((trajectory) => trajectory.trajectory_id);
  if (ids.some((id) => typeof id !== "string") || new Set(ids).size < ids.length)
    report("embedded-id", "subagent_trajectories");
  const calls = new Set<Json | undefined>();
  let newest = -Infinity;
  for (const [index, step] of steps.entries()) {
    const at = `steps[${index}]`;
    if (step.step_id !== index + 1) report("step-ids", at);
    newest = checkTime(step, { at, newest }, report);
    checkSource(step, at, report);
    checkCalls(step, { at, calls }, report);
    checkMetrics(step, at, report);
    checkContent(step, { at, version: String(document.schema_version), embedded: ids }, report);
    checkContext(step, at, report);
  }
  checkTotals(document, steps, report);
  for (const trajectory of embedded) checkTrajectory(trajectory, report);
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function present(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

function checkTime(
  step: JsonObject,
  context: { readonly at: string; readonly newest: number },
  report: Report,
): number {
  if (typeof step.timestamp !== "string") return context.newest;
  const time = Date.parse(step.timestamp);
  if (!timePattern.test(step.timestamp) || Number.isNaN(time)) {
    report("timestamp", `${context.at} ${step.timestamp}`);
    return context.newest;
  }
  if (time < context.newest) report("timestamp-order", `${context.at} ${step.timestamp}`);
  return Math.max(time, context.newest);
}

function checkSource(step: JsonObject, at: string, report: Report): void {
  if (!schema.sources.includes(String(step.source))) report("source", `${at} ${String(step.source)}`);
  if (step.source !== "agent")
    for (const field of schema.agentOnly) if (present(step[field])) report("agent-only", `${at}.${field}`);
  if (typeof step.llm_call_count === "number" && step.llm_call_count < 0) report("call-count", at);
  if (
    step.source === "agent" &&
    step.llm_call_count === 0 &&
    (present(step.metrics) || present(step.reasoning_content))
  )
    report("no-call", at);
}

function resultsOf(step: JsonObject): readonly JsonObject[] {
  return isJsonObject(step.observation) ? objects(step.observation.results) : [];
}

function checkCalls(
  step: JsonObject,
  context: { readonly at: string; readonly calls: Set<Json | undefined> },
  report: Report,
): void {
  const own = new Set<Json | undefined>();
  for (const call of objects(step.tool_calls)) {
    if (context.calls.has(call.tool_call_id))
      report("call-unique", `${context.at} ${String(call.tool_call_id)}`);
    context.calls.add(call.tool_call_id);
    own.add(call.tool_call_id);
  }
  for (const result of resultsOf(step)) {
    const source = result.source_call_id;
    if (step.source === "user" || (step.source === "system" && present(source)))
      report("observation-place", context.at);
    else if (present(source) && !own.has(source)) report("result-link", `${context.at} ${String(source)}`);
  }
}

function checkMetrics(step: JsonObject, at: string, report: Report): void {
  const { metrics } = step;
  if (!isJsonObject(metrics)) return;
  for (const key of ["prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"])
    if (Number(metrics[key] ?? 0) < 0) report("counts", `${at}.metrics.${key}`);
  if (
    present(metrics.cached_tokens) &&
    !(Number(metrics.cached_tokens) <= Number(metrics.prompt_tokens ?? NaN))
  )
    report("cached-tokens", at);
  const lists = [
    ["prompt_token_ids", "prompt_tokens"],
    ["completion_token_ids", "completion_tokens"],
    ["logprobs", "completion_tokens"],
  ] as const;
  for (const [list, count] of lists) {
    const values = metrics[list];
    if (Array.isArray(values) && present(metrics[count]) && values.length !== metrics[count])
      report("token-lists", `${at}.metrics.${list}`);
  }
}

function checkContent(
  step: JsonObject,
  context: {
    readonly at: string;
    readonly version: string;
    readonly embedded: readonly (Json | undefined)[];
  },
  report: Report,
): void {
  const results = resultsOf(step);
  for (const part of [step.message, ...results.map((result) => result.content)].flatMap(objects))
    checkPart(part, context, report);
  for (const reference of results.flatMap((result) => objects(result.subagent_trajectory_ref))) {
    const resolves =
      present(reference.trajectory_path) ||
      (present(reference.trajectory_id) && context.embedded.includes(reference.trajectory_id));
    if (!resolves) report("subagent-reference", context.at);
  }
}

function checkPart(
  part: JsonObject,
  context: { readonly at: string; readonly version: string },
  report: Report,
): void {
  const source = isJsonObject(part.source) ? part.source : undefined;
  const types: Readonly<Record<string, readonly string[]>> = {
    image: schema.imageTypes,
    audio: schema.audioTypes,
  };
  const known =
    part.type === "text"
      ? present(part.text) && !source
      : !present(part.text) && (types[String(part.type)] ?? []).includes(String(source?.media_type));
  if (!known) report("content-part", context.at);
  if (part.type === "audio" && context.version !== "ATIF-v1.8") report("audio-version", context.at);
  const path = String(source?.path ?? "");
  const isAddress = /^https?:\/\//.test(path);
  if (!isAddress && (/^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes("..")))
    report("media-path", `${context.at} ${path}`);
}

function checkContext(step: JsonObject, at: string, report: Report): void {
  const management = isJsonObject(step.extra) ? step.extra.context_management : undefined;
  if (management === undefined) return;
  const valid =
    isJsonObject(management) &&
    step.source === "system" &&
    ["compaction", "pruning", "injection"].includes(String(management.type)) &&
    ["replace", "append", "truncate"].includes(String(management.boundary));
  if (!valid) report("context-management", at);
}

function checkTotals(document: JsonObject, steps: readonly JsonObject[], report: Report): void {
  const totals = document.final_metrics;
  if (!isJsonObject(totals)) return;
  const own = steps
    .filter((step) => step.is_copied_context !== true)
    .map((step) => (isJsonObject(step.metrics) ? step.metrics : {}));
  for (const part of ["prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"]) {
    const total = totals[`total_${part}`];
    if (typeof total !== "number") continue;
    const sum = own.reduce((sofar, metrics) => sofar + Number(metrics[part] ?? 0), 0);
    // Money is added in another order elsewhere; a millionth of a dollar is no difference.
    if (Math.abs(sum - total) > (part === "cost_usd" ? 1e-6 : 0))
      report("totals", `final_metrics.total_${part} is ${total}, the sum is ${sum}`);
  }
  if (
    typeof totals.total_steps === "number" &&
    totals.total_steps !== steps.length &&
    !present(document.notes)
  )
    report("totals", "final_metrics.total_steps");
}

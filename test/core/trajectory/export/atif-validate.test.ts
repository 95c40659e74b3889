import { describe, expect, it } from "vitest";
import {
  atifRules,
  validateAtif,
  type AtifRule,
} from "../../../../server/core/trajectory/export/atif-validate";
import { exportSession } from "../../../../server/core/trajectory/export/registry";
import { exampleStream } from "../event-streams";
import { exportInput } from "./export-input";

/** A small valid document with every kind of field. */
const valid = {
  schema_version: "ATIF-v1.8",
  session_id: "s",
  agent: { name: "kernelwright", version: "1", tool_definitions: [{ type: "function" }] },
  steps: [
    {
      step_id: 1,
      source: "system",
      message: "Be brief.",
      timestamp: "2026-01-01T00:00:00.000Z",
      extra: { context_management: { type: "injection", boundary: "append" } },
    },
    {
      step_id: 2,
      source: "user",
      message: [
        { type: "text", text: "look" },
        { type: "image", source: { media_type: "image/png", path: "images/1.png" } },
      ],
      timestamp: "2026-01-01T00:00:01Z",
    },
    {
      step_id: 3,
      source: "agent",
      message: "",
      model_name: "m",
      reasoning_content: "…",
      timestamp: "2026-01-01T00:00:02+00:00",
      llm_call_count: 1,
      tool_calls: [
        { tool_call_id: "a", function_name: "f", arguments: {} },
        { tool_call_id: "b", function_name: "f", arguments: { x: 1 } },
      ],
      observation: {
        results: [
          { source_call_id: "a", content: "ok" },
          { source_call_id: "b", subagent_trajectory_ref: [{ trajectory_id: "child" }] },
        ],
      },
      metrics: {
        prompt_tokens: 10,
        cached_tokens: 4,
        completion_tokens: 2,
        completion_token_ids: [1, 2],
        logprobs: [-0.1, -0.2],
        cost_usd: 0.5,
      },
    },
    {
      step_id: 4,
      source: "agent",
      message: "copied",
      is_copied_context: true,
      metrics: { prompt_tokens: 100 },
    },
    {
      step_id: 5,
      source: "agent",
      message: "engine",
      llm_call_count: 0,
      observation: { results: [{ content: "done" }] },
    },
  ],
  subagent_trajectories: [
    {
      schema_version: "ATIF-v1.7",
      trajectory_id: "child",
      agent: { name: "c", version: "1" },
      steps: [{ step_id: 1, source: "user", message: "" }],
    },
  ],
  final_metrics: {
    total_prompt_tokens: 10,
    total_completion_tokens: 2,
    total_cached_tokens: 4,
    total_cost_usd: 0.5,
    total_steps: 5,
  },
  extra: {},
};

/** Sets one place of the valid document to a value; `undefined` takes it out. */
function broken(path: string, value: unknown): string {
  const document = structuredClone(valid) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const owner = keys.reduce<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    document,
  );
  owner[last] = value;
  return JSON.stringify(document);
}

/** Failing documents for each rule; each breaks that rule and no other. */
const fixtures: Readonly<Record<AtifRule, readonly string[]>> = {
  json: ["{", ""],
  "shape-type": [
    broken("steps.0.message", 7),
    broken("steps", {}),
    broken("steps.2.metrics.prompt_tokens", 1.5),
    "[]",
    broken("steps.1.message.0.text", []),
  ],
  "shape-required": [
    broken("agent.version", undefined),
    broken("steps.0.message", null),
    broken("steps.2.tool_calls.0.arguments", undefined),
  ],
  "shape-unknown-key": [
    broken("reward", 1),
    broken("steps.2.metrics.reasoning_tokens", 1),
    broken("steps.2.tool_calls.0.type", "function"),
  ],
  version: [broken("schema_version", "ATIF-v2.0")],
  "steps-present": [broken("subagent_trajectories.0.steps", [])],
  "step-ids": [broken("steps.1.step_id", 3), broken("steps.0.step_id", 0)],
  source: [broken("subagent_trajectories.0.steps.0.source", "tool")],
  timestamp: [broken("steps.1.timestamp", "yesterday"), broken("steps.1.timestamp", "2026-13-01T00:00:00Z")],
  "timestamp-order": [broken("steps.2.timestamp", "2025-01-01T00:00:00Z")],
  "agent-only": [
    broken("steps.1.metrics", {}),
    broken("steps.0.model_name", "m"),
    broken("steps.1.reasoning_effort", 1),
  ],
  "call-unique": [broken("steps.3.tool_calls", [{ tool_call_id: "a", function_name: "f", arguments: {} }])],
  "result-link": [
    broken("steps.2.observation.results.0.source_call_id", "c"),
    broken("steps.4.observation.results.0.source_call_id", "a"),
  ],
  "observation-place": [
    broken("steps.1.observation", { results: [{ content: "x" }] }),
    broken("steps.0.observation", { results: [{ source_call_id: "a" }] }),
  ],
  "content-part": [
    broken("steps.1.message.0.text", undefined),
    broken("steps.1.message.1.source", undefined),
    broken("steps.1.message.1.source.media_type", "audio/wav"),
  ],
  "media-path": [
    broken("steps.1.message.1.source.path", "/home/alice/1.png"),
    broken("steps.1.message.1.source.path", "../1.png"),
  ],
  "audio-version": [
    broken("subagent_trajectories.0.steps.0.message", [
      { type: "audio", source: { media_type: "audio/wav", path: "a.wav" } },
    ]),
  ],
  "embedded-id": [
    broken("subagent_trajectories", [valid.subagent_trajectories[0], valid.subagent_trajectories[0]]),
  ],
  "subagent-reference": [
    broken("steps.2.observation.results.1.subagent_trajectory_ref.0", { session_id: "s" }),
    broken("subagent_trajectories", []),
  ],
  "no-call": [broken("steps.4.metrics", {}), broken("steps.4.reasoning_content", "x")],
  "call-count": [broken("steps.2.llm_call_count", -1)],
  "cached-tokens": [broken("steps.3.metrics", { prompt_tokens: 1, cached_tokens: 2 })],
  "token-lists": [
    broken("steps.2.metrics.completion_token_ids", [1]),
    broken("steps.2.metrics.prompt_token_ids", [1]),
  ],
  counts: [broken("steps.3.metrics.completion_tokens", -1)],
  totals: [
    broken("final_metrics.total_prompt_tokens", 110),
    broken("final_metrics.total_steps", 4),
    broken("final_metrics.total_cost_usd", 0),
  ],
  "context-management": [
    broken("steps.0.extra.context_management.type", "forgetting"),
    broken("steps.4.extra", { context_management: {} }),
  ],
};

describe("the validator of ATIF documents", () => {
  it("passes a valid document, and what we export", async () => {
    expect(validateAtif(JSON.stringify(valid))).toEqual([]);
    expect(validateAtif((await exportSession(exportInput(exampleStream), "atif-1.8")).text)).toEqual([]);
  });

  it.each(Object.keys(atifRules) as AtifRule[])("%s refuses documents that break it and only it", (rule) => {
    expect(fixtures[rule].length).toBeGreaterThan(0);
    for (const fixture of fixtures[rule])
      expect(
        [...new Set(validateAtif(fixture).map((problem) => problem.rule))],
        fixture.slice(0, 200),
      ).toEqual([rule]);
  });

  it("lets totals differ from the number of steps when the notes say why", () => {
    expect(
      validateAtif(
        JSON.stringify({ ...valid, notes: "one step was cut", final_metrics: { total_steps: 6 } }),
      ),
    ).toEqual([]);
  });
});

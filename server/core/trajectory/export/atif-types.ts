import type { JsonObject } from "../../base/json";

/**
 * The Agent Trajectory Interchange Format (Harbor RFC 0001), as far as this product writes it. Unknown keys
 * are refused by readers.
 */
export type AtifVersion = "ATIF-v1.7" | "ATIF-v1.8";

export interface AtifToolCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: JsonObject;
  readonly extra?: JsonObject;
}

export interface AtifResult {
  readonly source_call_id?: string;
  readonly content: string;
  readonly extra?: JsonObject;
}

export interface AtifMetrics {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly cached_tokens?: number;
  readonly cost_usd?: number;
  readonly extra?: JsonObject;
}

export interface AtifStep {
  readonly step_id: number;
  readonly timestamp?: string;
  readonly source: "system" | "user" | "agent";
  readonly model_name?: string;
  readonly message: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly AtifToolCall[];
  readonly observation?: { readonly results: readonly AtifResult[] };
  readonly metrics?: AtifMetrics;
  readonly llm_call_count?: number;
  readonly extra?: JsonObject;
}

export interface AtifTotals {
  readonly total_prompt_tokens?: number;
  readonly total_completion_tokens?: number;
  readonly total_cached_tokens?: number;
  readonly total_cost_usd?: number;
  readonly total_steps: number;
  readonly extra?: JsonObject;
}

export interface AtifTrajectory {
  readonly schema_version: AtifVersion;
  readonly session_id: string;
  readonly trajectory_id: string;
  readonly agent: {
    readonly name: string;
    readonly version: string;
    readonly model_name?: string;
    readonly extra?: JsonObject;
  };
  readonly steps: readonly AtifStep[];
  readonly notes?: string;
  readonly final_metrics: AtifTotals;
  readonly extra: JsonObject;
}

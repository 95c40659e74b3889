import type { JsonObject } from "../base/json";
import type { Outcome } from "../base/outcome";

/** A message of the conversation, in our own words; an adapter converts to a vendor's form. */
export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly text: string };

export interface ModelToolCall {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote it; may not be valid JSON. */
  readonly rawArguments: string;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A tool of a server that the user named; the server checks what it is given. */
export interface OutsideTool extends ModelTool {
  /** Never rejects: what went wrong is the text of an answer that failed. */
  readonly call: (given: JsonObject) => Promise<{ readonly text: string; readonly failed: boolean }>;
}

/** Disjoint parts; null = the provider did not say. */
export interface TokenUsage {
  readonly inputUncached: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Includes reasoning. */
  readonly output: number | null;
  readonly reasoning: number | null;
}

export type ModelFailureKind =
  | "rate-limited"
  | "server-error"
  | "cut-stream"
  | "network"
  | "refused-credentials"
  | "bad-request"
  | "context-too-long"
  | "cancelled";

export type ModelReply =
  | {
      readonly kind: "reply";
      readonly text: string;
      readonly reasoning: string | null;
      readonly toolCalls: readonly ModelToolCall[];
      readonly finish: "stop" | "tool-calls" | "length" | "refusal" | "other";
      readonly usage: TokenUsage;
      /** US dollars; null = unknown price. */
      readonly costUsd: number | null;
      readonly model: string;
      readonly attempts: number;
    }
  /** After all retries. `costUsd` counts failed attempts that were billed. */
  | {
      readonly kind: "failed";
      readonly failure: ModelFailureKind;
      readonly message: string;
      readonly attempts: number;
      readonly costUsd: number | null;
    };

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxOutputTokens: number;
  /** Streaming text as it arrives; for display only. */
  readonly onText?: (delta: string) => void;
  /** Told before each wait of a retry. */
  readonly onRetry?: (attempt: number, waitMilliseconds: number, reason: string) => void;
}

/** What a model takes and gives at most, as far as is known. */
export interface ModelLimits {
  /** Tokens of one answer, hidden reasoning included. */
  readonly outputTokens: number;
  /** Tokens of a whole conversation with its answer. */
  readonly contextTokens: number;
  /** Questions that may wait for their answers at the same time; at least one. */
  readonly requestsAtOnce: number;
}

/**
 * Any model that can hold a conversation with tools. Never throws for what a provider does; only for a bug.
 */
export interface ModelProvider {
  readonly name: string;
  readonly model: string;
  readonly limits: ModelLimits;
  /**
   * An upper estimate of the price of a request in US dollars, from the price table; null when the model's
   * price is not known.
   */
  estimateUsd(request: ModelRequest): number | null;
  /** Tokens of a request without its answer, rather too many than too few. */
  estimateTokens(request: ModelRequest): number;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

/** Models that could be asked; looked for only when the user wants to know. */
export interface ModelFinder {
  /** Servers of models on this machine. */
  findLocal(signal: AbortSignal): Promise<readonly LocalModels[]>;
  /** What an endpoint says it serves, asked with its key. */
  served(endpoint: string, signal: AbortSignal): Promise<Outcome<readonly ServedModel[], NoList>>;
  /** Asks a model for one word. Throws OperationalError where it cannot be opened. */
  tryNamed(named: NamedModel, signal: AbortSignal): Promise<TriedModel>;
}

/** A model as the settings name it; what is empty has a default. */
export interface NamedModel {
  readonly model: string;
  readonly endpoint: string;
  readonly modelOptions: string;
  readonly modelPrice: string;
}

export interface LocalModels {
  /** Whose port it is by default. */
  readonly name: string;
  readonly endpoint: string;
  readonly models: readonly string[];
}

interface ServedModel {
  readonly model: string;
  /** List price in US dollars for a million tokens; null where it is not known. */
  readonly price: { readonly input: number; readonly output: number } | null;
}

/** Why an endpoint gave no list of models. */
export interface NoList {
  readonly kind: "unreachable" | "refused-credentials" | "no-list";
  /** Names the address that was asked; holds no key. */
  readonly message: string;
}

/** What came of asking a model for a word. */
export type TriedModel =
  | {
      readonly kind: "answered";
      readonly milliseconds: number;
      /** Tokens of the answer, hidden reasoning included; null when the endpoint does not say. */
      readonly outputTokens: number | null;
      /** US dollars; null when the price is not known. */
      readonly costUsd: number | null;
    }
  | { readonly kind: "failed"; readonly failure: ModelFailureKind; readonly message: string };

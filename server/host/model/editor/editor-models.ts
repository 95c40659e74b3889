import type { ModelMessage, ModelTool, ModelToolCall } from "../../../core/ports/model";

interface EditorQuestion {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

export type EditorAnswer =
  | { readonly kind: "answer"; readonly text: string; readonly toolCalls: readonly ModelToolCall[] }
  | {
      readonly kind: "failed";
      readonly cause: "no-model" | "no-consent" | "blocked" | "other";
      readonly message: string;
    };

/** The models of the editor that the user sits at, reached through its extension. */
export interface EditorModels {
  find(model: string): Promise<{
    readonly found: { readonly model: string; readonly inputTokens: number } | null;
    readonly offered: readonly string[];
  }>;
  /** Rejects when the connection to the editor ends. */
  ask(question: EditorQuestion, signal: AbortSignal): Promise<EditorAnswer>;
}

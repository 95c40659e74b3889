/**
 * A model of the editor itself (Copilot's and others): the client hands calls of the server through to it, so
 * that its user needs no key.
 */

/** `ID`, or `VENDOR/ID` where several vendors have the same. */
export interface FindEditorModel {
  readonly model: string;
}

export interface FoundEditorModel {
  readonly found: { readonly model: string; readonly inputTokens: number } | null;
  /** All that the editor has. */
  readonly offered: readonly string[];
}

export interface EditorModelCall {
  readonly callId: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly rawArguments: string;
}

export type EditorModelMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly EditorModelCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly text: string };

export interface EditorModelQuestion extends FindEditorModel {
  readonly messages: readonly EditorModelMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: object;
  }[];
}

export type EditorModelAnswer =
  | {
      readonly kind: "answer";
      readonly text: string;
      readonly toolCalls: readonly EditorModelCall[];
    }
  | {
      readonly kind: "failed";
      readonly cause: "no-model" | "no-consent" | "blocked" | "other";
      readonly message: string;
    };

/** What a model asks the user while it works on a kernel. */
export interface AskUserParams {
  readonly kernel: string;
  readonly question: string;
}

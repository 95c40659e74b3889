import type { JsonObject } from "../../base/json";
import type { StoredText, StoredUsage } from "./stored";
import type { Role } from "./role";

/**
 * What is said between engine, user and models. An event with a `role` belongs to the short conversation of
 * that role; one without to that of the model which writes the candidates.
 */
export interface TalkEvents {
  "message.system": {
    readonly message: string;
    readonly text: StoredText;
    readonly role?: Role;
  };
  /**
   * What the user told a run, when it arrived; `message.user` with `steer` follows where a model reads it.
   */
  "message.said": { readonly text: StoredText };
  "message.user": {
    readonly message: string;
    readonly text: StoredText;
    readonly steer?: boolean;
    readonly role?: Role;
  };
  "message.injected": {
    readonly message: string;
    readonly text: StoredText;
    readonly reason: string;
  };
  "llm.request": {
    readonly request: string;
    readonly provider: string;
    readonly model: string;
    readonly messages: readonly string[];
    readonly tools: readonly string[];
    readonly purpose: "act";
    readonly max_output_tokens: number;
    readonly role?: Role;
  };
  "llm.response": {
    readonly request: string;
    readonly message: string;
    readonly text: StoredText;
    readonly reasoning: StoredText | null;
    readonly tool_calls: readonly {
      readonly call: string;
      readonly name: string;
      readonly raw_arguments: StoredText;
      readonly arguments: JsonObject | null;
    }[];
    readonly finish: string;
    readonly usage: StoredUsage;
    readonly cost: { readonly usd: number | null; readonly source: string };
    readonly attempts: number;
    readonly total_ms: number;
    readonly role?: Role;
  };
  "llm.failed": {
    readonly request: string;
    readonly failure: string;
    readonly message: string;
    readonly attempts: number;
    readonly cost_usd: number | null;
    readonly role?: Role;
  };
  /** A role gave nothing to go by; after `left` the session goes on without it. */
  "role.failed": {
    readonly role: Role;
    readonly model: string;
    readonly reason: string;
    readonly left: boolean;
  };
}

import type { ModelReply } from "../../../server/core/ports/model";

interface ScriptedCall {
  readonly name: string;
  readonly given: object;
}

/** An answer that is calls and nothing else, and costs nothing. `number`: the how many-th answer it is. */
export function replyOf(model: string, number: number, calls: readonly ScriptedCall[]): ModelReply {
  return {
    kind: "reply",
    text: "",
    reasoning: null,
    toolCalls: calls.map(({ name, given }, index) => ({
      callId: `s${number}_${index}`,
      name,
      rawArguments: JSON.stringify(given),
    })),
    finish: "tool-calls",
    usage: { inputUncached: 0, cacheRead: 0, cacheWrite: null, output: 0, reasoning: null },
    costUsd: 0,
    model,
    attempts: 1,
  };
}

import type { ModelProvider, ModelReply, ModelRequest } from "../../server/core/ports/model";
import { type ScriptedFault, type ScriptedReply, isFault } from "./openai-script";

/**
 * The script of the HTTP server played in memory, for tests of what a strategy does with the answers. A fault
 * here is what is left after all retries.
 */
export class ScriptedModel implements ModelProvider {
  readonly name = "scripted";
  readonly model = "scripted-1";
  readonly limits = { outputTokens: 8192, contextTokens: 48_192, requestsAtOnce: 4 };
  readonly requests: ModelRequest[] = [];
  onComplete: (signal: AbortSignal) => void | Promise<void> = () => undefined;

  constructor(
    private readonly replies: readonly ScriptedReply[],
    private readonly usd: number | null = 0.01,
  ) {}

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number | null {
    return this.usd;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    this.requests.push({ ...request, messages: structuredClone(request.messages) });
    await this.onComplete(signal);
    const endless = this.replies.findIndex((reply) => reply.forEver === true);
    const reply =
      endless >= 0 && this.requests.length > endless
        ? this.replies[endless]
        : this.replies[this.requests.length - 1];
    if (!reply)
      return {
        kind: "failed",
        failure: "bad-request",
        message: "the script has ended",
        attempts: 1,
        costUsd: 0,
      };
    if (isFault(reply))
      return {
        kind: "failed",
        failure: reply.code === "context_length_exceeded" ? "context-too-long" : "server-error",
        message: reply.message ?? "fault",
        attempts: 5,
        costUsd: this.usd,
      };
    const toolCalls = (reply.calls ?? []).map((call, index) => ({
      callId: `x${index}`,
      name: call.name,
      rawArguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    }));
    return {
      kind: "reply",
      text: reply.refusal ?? reply.text ?? "",
      reasoning: null,
      toolCalls,
      finish: finishOf(reply),
      costUsd: this.usd,
      model: this.model,
      attempts: 1,
      usage: { inputUncached: 100, cacheRead: 0, cacheWrite: null, output: 10, reasoning: null },
    };
  }
}

/** Why the model stopped: what the script says, else what follows from the answer. */
function finishOf(
  reply: Exclude<ScriptedReply, ScriptedFault>,
): Extract<ModelReply, { kind: "reply" }>["finish"] {
  if (reply.refusal !== undefined) return "refusal";
  if (reply.finish === "length") return "length";
  return (reply.calls ?? []).length > 0 ? "tool-calls" : "stop";
}

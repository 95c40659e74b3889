import type { ModelProvider, TriedModel } from "../../../core/ports/model";

/** Enough for models that think before they say one word. */
const outputTokens = 2048;

/** Asks for one word: whether address, key, name and protocol work is known before a session needs them. */
export async function tryModel(provider: ModelProvider, signal: AbortSignal): Promise<TriedModel> {
  const started = performance.now();
  const reply = await provider.complete(
    {
      messages: [{ role: "user", text: "This is a test of the connection. Answer with the one word: ready" }],
      tools: [],
      maxOutputTokens: Math.min(outputTokens, provider.limits.outputTokens),
    },
    signal,
  );
  if (reply.kind === "failed") return { kind: "failed", failure: reply.failure, message: reply.message };
  return {
    kind: "answered",
    milliseconds: performance.now() - started,
    outputTokens: reply.usage.output,
    costUsd: reply.costUsd,
  };
}

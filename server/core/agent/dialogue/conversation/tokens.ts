import type { ModelReply } from "../../../ports/model";

/** Characters in one token, low on purpose: rather too many tokens than too few. */
const charactersPerToken = 3;

/**
 * Tokens that a model read and wrote for an answer, hidden reasoning included. What its endpoint does not say
 * is estimated: `read` for the question, the answer by its length.
 */
export function tokensOfReply(
  { usage, text, reasoning, toolCalls }: Extract<ModelReply, { kind: "reply" }>,
  read: number,
): number {
  const { inputUncached, cacheRead, cacheWrite, output } = usage;
  const input = inputUncached === null ? read : inputUncached + (cacheRead ?? 0) + (cacheWrite ?? 0);
  if (output !== null) return input + output;
  const words = [text, reasoning ?? "", ...toolCalls.map((call) => call.name + call.rawArguments)].join("");
  return input + Math.ceil(words.length / charactersPerToken);
}

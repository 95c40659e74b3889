import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import * as z from "zod/mini";
import { readJson } from "../../../core/base/shape";
import type { ModelMessage } from "../../../core/ports/model";
import { type KeptFields, returnedFields } from "./kept-reasoning";
import type { BodyOptions } from "./protocol";

/** What goes back with the answers of a server. */
type Returned = Pick<BodyOptions, "keptOf" | "wanted" | "rejected">;

/**
 * Our words into the protocol's. Arguments that are no JSON would make some servers refuse the whole
 * conversation.
 */
export function chatMessage(message: ModelMessage, options: Returned): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant":
      return answerMessage(message, options);
  }
}

/** An answer of the model, with what it thought where the server had sent that, or asks for it. */
function answerMessage(
  message: Extract<ModelMessage, { role: "assistant" }>,
  { keptOf, wanted, rejected }: Returned,
): ChatCompletionMessageParam {
  const [kept] = keptOf(message) as readonly KeptFields[];
  const { calls, ...carried } = returnedFields(kept, wanted);
  const fields = Object.entries(carried).filter(([name]) => !(rejected as ReadonlySet<string>).has(name));
  const tool_calls = message.toolCalls.map((call, index) => ({
    id: call.callId,
    type: "function" as const,
    function: { name: call.name, arguments: isJson(call.rawArguments) ? call.rawArguments : "{}" },
    ...(calls[index] === undefined || rejected.has("extra_content") ? {} : { extra_content: calls[index] }),
  }));
  return {
    ...{ role: "assistant", content: message.text },
    ...Object.fromEntries(fields),
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  };
}

/**
 * The same with a mark up to where the server may keep the conversation: at the system's words, the first of
 * the user, and the newest. Servers that cache by themselves need none.
 */
export function markedMessages(
  messages: readonly ModelMessage[],
  options: Returned,
): readonly ChatCompletionMessageParam[] {
  const marked = new Set([
    messages.findIndex(({ role }) => role === "system"),
    messages.findIndex(({ role }) => role === "user"),
    messages.findLastIndex(({ role }) => role === "user" || role === "tool"),
  ]);
  return messages.map((message, index) => {
    const wire = chatMessage(message, options);
    if (!marked.has(index) || message.role === "assistant" || message.text === "") return wire;
    const part = { type: "text" as const, text: message.text, cache_control: { type: "ephemeral" } };
    return { ...wire, content: [part] } as ChatCompletionMessageParam;
  });
}

export function isJson(text: string): boolean {
  return readJson(z.unknown(), text) !== undefined;
}

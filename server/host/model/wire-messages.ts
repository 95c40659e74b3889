import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import * as z from "zod/mini";
import { readJson } from "../../core/base/shape";
import type { ModelMessage } from "../../core/ports/model";

/**
 * Our words into the protocol's. Arguments that are no JSON would make some servers refuse the whole
 * conversation.
 */
export function wireMessage(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant": {
      const tool_calls = message.toolCalls.map((call) => ({
        id: call.callId,
        type: "function" as const,
        function: { name: call.name, arguments: isJson(call.rawArguments) ? call.rawArguments : "{}" },
      }));
      return { role: "assistant", content: message.text, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    }
  }
}

function isJson(text: string): boolean {
  return readJson(z.unknown(), text) !== undefined;
}

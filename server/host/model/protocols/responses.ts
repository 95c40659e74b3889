import type { ModelMessage, ModelRequest } from "../../../core/ports/model";
import { isJson } from "./chat-messages";
import type { BodyOptions, Protocol } from "./protocol";
import { ResponseReader } from "./response-reader";

/** The Responses API: what OpenAI's newer models reason best with. Nothing is stored at the server. */
export const responses: Protocol = {
  name: "openai-responses",
  path: "/responses",
  body,
  reader: (onText) => new ResponseReader(onText),
};

function body(request: ModelRequest, options: BodyOptions): object {
  const { model, settings, rejected, cacheKey } = options;
  const { effort, temperature } = settings;
  const takes = (field: Parameters<typeof rejected.has>[0]): boolean => !rejected.has(field);
  return {
    model,
    store: false,
    input: request.messages.flatMap((message) => itemsOf(message, options)),
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            ...{ type: "function", name, description, parameters },
            // Strict schemas need every parameter; ours may be left out.
            strict: false,
          })),
        }
      : {}),
    ...(takes("max_output_tokens") ? { max_output_tokens: request.maxOutputTokens } : {}),
    ...(effort !== undefined && takes("reasoning") ? { reasoning: { effort } } : {}),
    ...(temperature !== undefined && takes("temperature") ? { temperature } : {}),
    ...(takes("reasoning.encrypted_content") ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(cacheKey !== undefined && takes("prompt_cache_key") ? { prompt_cache_key: cacheKey } : {}),
  };
}

/** A message as items; what was thought before a call goes back with it, in the server's own form. */
function itemsOf(message: ModelMessage, { keptOf }: BodyOptions): readonly object[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ role: message.role, content: message.text }];
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: message.text }];
    case "assistant":
      return [
        ...keptOf(message),
        ...(message.text === "" ? [] : [{ role: "assistant", content: message.text }]),
        ...message.toolCalls.map(({ callId, name, rawArguments }) => ({
          ...{ type: "function_call", call_id: callId, name },
          arguments: isJson(rawArguments) ? rawArguments : "{}",
        })),
      ];
  }
}

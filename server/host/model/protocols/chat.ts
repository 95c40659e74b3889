import type { ChatCompletionCreateParamsBase } from "openai/resources/chat/completions";
import type { ModelRequest } from "../../../core/ports/model";
import { chatMessage, markedMessages } from "./chat-messages";
import { CompletionReader } from "./completion-reader";
import { wantedBy } from "./kept-reasoning";
import type { BodyOptions, Protocol } from "./protocol";

/** Chat Completions: what most vendors, gateways and local servers speak. */
export const chat: Protocol = {
  name: "openai-compatible",
  path: "/chat/completions",
  body,
  wantedBy: (kept) => kept.flatMap(wantedBy),
  reader: (onText) => new CompletionReader(onText),
};

function body(request: ModelRequest, options: BodyOptions): ChatCompletionCreateParamsBase {
  const { model, settings, rejected, cacheKey } = options;
  const limit = limitField(options);
  const isMarked = settings.caching === "marks" && !rejected.has("cache_control");
  const messages = isMarked
    ? markedMessages(request.messages, options)
    : request.messages.map((message) => chatMessage(message, options));
  return {
    model,
    messages: [...messages],
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map((tool) => ({
            type: "function" as const,
            function: {
              name: tool.name,
              description: tool.description,
              parameters: { ...tool.parameters },
            },
          })),
        }
      : {}),
    ...(limit ? { [limit]: request.maxOutputTokens } : {}),
    ...manner(options),
    ...(rejected.has("stream_options") ? {} : { stream_options: { include_usage: true } }),
    ...(cacheKey === undefined || rejected.has("prompt_cache_key") ? {} : { prompt_cache_key: cacheKey }),
  };
}

/** How the model shall answer, where the user said so and the server knows it. */
function manner({ settings, rejected }: BodyOptions): Record<string, string | number> {
  const { effort, temperature } = settings;
  return {
    ...(effort === undefined || rejected.has("reasoning_effort") ? {} : { reasoning_effort: effort }),
    ...(temperature === undefined || rejected.has("temperature") ? {} : { temperature }),
  };
}

/** The newer name first; older servers know only the other one. */
function limitField({ rejected }: BodyOptions): "max_completion_tokens" | "max_tokens" | undefined {
  if (!rejected.has("max_completion_tokens")) return "max_completion_tokens";
  return rejected.has("max_tokens") ? undefined : "max_tokens";
}

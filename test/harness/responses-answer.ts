import type { ChatMessage } from "./openai-server";
import { type ScriptedAnswer, argumentsOf, usualUsage } from "./openai-script";

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

/** The calls and answers of an input as messages, for the rule that every call has its answer. */
export function conversationOf(input: unknown): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of input as readonly Item[]) {
    const { type, call_id: id = "", name = "", role = "" } = item;
    const before = messages.at(-1);
    if (type === "reasoning") continue;
    if (type === "function_call_output") messages.push({ role: "tool", tool_call_id: id });
    else if (type !== "function_call") messages.push({ role });
    else {
      // Calls that follow one another are of one answer.
      const call = { id, function: { name, arguments: item.arguments ?? "" } };
      if (before?.tool_calls)
        messages[messages.length - 1] = { role: "call", tool_calls: [...before.tool_calls, call] };
      else messages.push({ role: "call", tool_calls: [call] });
    }
  }
  return messages;
}

/** An answer of the Responses API in one piece. */
export function wholeResponse(reply: ScriptedAnswer, model: string): object {
  const isCut = reply.finish === "length";
  return {
    ...{ id: "resp_1", object: "response", created_at: 0, model, error: null },
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: itemsOf(reply),
    ...(reply.usage === null ? {} : { usage: usageOf(reply) }),
  };
}

/** The same as the events of a stream. */
export function responseEvents(reply: ScriptedAnswer, model: string): readonly object[] {
  const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,24}/g) ?? [];
  const response = wholeResponse(reply, model) as { readonly status: string };
  return [
    { type: "response.created", response: { status: "in_progress", model } },
    ...itemsOf(reply).flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } },
      ...pieces(
        item.type === "message" ? `${reply.text ?? ""}${reply.refusal ?? ""}` : (item.arguments ?? ""),
      ).map((delta) => ({
        type:
          item.type === "message" ? "response.output_text.delta" : "response.function_call_arguments.delta",
        output_index,
        delta,
      })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: `response.${response.status}`, response },
  ];
}

function itemsOf(reply: ScriptedAnswer): readonly (Item & Record<string, unknown>)[] {
  const { text, refusal, thought } = reply;
  const content = [
    ...(text === undefined ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ];
  return [
    ...(thought === undefined
      ? []
      : [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: thought }]),
    ...(content.length === 0 ? [] : [{ type: "message", role: "assistant", status: "completed", content }]),
    ...(reply.calls ?? []).map((call, index) => ({
      ...{ type: "function_call", call_id: `scripted_${index}`, name: call.name, status: "completed" },
      arguments: argumentsOf(call.arguments),
    })),
  ];
}

function usageOf(reply: ScriptedAnswer): object {
  const { prompt_tokens, completion_tokens, cached_tokens } = reply.usage ?? usualUsage;
  return {
    input_tokens: prompt_tokens,
    output_tokens: completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cached_tokens === undefined ? {} : { input_tokens_details: { cached_tokens } }),
  };
}

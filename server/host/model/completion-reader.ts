import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ModelReply, ModelToolCall, TokenUsage } from "../../core/ports/model";
import { CutStream } from "./failure";

type Finish = Extract<ModelReply, { kind: "reply" }>["finish"];

/** What one attempt delivered, whole or in part. */
export interface Delivered {
  readonly text: string;
  readonly reasoning: string | null;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: Finish;
  readonly usage: TokenUsage | undefined;
  readonly model: string | undefined;
}

export const noUsage: TokenUsage = {
  inputUncached: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  reasoning: null,
};

interface OpenCall {
  id: string;
  name: string;
  rawArguments: string;
}

/** Reasoning text has no place in the protocol; servers that give it use one of these. */
interface ReasoningParts {
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/** Puts the chunks of one answer together. */
export class CompletionReader {
  /** Characters received so far: what a stream that is cut off was billed for. */
  characters = 0;
  usage: TokenUsage | undefined;
  private text = "";
  private reasoning = "";
  private refusal = "";
  private reason: string | null = null;
  private model: string | undefined;
  private readonly calls = new Map<number, OpenCall>();

  constructor(private readonly onText: ((delta: string) => void) | undefined) {}

  take(chunk: ChatCompletionChunk): void {
    this.model = chunk.model || this.model;
    if (chunk.usage) this.usage = usageOf(chunk.usage);
    const [choice] = chunk.choices ?? [];
    if (!choice) return;
    const delta = (choice.delta ?? {}) as ChatCompletionChunk.Choice.Delta & ReasoningParts;
    this.addText(delta.content ?? "");
    this.refusal += delta.refusal ?? "";
    this.addReasoning(delta);
    for (const [position, call] of (delta.tool_calls ?? []).entries()) {
      this.addCall(call.index ?? position, {
        id: call.id ?? "",
        name: call.function?.name ?? "",
        rawArguments: call.function?.arguments ?? "",
      });
    }
    this.reason = choice.finish_reason ?? this.reason;
  }

  /** The same from an answer that came in one piece. */
  takeWhole(completion: ChatCompletion): void {
    this.model = completion.model || this.model;
    if (completion.usage) this.usage = usageOf(completion.usage);
    const [choice] = completion.choices ?? [];
    if (!choice) throw new CutStream("the answer held no choice");
    this.addText(choice.message.content ?? "");
    this.refusal += choice.message.refusal ?? "";
    this.addReasoning(choice.message as ReasoningParts);
    for (const [position, call] of (choice.message.tool_calls ?? []).entries()) {
      if (call.type === "function")
        this.addCall(position, {
          id: call.id,
          name: call.function.name,
          rawArguments: call.function.arguments,
        });
    }
    this.reason = choice.finish_reason ?? "stop";
  }

  /** The whole answer. Throws CutStream when the model never said that it was done. */
  end(): Delivered {
    if (this.reason === null)
      throw new CutStream(
        this.characters === 0
          ? "the stream ended before anything was delivered"
          : "the stream ended in the middle of the answer",
      );
    const toolCalls = [...this.calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, call]): ModelToolCall => ({
        callId: call.id,
        name: call.name,
        rawArguments: call.rawArguments,
      }));
    const reasoning = this.reasoning === "" ? null : this.reasoning;
    return {
      text: this.text === "" ? this.refusal : this.text,
      reasoning,
      toolCalls,
      finish: this.finishOf(toolCalls.length > 0),
      usage: this.usage,
      model: this.model,
    };
  }

  private finishOf(hasCalls: boolean): Finish {
    if (this.refusal !== "" || this.reason === "content_filter") return "refusal";
    if (this.reason === "length") return "length";
    if (hasCalls) return "tool-calls";
    return this.reason === "stop" ? "stop" : "other";
  }

  private addText(text: string): void {
    if (text === "") return;
    this.text += text;
    this.characters += text.length;
    this.onText?.(text);
  }

  private addReasoning(parts: ReasoningParts): void {
    const piece = typeof parts.reasoning_content === "string" ? parts.reasoning_content : parts.reasoning;
    if (typeof piece !== "string") return;
    this.reasoning += piece;
    this.characters += piece.length;
  }

  private addCall(index: number, piece: OpenCall): void {
    const open = this.calls.get(index) ?? { id: "", name: "", rawArguments: "" };
    // Some servers repeat the id and the name in every piece; only the arguments are to be joined.
    this.calls.set(index, {
      id: open.id || piece.id,
      name: open.name || piece.name,
      rawArguments: open.rawArguments + piece.rawArguments,
    });
    this.characters += piece.rawArguments.length;
  }
}

/** `prompt_tokens` counts what was read from the cache too; our parts are disjoint. */
function usageOf(usage: NonNullable<ChatCompletionChunk["usage"]>): TokenUsage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? null;
  return {
    inputUncached: Math.max(0, usage.prompt_tokens - (cacheRead ?? 0)),
    cacheRead,
    cacheWrite: null,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

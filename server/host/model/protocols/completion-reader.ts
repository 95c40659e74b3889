import { APIError } from "openai";
import * as z from "zod/mini";
import { readShape } from "../../../core/base/shape";
import type { ModelToolCall, TokenUsage } from "../../../core/ports/model";
import { CutStream } from "../failure";
import { faultIn } from "./fault-body";
import { KeptReasoning } from "./kept-reasoning";
import type { AnswerReader, Delivered } from "./protocol";
import { uncachedOf } from "./usage";

type Finish = Delivered["finish"];

interface OpenCall {
  id: string;
  name: string;
  rawArguments: string;
}

const text = z.optional(z.nullable(z.string()));
const count = z.optional(z.nullable(z.number()));

/** A message, or a piece of one. Servers differ in what they leave out and where they put reasoning. */
const part = z.looseObject({
  content: text,
  refusal: text,
  reasoning_content: z.optional(z.unknown()),
  reasoning: z.optional(z.unknown()),
  tool_calls: z.optional(
    z.nullable(
      z.array(
        z.looseObject({
          index: count,
          id: text,
          type: text,
          function: z.optional(z.nullable(z.looseObject({ name: text, arguments: text }))),
        }),
      ),
    ),
  ),
});

const reportedUsage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.optional(
    z.nullable(z.looseObject({ cached_tokens: count, cache_write_tokens: count })),
  ),
  completion_tokens_details: z.optional(z.nullable(z.looseObject({ reasoning_tokens: count }))),
});

/** What we read of an answer of the chat completions API: a whole one has `message`, a piece has `delta`. */
const answerShape = z.looseObject({
  model: text,
  usage: z.optional(z.nullable(reportedUsage)),
  choices: z.optional(
    z.nullable(
      z.array(
        z.looseObject({
          message: z.optional(z.nullable(part)),
          delta: z.optional(z.nullable(part)),
          finish_reason: text,
        }),
      ),
    ),
  ),
});

type Part = z.output<typeof part>;
type Choice = NonNullable<z.output<typeof answerShape>["choices"]>[number];

/** Puts the chunks of one answer together. */
export class CompletionReader implements AnswerReader {
  /** Characters received so far: what a stream that is cut off was billed for. */
  characters = 0;
  usage: TokenUsage | undefined;
  private text = "";
  private reasoning = "";
  private refusal = "";
  private reason: string | null = null;
  private model: string | undefined;
  private readonly calls = new Map<number, OpenCall>();
  private readonly kept = new KeptReasoning();

  constructor(private readonly onText: ((delta: string) => void) | undefined) {}

  /** Takes a piece of a stream. Throws CutStream for what is no piece of an answer, APIError for a fault. */
  take(chunk: unknown): void {
    const choice = this.open(chunk);
    if (choice === undefined) return;
    this.addPart(choice.delta ?? {});
    this.reason = choice.finish_reason ?? this.reason;
  }

  /** The same from an answer that came in one piece; throws APIError for one that says what went wrong. */
  takeWhole(completion: unknown): void {
    const choice = this.open(completion);
    if (choice?.message === undefined || choice.message === null)
      throw new CutStream("the answer held no choice");
    this.addPart(choice.message);
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
    const ordered = [...this.calls.entries()].sort(([a], [b]) => a - b);
    const toolCalls = ordered.map(([, call]): ModelToolCall => ({
      callId: call.id,
      name: call.name,
      rawArguments: call.rawArguments,
    }));
    const kept = this.kept.end(ordered.map(([index]) => index));
    const reasoning = this.reasoning === "" ? null : this.reasoning;
    return {
      text: this.text === "" ? this.refusal : this.text,
      reasoning,
      toolCalls,
      finish: this.finishOf(toolCalls.length > 0),
      usage: this.usage,
      model: this.model,
      ...(kept === undefined ? {} : { kept: [kept] }),
    };
  }

  /** The first choice, once model and usage are noted. */
  private open(answer: unknown): Choice | undefined {
    const fault = faultIn(answer);
    if (fault) throw new APIError(undefined, fault, undefined, undefined);
    const read = readShape(answerShape, answer);
    if (!read.ok) throw new CutStream(`the answer is no chat completion: ${read.problem}`);
    const { model, usage, choices } = read.value;
    this.model = model || this.model;
    if (usage) this.usage = usageOf(usage);
    return choices?.[0];
  }

  private addPart(piece: Part): void {
    this.addText(piece.content ?? "");
    this.refusal += piece.refusal ?? "";
    this.addReasoning(piece);
    this.kept.add(piece);
    for (const [position, call] of (piece.tool_calls ?? []).entries()) {
      if (call.type !== undefined && call.type !== null && call.type !== "function") continue;
      this.kept.addCall(call.index ?? position, call);
      this.addCall(call.index ?? position, {
        id: call.id ?? "",
        name: call.function?.name ?? "",
        rawArguments: call.function?.arguments ?? "",
      });
    }
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

  private addReasoning(parts: Part): void {
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

/** `prompt_tokens` counts what was read from the cache and written to it too; our parts are disjoint. */
function usageOf(usage: z.output<typeof reportedUsage>): TokenUsage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? null;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? null;
  return {
    inputUncached: uncachedOf(usage.prompt_tokens, cacheRead, cacheWrite),
    cacheRead,
    cacheWrite,
    output: usage.completion_tokens ?? null,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

import { APIError } from "openai";
import * as z from "zod/mini";
import { readShape } from "../../../core/base/shape";
import type { TokenUsage } from "../../../core/ports/model";
import { CutStream } from "../failure";
import { faultIn } from "./fault-body";
import type { AnswerReader, Delivered } from "./protocol";
import { uncachedOf } from "./usage";

const text = z.optional(z.nullable(z.string()));
const count = z.optional(z.nullable(z.number()));
const parts = z.optional(z.nullable(z.array(z.looseObject({ type: text, text, refusal: text }))));

/** One thing of an answer: a message, what was thought, a call. */
const itemShape = z.looseObject({
  type: text,
  content: parts,
  summary: parts,
  encrypted_content: text,
  call_id: text,
  name: text,
  arguments: text,
});

const responseShape = z.looseObject({
  status: text,
  model: text,
  output: z.optional(z.nullable(z.array(itemShape))),
  incomplete_details: z.optional(z.nullable(z.looseObject({ reason: text }))),
  error: z.optional(z.nullable(z.looseObject({ code: text, message: text }))),
  usage: z.optional(
    z.nullable(
      z.looseObject({
        input_tokens: count,
        output_tokens: count,
        input_tokens_details: z.optional(z.nullable(z.looseObject({ cached_tokens: count }))),
        output_tokens_details: z.optional(z.nullable(z.looseObject({ reasoning_tokens: count }))),
      }),
    ),
  ),
});

const eventShape = z.looseObject({
  type: z.string(),
  delta: text,
  output_index: count,
  item: z.optional(itemShape),
  response: z.optional(responseShape),
  code: text,
  message: text,
});

type Item = z.output<typeof itemShape>;
type Response = z.output<typeof responseShape>;

/** Puts the events of one answer of the Responses API together. */
export class ResponseReader implements AnswerReader {
  characters = 0;
  usage: TokenUsage | undefined;
  private readonly items = new Map<number, Item>();
  private last: Response | undefined;

  constructor(private readonly onText: ((delta: string) => void) | undefined) {}

  take(piece: unknown): void {
    const read = readShape(eventShape, piece);
    if (!read.ok) throw new CutStream(`the answer is no event of a response: ${read.problem}`);
    const { type, delta, item, response, output_index } = read.value;
    if (type === "error") throw faultOf(read.value);
    this.characters += delta?.length ?? 0;
    if (type === "response.output_text.delta" && delta) this.onText?.(delta);
    if (type === "response.output_item.done" && item) this.items.set(output_index ?? this.items.size, item);
    if (response && /^response\.(completed|incomplete|failed)$/.test(type)) this.finish(response);
  }

  takeWhole(answer: unknown): void {
    const fault = faultIn(answer);
    if (fault) throw faultOf(fault);
    const read = readShape(responseShape, answer);
    if (!read.ok || !read.value.output) throw new CutStream("the answer held no output");
    this.finish({ status: "completed", ...read.value });
  }

  end(): Delivered {
    const { last } = this;
    if (last === undefined)
      throw new CutStream(
        this.characters === 0
          ? "the stream ended before anything was delivered"
          : "the stream ended in the middle of the answer",
      );
    const streamed = [...this.items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);
    return delivered(last, last.output?.length ? last.output : streamed, this.usage);
  }

  private finish(response: Response): void {
    const { usage } = response;
    if (usage) this.usage = usageOf(usage);
    if (response.status === "failed" || response.error) throw faultOf(response.error ?? {});
    this.last = response;
  }
}

function delivered(last: Response, items: readonly Item[], usage: TokenUsage | undefined): Delivered {
  const said = items.filter(({ type }) => type === "message").flatMap(({ content }) => content ?? []);
  const thought = items
    .filter(({ type }) => type === "reasoning")
    .flatMap(({ summary, content }) => [...(summary ?? []), ...(content ?? [])])
    .map((part) => part.text ?? "")
    .join("\n");
  const refusal = said.map((part) => part.refusal ?? "").join("");
  const words = said.map((part) => part.text ?? "").join("");
  const toolCalls = items
    .filter(({ type }) => type === "function_call")
    .map((item) => ({
      callId: item.call_id ?? "",
      name: item.name ?? "",
      rawArguments: item.arguments ?? "",
    }));
  return {
    text: words === "" ? refusal : words,
    reasoning: thought === "" ? null : thought,
    toolCalls,
    finish: finishOf(last, { isRefusal: refusal !== "", hasCalls: toolCalls.length > 0 }),
    usage,
    model: last.model ?? undefined,
    kept: items.filter(({ type, encrypted_content }) => type === "reasoning" && encrypted_content),
  };
}

function finishOf(
  { status, incomplete_details }: Response,
  { isRefusal, hasCalls }: { readonly isRefusal: boolean; readonly hasCalls: boolean },
): Delivered["finish"] {
  const cause = incomplete_details?.reason;
  if (isRefusal || cause === "content_filter") return "refusal";
  if (cause === "max_output_tokens") return "length";
  if (hasCalls) return "tool-calls";
  return status === "completed" ? "stop" : "other";
}

function faultOf(error: object): APIError {
  return new APIError(undefined, error, undefined, undefined);
}

function usageOf(usage: NonNullable<Response["usage"]>): TokenUsage {
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? null;
  return {
    inputUncached: uncachedOf(usage.input_tokens, cacheRead, null),
    cacheRead,
    cacheWrite: null,
    output: usage.output_tokens ?? null,
    reasoning: usage.output_tokens_details?.reasoning_tokens ?? null,
  };
}

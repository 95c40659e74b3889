import { type JsonObject, isJsonObject } from "../../base/json";
import type { Clock } from "../../ports/clock";
import type {
  ModelProvider,
  ModelReply,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  TokenUsage,
} from "../../ports/model";
import type { StoredUsage } from "../../trajectory/events";
import type { Role } from "../../trajectory/talk/role";
import { cancelledError, untilAborted } from "../abort";
import type { Allowance, Budget } from "../budget";
import type { Conversation, Numbers } from "./conversation/conversation";
import type { Recorder } from "../recorder";
import { parseJson } from "../tools/arguments";

type Reply = Extract<ModelReply, { kind: "reply" }>;

/** An answer of fewer tokens than this holds no rewrite. */
const leastOutputTokens = 4096;

export type TurnOutcome =
  | { readonly kind: "reply"; readonly reply: Reply; readonly calls: readonly ModelToolCall[] }
  | {
      readonly kind: "failed";
      readonly failure: Extract<ModelReply, { kind: "failed" }>["failure"];
      readonly message: string;
    }
  | { readonly kind: "limit"; readonly limit: "usd" | "minutes"; readonly reason: string }
  | { readonly kind: "unpriced" };

interface ModelTurnOptions {
  readonly provider: ModelProvider;
  readonly clock: Clock;
  readonly tools: readonly ModelTool[];
  readonly maxOutputTokens: number;
  /** Whose questions these are; left out for the model that writes the candidates. */
  readonly role?: Role;
}

interface TurnContext {
  readonly conversation: Conversation;
  readonly recorder: Recorder;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/**
 * One question to the model: the budget is asked first, the request is on disk before it is sent, the reply
 * before it is acted upon.
 */
export class ModelTurn {
  constructor(
    private readonly options: ModelTurnOptions,
    private readonly numbers: Numbers,
  ) {}

  async ask(context: TurnContext): Promise<TurnOutcome> {
    const { provider, tools, clock } = this.options;
    const { conversation, recorder, budget, signal } = context;
    const { request, allowance } = this.affordable(context);
    if (allowance.kind === "limit")
      return {
        kind: "limit",
        limit: allowance.limit === "usd" ? "usd" : "minutes",
        reason: allowance.reason,
      };
    if (allowance.kind === "unpriced") return allowance;
    if (signal.aborted) throw cancelledError();
    this.numbers.requests += 1;
    const id = `r${this.numbers.requests}`;
    recorder.beginStep(this.numbers.requests);
    await recorder.append("llm.request", "agent", {
      request: id,
      provider: provider.name,
      model: provider.model,
      messages: conversation.ids,
      tools: tools.map((tool) => tool.name),
      purpose: "act",
      max_output_tokens: request.maxOutputTokens,
      ...this.role,
    });
    const began = clock.monotonicMicroseconds();
    const reply = await untilAborted(signal, () => provider.complete(request, signal));
    const microseconds = clock.monotonicMicroseconds() - began;
    budget.spendModelCall(reply.costUsd, microseconds);
    const outcome =
      reply.kind === "reply"
        ? await this.takeReply(context, reply, microseconds)
        : await this.takeFailure(recorder, reply);
    await recorder.append("budget.updated", "engine", { limits: budget.limits, used: budget.used });
    if (outcome.kind === "failed" && outcome.failure === "cancelled") throw cancelledError();
    return outcome;
  }

  private get role(): { readonly role?: Role } {
    const { role } = this.options;
    return role === undefined ? {} : { role };
  }

  /** The request with as long an answer as the rest of the money pays for. */
  private affordable({ conversation, budget }: TurnContext): {
    readonly request: ModelRequest;
    readonly allowance: Allowance;
  } {
    const { provider, tools, maxOutputTokens } = this.options;
    for (let tokens = maxOutputTokens; ; tokens = Math.ceil(tokens / 2)) {
      const request = { messages: conversation.messages, tools, maxOutputTokens: tokens };
      const allowance = budget.beforeModelCall(provider.estimateUsd(request));
      const isMoney = allowance.kind === "limit" && allowance.limit === "usd";
      if (!isMoney || tokens <= leastOutputTokens) return { request, allowance };
    }
  }

  /**
   * The provider's call ids may repeat or be empty; ours are unique in the session and go back to it in their
   * place.
   */
  private async takeReply(context: TurnContext, reply: Reply, microseconds: number): Promise<TurnOutcome> {
    const { recorder, conversation } = context;
    // A call that was cut off in the middle is not run.
    const kept = reply.finish === "length" ? [] : reply.toolCalls;
    const calls = kept.map((call, index): ModelToolCall => ({
      callId: `call_${this.numbers.requests}_${index + 1}`,
      name: call.name,
      rawArguments: call.rawArguments,
    }));
    const message = conversation.nextId();
    const stored = [];
    for (const call of calls)
      stored.push({
        call: call.callId,
        name: call.name,
        raw_arguments: await recorder.storeText(call.rawArguments),
        arguments: argumentsOf(call),
      });
    await recorder.append("llm.response", "agent", {
      request: `r${this.numbers.requests}`,
      message,
      text: await recorder.storeText(reply.text),
      reasoning: reply.reasoning === null ? null : await recorder.storeText(reply.reasoning),
      tool_calls: stored,
      finish: reply.finish,
      usage: storedUsage(reply.usage),
      cost: { usd: reply.costUsd, source: reply.costUsd === null ? "unknown" : "price-table" },
      attempts: reply.attempts,
      total_ms: Math.round(microseconds / 1000),
      ...this.role,
    });
    conversation.add(message, { role: "assistant", text: reply.text, toolCalls: calls });
    return { kind: "reply", reply, calls };
  }

  private async takeFailure(
    recorder: Recorder,
    reply: Extract<ModelReply, { kind: "failed" }>,
  ): Promise<TurnOutcome> {
    const { failure, message, attempts, costUsd } = reply;
    await recorder.append("llm.failed", "agent", {
      request: `r${this.numbers.requests}`,
      failure,
      message,
      attempts,
      cost_usd: costUsd,
      ...this.role,
    });
    return { kind: "failed", failure, message };
  }
}

function argumentsOf(call: ModelToolCall): JsonObject | null {
  const parsed = parseJson(call.rawArguments);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
}

function storedUsage(usage: TokenUsage): StoredUsage {
  return {
    input_uncached: usage.inputUncached,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    output: usage.output,
    reasoning: usage.reasoning,
  };
}

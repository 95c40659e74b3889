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
import type { BudgetLimit, StoredUsage } from "../../trajectory/events";
import type { Role } from "../../trajectory/talk/role";
import { cancelledError, untilAborted } from "../abort";
import type { Allowance, Budget, CallEstimate } from "../budget";
import type { Baton } from "../beside/baton";
import type { Conversation, Numbers } from "./conversation/conversation";
import type { Recorder } from "../recorder";
import { parseJson } from "../tools/arguments";
import { tokensOfReply } from "./conversation/tokens";

type Reply = Extract<ModelReply, { kind: "reply" }>;

/** An answer of fewer tokens than this holds no rewrite. */
const leastOutputTokens = 4096;

/** Limits that a shorter answer may keep. */
const shortened: ReadonlySet<BudgetLimit> = new Set(["usd", "tokens"]);

export type TurnOutcome =
  | { readonly kind: "reply"; readonly reply: Reply; readonly calls: readonly ModelToolCall[] }
  | {
      readonly kind: "failed";
      readonly failure: Extract<ModelReply, { kind: "failed" }>["failure"];
      readonly message: string;
    }
  | { readonly kind: "limit"; readonly limit: BudgetLimit; readonly reason: string }
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
  /** Lets other conversations go on while this one waits for its answer. */
  readonly baton: Baton;
  readonly signal: AbortSignal;
}

/** A question, with what it may cost at most and whether that may be spent. */
interface AllowedRequest {
  readonly request: ModelRequest;
  readonly estimate: CallEstimate;
  /** Tokens of the request alone. */
  readonly read: number;
  readonly allowance: Allowance;
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
    const { provider, tools, clock, maxOutputTokens } = this.options;
    const { conversation, recorder, budget, baton, signal } = context;
    await baton.until(() => baton.away < provider.limits.requestsAtOnce);
    // What is held for questions of others may come back: answers get shorter when none does.
    await baton.until(() => this.allows(context, maxOutputTokens).allowance.kind === "go");
    const { request, estimate, read, allowance } = this.affordable(context);
    if (allowance.kind !== "go") return allowance;
    if (signal.aborted) throw cancelledError();
    this.numbers.requests += 1;
    const number = this.numbers.requests;
    const id = `r${number}`;
    recorder.beginStep(number);
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
    const release = budget.hold(estimate);
    const asked = async (): Promise<readonly [ModelReply, number]> => {
      const began = clock.monotonicMicroseconds();
      const reply = await untilAborted(signal, () => provider.complete(request, signal));
      return [reply, clock.monotonicMicroseconds() - began];
    };
    const { value, idle } = await baton.whileAway(asked);
    const [reply, microseconds] = value;
    release();
    // Of a question that failed nobody says what was read.
    const tokens = reply.kind === "reply" ? tokensOfReply(reply, read) : 0;
    budget.spendModelCall({ usd: reply.costUsd, tokens }, idle);
    // Others may have begun steps of theirs meanwhile.
    recorder.beginStep(number);
    const outcome =
      reply.kind === "reply"
        ? await this.takeReply(context, reply, { number, microseconds })
        : await this.takeFailure(recorder, reply, id);
    await recorder.append("budget.updated", "engine", { limits: budget.limits, used: budget.used });
    if (outcome.kind === "failed" && outcome.failure === "cancelled") throw cancelledError();
    return outcome;
  }

  private get role(): { readonly role?: Role } {
    const { role } = this.options;
    return role === undefined ? {} : { role };
  }

  /** The request with as long an answer as the rest of the money and of the tokens allows. */
  private affordable(context: TurnContext): AllowedRequest {
    for (let tokens = this.options.maxOutputTokens; ; tokens = Math.ceil(tokens / 2)) {
      const allowed = this.allows(context, tokens);
      const { allowance } = allowed;
      const isShorter = allowance.kind === "limit" && shortened.has(allowance.limit);
      if (!isShorter || tokens <= leastOutputTokens) return allowed;
    }
  }

  private allows({ conversation, budget }: TurnContext, maxOutputTokens: number): AllowedRequest {
    const { provider, tools } = this.options;
    const request = { messages: conversation.messages, tools, maxOutputTokens };
    const read = provider.estimateTokens(request);
    const estimate = { usd: provider.estimateUsd(request), tokens: read + maxOutputTokens };
    return { request, estimate, read, allowance: budget.beforeModelCall(estimate) };
  }

  /**
   * The provider's call ids may repeat or be empty; ours are unique in the session and go back to it in their
   * place.
   */
  private async takeReply(
    context: TurnContext,
    reply: Reply,
    { number, microseconds }: { readonly number: number; readonly microseconds: number },
  ): Promise<TurnOutcome> {
    const { recorder, conversation } = context;
    // A call that was cut off in the middle is not run.
    const kept = reply.finish === "length" ? [] : reply.toolCalls;
    const calls = kept.map((call, index): ModelToolCall => ({
      callId: `call_${number}_${index + 1}`,
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
      request: `r${number}`,
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
    request: string,
  ): Promise<TurnOutcome> {
    const { failure, message, attempts, costUsd } = reply;
    await recorder.append("llm.failed", "agent", {
      request,
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

import OpenAI from "openai";
import { OperationalError } from "../../core/base/operational-error";
import type { ModelLimits, ModelProvider, ModelReply, ModelRequest } from "../../core/ports/model";
import { Bill } from "./bill";
import { openAiEndpoint } from "./endpoints";
import { CutStream, type Failure, type RejectableField, classify } from "./failure";
import { faultFetch } from "./protocols/fault-body";
import { KeptParts } from "./kept-parts";
import { estimateTokens, estimateUsd } from "./pricing";
import type { ProviderEntry, ProviderOptions } from "./provider";
import { redact } from "./redact";
import { type RetryPolicy, backOff, defaultRetryPolicy } from "./retry";
import { Watchdog } from "./watchdog";
import { protocols } from "./protocols/index";
import type { AnswerReader, BodyOptions, Delivered, Protocol } from "./protocols/protocol";

/**
 * `endpoint`: the address of an OpenAI-compatible server, `/v1` included: `https://api.openai.com/v1`,
 * `http://localhost:11434/v1`.
 */
export interface OpenAiOptions extends ProviderOptions {
  readonly retry?: Partial<RetryPolicy>;
}

/**
 * A model behind any OpenAI-compatible endpoint. Throws OperationalError `usage` for an endpoint that is no
 * http address; `complete` never throws.
 */
export function openAiProvider(options: OpenAiOptions): ModelProvider {
  const address = URL.canParse(options.endpoint) ? new URL(options.endpoint) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new OperationalError("usage", {
      forUser: `the model endpoint "${redact(options.endpoint, [options.key])}" is no http address: write one like https://api.openai.com/v1 or http://localhost:11434/v1`,
    });
  }
  if (options.model.trim() === "")
    throw new OperationalError("model-unavailable", {
      forUser: "no model is named: set kernelwright.model.name, or KERNELWRIGHT_MODEL",
    });
  return new OpenAiProvider(options);
}

/** Most vendors, gateways and local servers speak OpenAI's protocols: they are tried at any endpoint. */
export const openAi: ProviderEntry = {
  serves: () => true,
  service: { endpoint: openAiEndpoint, keyVariable: "OPENAI_API_KEY" },
  open: openAiProvider,
};

/** Tokens of an answer below which the conversation is what has to get shorter. */
const leastOutput = 2048;

/** What the user can do where nothing fits. */
const outputHint =
  "An answer takes less of the window with --model-options output=TOKENS (in the editor: kernelwright.model.options).";

type Attempt =
  | { readonly kind: "delivered"; readonly delivered: Delivered }
  | { readonly kind: "failed"; readonly failure: Failure; readonly reader: AnswerReader };

class OpenAiProvider implements ModelProvider {
  readonly name: string;
  readonly model: string;
  limits: ModelLimits;
  private readonly client: OpenAI;
  private readonly retry: RetryPolicy;
  /** What this server was found not to take; learnt once. */
  private readonly rejected = new Set<RejectableField>();
  private readonly kept = new KeptParts();
  private readonly protocol: Protocol;
  private readonly bodyOptions: BodyOptions;

  constructor(private readonly options: OpenAiOptions) {
    this.model = options.model;
    this.protocol = protocols[options.settings.api];
    this.name = this.protocol.name;
    this.bodyOptions = this.optionsOfBodies();
    const { outputTokens, contextTokens, requestsAtOnce } = options.settings;
    this.limits = { outputTokens, contextTokens, requestsAtOnce };
    this.retry = { ...defaultRetryPolicy, ...options.retry };
    this.client = new OpenAI({
      baseURL: options.endpoint,
      apiKey: options.key === "" ? "none" : options.key,
      // The library reads these from the environment otherwise, and would send them to any endpoint.
      organization: null,
      project: null,
      ...(options.key === "" ? { defaultHeaders: { Authorization: null } } : {}),
      maxRetries: 0,
      timeout: options.settings.silenceMilliseconds,
      fetch: faultFetch,
      logLevel: "off",
    });
  }

  estimateTokens(request: ModelRequest): number {
    return estimateTokens(request);
  }

  estimateUsd(request: ModelRequest): number | null {
    return estimateUsd(this.options.price, request);
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const bill = new Bill(this.options.price, request);
    let maxOutputTokens = Math.min(request.maxOutputTokens, this.limits.outputTokens);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt({ ...request, maxOutputTokens }, signal);
      if (outcome.kind === "delivered") return this.replyOf(outcome.delivered, bill, attempt);
      const { failure, reader } = outcome;
      bill.addFailed(reader);
      if (failure.kind === "context-too-long" && maxOutputTokens >= 2 * leastOutput) {
        maxOutputTokens = Math.floor(maxOutputTokens / 2);
        // Of a first question it is the answer that is too long for this server; later ones grow.
        if (!request.messages.some(({ role }) => role === "assistant"))
          this.limits = { ...this.limits, outputTokens: maxOutputTokens };
        continue;
      }
      const wait = this.waitAfter(failure, attempt);
      if (wait === undefined) return this.failed(failure, bill, attempt);
      if (wait === 0) continue;
      request.onRetry?.(attempt, wait, this.clean(failure.message));
      try {
        await this.options.clock.sleep(wait, signal);
      } catch (thrown) {
        return this.failed(classify(thrown, this.options.clock, true), bill, attempt);
      }
    }
  }

  private async attempt(request: ModelRequest, signal: AbortSignal): Promise<Attempt> {
    const { protocol } = this;
    const reader = protocol.reader(request.onText);
    const watchdog = new Watchdog(this.options.settings.silenceMilliseconds);
    try {
      const inner = AbortSignal.any([signal, watchdog.signal]);
      const body = { ...protocol.body(request, this.bodyOptions), stream: true };
      const { data: stream, response } = await this.client
        .post<AsyncIterable<unknown>>(protocol.path, { body, stream: true, signal: inner })
        .withResponse();
      if ((response.headers.get("content-type") ?? "").includes("application/json"))
        reader.takeWhole(await response.json());
      else {
        for await (const chunk of stream) {
          watchdog.pat();
          reader.take(chunk);
        }
      }
      signal.throwIfAborted();
      return { kind: "delivered", delivered: reader.end() };
    } catch (thrown) {
      const cause = watchdog.signal.aborted ? new CutStream("the server stopped sending", true) : thrown;
      return { kind: "failed", failure: classify(cause, this.options.clock, signal.aborted), reader };
    } finally {
      watchdog.dispose();
    }
  }

  /**
   * Milliseconds to wait before the next attempt, 0 for one with another form of the request, undefined for
   * none.
   */
  private waitAfter(failure: Failure, attempt: number): number | undefined {
    const { rejectedField, wantedField } = failure;
    if (wantedField && !this.kept.wanted.has(wantedField)) {
      this.kept.wanted.add(wantedField);
      return 0;
    }
    if (rejectedField && !this.rejected.has(rejectedField)) {
      this.rejected.add(rejectedField);
      return 0;
    }
    if (!failure.retryable || attempt >= this.attemptsAfter(failure)) return undefined;
    const asked = failure.waitMilliseconds ?? 0;
    if (asked > this.retry.patienceMilliseconds) return undefined;
    return Math.max(1, asked, backOff(this.retry, attempt, this.options.random));
  }

  /** A server that said nothing for as long as it may is asked once more, not for hours. */
  private attemptsAfter({ isSilence = false }: Failure): number {
    return isSilence ? Math.min(2, this.retry.attempts) : this.retry.attempts;
  }

  /** The key is drawn once: requests that share it share what the server keeps of a conversation. */
  private optionsOfBodies(): BodyOptions {
    const { model, settings, endpoint, random } = this.options;
    const cacheKey = `kernelwright-${Math.floor(random() * 2 ** 48).toString(36)}`;
    return {
      ...{ model, settings, rejected: this.rejected, wanted: this.kept.wanted },
      ...(endpoint === openAiEndpoint ? { cacheKey } : {}),
      keptOf: (answer) => this.kept.of(answer),
    };
  }

  private replyOf(delivered: Delivered, bill: Bill, attempts: number): ModelReply {
    const { text, reasoning, toolCalls, finish, model } = delivered;
    const { usage, costUsd } = bill.withDelivered(delivered);
    this.kept.keep(delivered);
    for (const field of this.protocol.wantedBy?.(delivered.kept ?? []) ?? []) this.kept.wanted.add(field);
    return {
      kind: "reply",
      text,
      reasoning,
      toolCalls,
      finish,
      usage,
      costUsd,
      model: model ?? this.model,
      attempts,
    };
  }

  private failed(failure: Failure, bill: Bill, attempts: number): ModelReply {
    // Whoever reads it has to know who said so.
    const isOurs = failure.kind === "cancelled" || failure.kind === "context-too-long";
    const at = isOurs ? "" : `${withoutSecrets(this.options.endpoint)}: `;
    const said = this.clean(`${at}${failure.message}`);
    return {
      kind: "failed",
      failure: failure.kind,
      message: failure.kind === "context-too-long" ? `${said.replace(/[.\s]*$/, "")}. ${outputHint}` : said,
      attempts,
      costUsd: bill.costUsd,
    };
  }

  private clean(message: string): string {
    return redact(message, [this.options.key]).slice(0, 1000);
  }
}

/** An address without what may let somebody in: a name with a password, and a query. */
function withoutSecrets(endpoint: string): string {
  return endpoint.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/, "");
}

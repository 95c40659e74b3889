import { OperationalError } from "../../../core/base/operational-error";
import type {
  ModelFailureKind,
  ModelLimits,
  ModelProvider,
  ModelReply,
  ModelRequest,
} from "../../../core/ports/model";
import { editorEndpoint } from "../endpoints";
import { isTooLong } from "../failure";
import { estimateTokens } from "../pricing";
import { noUsage } from "../protocols/protocol";
import type { ProviderEntry, ProviderOptions } from "../provider";
import { redact } from "../redact";
import { backOff, defaultRetryPolicy } from "../retry";
import { Watchdog } from "../watchdog";
import type { EditorAnswer, EditorModels } from "./editor-models";

type Failed = Extract<EditorAnswer, { kind: "failed" }>;

/** The editor's models tell no price: they are paid for where the user signed in. */
export const editorModels: ProviderEntry = {
  serves: (endpoint) => endpoint === editorEndpoint,
  open: openEditorModel,
};

/**
 * Throws OperationalError `model-unavailable` where there is no editor, or none of its models has the name.
 */
async function openEditorModel(options: ProviderOptions): Promise<ModelProvider> {
  const { editor, model } = options;
  if (editor === undefined)
    throw new OperationalError("model-unavailable", {
      forUser: `The models of the editor can be asked from VS Code only: name another endpoint than "${editorEndpoint}" here.`,
    });
  const { found, offered } = await editor.find(model);
  if (found === null)
    throw new OperationalError("model-unavailable", {
      forUser:
        offered.length === 0
          ? "The editor offers no language model: sign in to GitHub Copilot, or install another extension that brings models."
          : `The editor has no model "${model}". It has: ${offered.join(", ")}.`,
    });
  return new EditorProvider(editor, found, options);
}

/** Attempts at one answer: the editor's own providers repeat what they can. */
const attemptsAtMost = 3;

class EditorProvider implements ModelProvider {
  readonly name = "editor";
  readonly model: string;
  readonly limits: ModelLimits;

  constructor(
    private readonly editor: EditorModels,
    found: { readonly model: string; readonly inputTokens: number },
    private readonly options: ProviderOptions,
  ) {
    this.model = found.model;
    const { outputTokens, requestsAtOnce } = options.settings;
    const contextTokens = Math.min(options.settings.contextTokens, found.inputTokens + outputTokens);
    this.limits = { outputTokens, contextTokens, requestsAtOnce };
  }

  estimateTokens(request: ModelRequest): number {
    return estimateTokens(request);
  }

  estimateUsd(): number {
    return 0;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.attempt(request, signal);
      if (answer.kind === "answer") return this.replyOf(answer, attempt);
      const failure = signal.aborted ? "cancelled" : failureOf(answer);
      if (failure !== "server-error" || attempt >= attemptsAtMost)
        return {
          ...{ kind: "failed", failure, attempts: attempt, costUsd: 0 },
          message: redact(answer.message, []).slice(0, 1000),
        };
      const wait = backOff(defaultRetryPolicy, attempt, this.options.random);
      request.onRetry?.(attempt, wait, answer.message);
      // Cancelled while waiting: the next attempt says so.
      await this.options.clock.sleep(wait, signal).catch(() => undefined);
    }
  }

  /** The editor streams to its extension only: the whole answer is what may be awaited. */
  private async attempt({ messages, tools }: ModelRequest, signal: AbortSignal): Promise<EditorAnswer> {
    const watchdog = new Watchdog(this.options.settings.silenceMilliseconds);
    try {
      const inner = AbortSignal.any([signal, watchdog.signal]);
      return await this.editor.ask({ model: this.model, messages, tools }, inner);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const isLate = watchdog.signal.aborted && !signal.aborted;
      return { kind: "failed", cause: "other", message: isLate ? "the editor gave no answer" : message };
    } finally {
      watchdog.dispose();
    }
  }

  private replyOf(
    { text, toolCalls }: Extract<EditorAnswer, { kind: "answer" }>,
    attempts: number,
  ): ModelReply {
    return {
      ...{ kind: "reply", text, reasoning: null, toolCalls, attempts },
      finish: toolCalls.length > 0 ? "tool-calls" : "stop",
      usage: noUsage,
      costUsd: 0,
      model: this.model,
    };
  }
}

function failureOf({ cause, message }: Failed): ModelFailureKind {
  if (isTooLong(message)) return "context-too-long";
  const kinds = {
    "no-model": "bad-request",
    "no-consent": "refused-credentials",
    blocked: "bad-request",
    other: "server-error",
  } as const;
  return kinds[cause];
}

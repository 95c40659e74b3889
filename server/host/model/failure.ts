import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import type { Clock } from "../../core/ports/clock";
import type { ModelFailureKind } from "../../core/ports/model";
import { retryAfter } from "./retry";

export interface Failure {
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  /** As the provider put it; not yet redacted. */
  readonly message: string;
  /** Wait that the server asked for. */
  readonly waitMilliseconds?: number;
  /** Nothing came for as long as a model may be silent. */
  readonly isSilence?: boolean;
  /** Name of a request field that this server does not take. */
  readonly rejectedField?: RejectableField;
  /** Name of what this server misses in its earlier answers. */
  readonly wantedField?: WantableField;
}

/** What a model thought, by the names of those servers that want it back with their answers. */
const wantable = ["reasoning_content", "thought_signature"] as const;
export type WantableField = (typeof wantable)[number];

/** How servers say that something of theirs did not come back. */
const missed = /passed back|missing|required|must (include|contain)/i;

/** Fields that some servers lack and that a request can do without or spell otherwise. */
const rejectable = [
  "stream_options",
  "max_completion_tokens",
  "max_tokens",
  "max_output_tokens",
  "reasoning_effort",
  "reasoning_content",
  "reasoning_details",
  "extra_content",
  "reasoning.encrypted_content",
  "reasoning",
  "temperature",
  "cache_control",
  "prompt_cache_key",
] as const;
export type RejectableField = (typeof rejectable)[number];

/** How servers say that a conversation is too long, in their messages and in the types of their faults. */
const tooLong = new RegExp(
  [
    "context[ _-]?(length|window|size|limit)|maximum context|too many tokens|reduce the length",
    "(prompt|input)( \\([^)]*\\))? is (too long|longer than)|maximum (prompt|model) length",
    "token count( \\([^)]*\\))? exceeds|exceeds the maximum (number of tokens|allowed length)",
    "exceeded model token limit|max_new_tokens`? must be <=|must have less than \\d+ tokens",
  ].join("|"),
  "i",
);
const noQuota = /insufficient_quota|exceeded your current quota|billing/i;

/** Whether a server complains of the length of the conversation. */
export function isTooLong(message: string): boolean {
  return tooLong.test(message);
}

/**
 * What a failed request means, whoever threw it: the library, the network, or a stream that ended too early.
 */
export function classify(thrown: unknown, clock: Pick<Clock, "now">, aborted: boolean): Failure {
  if (aborted || thrown instanceof APIUserAbortError)
    return { kind: "cancelled", retryable: false, message: "cancelled" };
  if (thrown instanceof CutStream)
    return { kind: "cut-stream", retryable: true, message: thrown.message, isSilence: thrown.isSilence };
  if (thrown instanceof APIConnectionError)
    return { kind: "network", retryable: true, message: withCause(thrown) };
  if (thrown instanceof APIError) return classifyStatus(thrown, clock);
  // What is left comes out of reading the stream: a line that is no JSON, a connection that was reset.
  return {
    kind: "cut-stream",
    retryable: true,
    message: thrown instanceof Error ? withCause(thrown) : String(thrown),
  };
}

/** Thrown when a stream ends before the model said that it was done. */
export class CutStream extends Error {
  override readonly name = "CutStream";

  constructor(
    message: string,
    /** Nothing came for as long as a model may be silent. */
    readonly isSilence = false,
  ) {
    super(message);
  }
}

/** A fault that is told behind status 200 may have its status in its code. */
function statusIn(code: unknown): number | undefined {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function classifyStatus(error: APIError, clock: Pick<Clock, "now">): Failure {
  const message = error.message;
  const status = (error.status as number | undefined) ?? statusIn(error.code);
  if (status === 401 || status === 403) return { kind: "refused-credentials", retryable: false, message };
  if (status === 429) {
    const retryable = !noQuota.test(`${error.code ?? ""} ${message}`);
    return { kind: "rate-limited", retryable, message, ...waitOf(error, clock) };
  }
  if (status === 413 || tooLong.test(`${error.type ?? ""} ${error.code ?? ""} ${message}`))
    return { kind: "context-too-long", retryable: false, message };
  if (status === undefined || status >= 500 || status === 408 || status === 409)
    return { kind: "server-error", retryable: true, message, ...waitOf(error, clock) };
  return { kind: "bad-request", retryable: false, message, ...troubleOf(error) };
}

function waitOf(error: APIError, clock: Pick<Clock, "now">): Pick<Failure, "waitMilliseconds"> {
  const wait = retryAfter(error.headers as Headers | undefined, clock);
  return wait === undefined ? {} : { waitMilliseconds: wait };
}

/** The field of a request that a server misses, or does not take. */
function troubleOf({ message, param }: APIError): Pick<Failure, "rejectedField" | "wantedField"> {
  const wanted = missed.test(message) ? wantable.find((name) => message.includes(name)) : undefined;
  if (wanted) return { wantedField: wanted };
  const field = rejectable.find((name) => param === name || message.includes(name));
  return field ? { rejectedField: field } : {};
}

function withCause(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message} (${cause.message})`
    : error.message;
}

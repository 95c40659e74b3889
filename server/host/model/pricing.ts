import * as z from "zod/mini";
import { OperationalError } from "../../core/base/operational-error";
import type { ModelRequest, TokenUsage } from "../../core/ports/model";
import { editorEndpoint } from "./endpoints";
import table from "./prices.json";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

interface PriceQuestion {
  readonly endpoint: string;
  readonly model: string;
  /** What the user said: `free`, or `INPUT,OUTPUT` in US dollars for a million tokens; empty when nothing. */
  readonly declared?: string;
}

const dollars = z.pipe(
  z.pipe(z.string().check(z.minLength(1)), z.transform(Number)),
  z.number().check(z.nonnegative()),
);
const declaredShape = z.tuple([dollars, dollars]);

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$/i;
/** Characters of source code in one token, low on purpose: the estimate must not be too small. */
const charactersPerToken = 3;
/**
 * What is written to a cache costs more than other input where marks are used (Anthropic: a quarter more).
 */
const cacheWriteFactor = 1.25;
/** What a provider adds around each message. */
const tokensPerMessage = 12;

/**
 * The price of a model: as declared, else none on this machine and of the editor, else from the table; null
 * when it is not known.
 */
export function priceOf(question: PriceQuestion): Price | null {
  const declared = question.declared?.trim() ?? "";
  if (declared !== "") return declaredPrice(declared);
  if (isLoopback(question.endpoint) || question.endpoint === editorEndpoint)
    return { input: 0, cachedInput: 0, output: 0 };
  const wanted = normalisedModel(question.model);
  return table.models.find((entry) => normalisedModel(entry.model) === wanted) ?? null;
}

/** An upper estimate of what a request may cost: all of it uncached, and all the output that it allows. */
export function estimateUsd(price: Price | null, request: ModelRequest): number | null {
  if (!price) return null;
  return (price.input * estimateTokens(request) + price.output * request.maxOutputTokens) / 1e6;
}

/** Input tokens of a request, counted from its characters; rather too many than too few. */
export function estimateTokens(request: ModelRequest): number {
  const tools = JSON.stringify(request.tools).length;
  const messages = request.messages.reduce(
    (sum, message) =>
      sum +
      message.text.length +
      (message.role === "assistant" ? JSON.stringify(message.toolCalls).length : 0),
    0,
  );
  return Math.ceil((tools + messages) / charactersPerToken) + request.messages.length * tokensPerMessage;
}

/** Tokens of a text that was delivered without a count. */
export function tokensOfText(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** What reported usage costs; null when the price or the counts are not known. */
export function costOf(price: Price | null, usage: TokenUsage): number | null {
  if (!price || usage.inputUncached === null || usage.output === null) return null;
  return (
    (price.input * (usage.inputUncached + cacheWriteFactor * (usage.cacheWrite ?? 0)) +
      price.cachedInput * (usage.cacheRead ?? 0) +
      price.output * usage.output) /
    1e6
  );
}

function declaredPrice(declared: string): Price {
  if (declared === "free") return { input: 0, cachedInput: 0, output: 0 };
  const read = declaredShape.safeParse(declared.split(",").map((part) => part.trim()));
  if (!read.success)
    throw new OperationalError("usage", {
      forUser: `the price "${declared}" of the model cannot be read: write INPUT,OUTPUT in US dollars for a million tokens, such as 2.5,15, or "free"`,
    });
  const [input, output] = read.data;
  return { input, cachedInput: input, output };
}

/** Whether an endpoint is on this machine. */
export function isLoopback(endpoint: string): boolean {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : "";
  return loopback.test(host);
}

/**
 * `openai/gpt-5.4-2026-03-05` is `gpt-5-4`: vendors, gateways and dated snapshots spell the same model
 * differently.
 */
export function normalisedModel(model: string): string {
  const name = model.toLowerCase().slice(model.lastIndexOf("/") + 1);
  return name.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "").replaceAll(".", "-");
}

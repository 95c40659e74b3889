import { OperationalError } from "../../core/base/operational-error";
import { openAiEndpoint } from "./endpoints";
import table from "./models.json";
import { isLoopback, normalisedModel } from "./pricing";

/** How a model is asked. */
export interface ModelSettings {
  /** Most tokens of one answer, hidden reasoning included. */
  readonly outputTokens: number;
  /** Tokens of a whole conversation with its answer. */
  readonly contextTokens: number;
  /** Questions that may wait for their answers at the same time. */
  readonly requestsAtOnce: number;
  /** Longest time without any part of an answer: a model that reasons may say nothing for long. */
  readonly silenceMilliseconds: number;
  /** The protocol: Chat Completions or Responses. */
  readonly api: (typeof apis)[number];
  /**
   * `marks`: the server keeps a conversation up to marks in it; elsewhere it keeps what it likes by itself.
   */
  readonly caching?: "marks";
  /** `low`, `medium`, `high` or what else the server knows; left out: the server's own. */
  readonly effort?: string;
  /** Left out: the server's own; models that reason refuse any. */
  readonly temperature?: number;
}

const apis = ["chat", "responses"] as const;

/** Questions at the same time where the user said nothing. */
const usualAtOnce = 4;

interface ModelRow {
  readonly output: number;
  readonly context: number;
  readonly silence: number;
  readonly caching?: string;
}

/** What an answer may take of the window where the user said nothing; the rest is for the conversation. */
const outputShare = 0.25;

const most = { output: 1_000_000, context: 10_000_000, silence: 240, temperature: 2, parallel: 64 } as const;

/**
 * How a model is asked: what the user said (`effort=high temperature=0.6 output=32768 context=200000
 * silence=30 parallel=2 api=responses`, tokens and minutes), else the defaults of its name within the window
 * that its server tells. Throws OperationalError `usage` for a text that is none.
 */
export function modelSettings(model: string, endpoint: string, said = "", window = Infinity): ModelSettings {
  const name = normalisedModel(model);
  const row: ModelRow =
    table.models.find((each) => new RegExp(each.name).test(name)) ??
    (isLoopback(endpoint) ? table.local : table.otherwise);
  const given = readPairs(said);
  const figure = (key: keyof typeof most): number | undefined => {
    const text = given.get(key);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text !== "" && value >= 0 && value <= most[key]) return value;
    throw unreadable(`${key}=${text}`);
  };
  const effort = given.get("effort");
  const temperature = figure("temperature");
  const contextTokens = figure("context") ?? Math.min(row.context, window);
  const share = Math.floor(contextTokens * outputShare);
  return {
    outputTokens:
      figure("output") ?? (contextTokens < row.context ? Math.min(row.output, share) : row.output),
    contextTokens,
    requestsAtOnce: atOnceOf(figure("parallel"), endpoint),
    silenceMilliseconds: (figure("silence") ?? row.silence) * 60_000,
    api: apiOf(given.get("api"), endpoint),
    ...(row.caching === "marks" ? { caching: "marks" as const } : {}),
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/** Questions at the same time: as the user said; servers of this machine often answer one by one. */
function atOnceOf(said: number | undefined, endpoint: string): number {
  if (said === undefined) return isLoopback(endpoint) ? 1 : usualAtOnce;
  if (Number.isInteger(said) && said >= 1) return said;
  throw unreadable(`parallel=${said}`);
}

/** As the user said; else Responses at OpenAI's own service, and what everybody speaks elsewhere. */
function apiOf(said: string | undefined, endpoint: string): ModelSettings["api"] {
  if (said === undefined) return endpoint === openAiEndpoint ? "responses" : "chat";
  const named = apis.find((api) => api === said);
  if (named === undefined) throw unreadable(`api=${said}`);
  return named;
}

function readPairs(said: string): ReadonlyMap<string, string> {
  const known = ["effort", "api", ...Object.keys(most)];
  const pairs = said.split(/[\s;]+/).filter((part) => part !== "");
  return new Map(
    pairs.map((pair) => {
      const [, name, value] = /^(\w+)=([\w.]+)$/.exec(pair) ?? [];
      if (name === undefined || value === undefined || !known.includes(name)) throw unreadable(pair);
      return [name, value];
    }),
  );
}

function unreadable(part: string): OperationalError {
  return new OperationalError("usage", {
    forUser: `the model option "${part}" cannot be read: write effort=high, temperature=0.6, output=32768 (tokens), context=200000 (tokens), silence=30 (minutes, at most ${most.silence}), parallel=2 (questions at the same time, at most ${most.parallel}), api=chat or api=responses, parted by spaces`,
  });
}

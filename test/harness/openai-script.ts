/** What a scripted endpoint answers, as JSON: one entry for each request, in order. */
export type ScriptedReply =
  | {
      readonly text?: string;
      /** Arguments as an object, or as a string to write them down malformed. */
      readonly calls?: readonly {
        readonly name: string;
        readonly arguments: unknown;
        /** What a server of Chat Completions tells beside the call. */
        readonly extra_content?: object;
      }[];
      /** Pieces of a message of Chat Completions that come before the text, as they are. */
      readonly before?: readonly object[];
      /** What a server of the Responses API wants back, besides the calls. */
      readonly thought?: string;
      readonly refusal?: string;
      readonly finish?: string;
      readonly usage?: {
        readonly prompt_tokens: number;
        readonly completion_tokens: number;
        readonly cached_tokens?: number;
      } | null;
      /** The stream ends after so many chunks, with the connection. */
      readonly cutAfter?: number;
      /** The stream stops after its first chunk and waits until the client goes away. */
      readonly hold?: boolean;
      /** The stream stops behind the text until `release` of the server is called. */
      readonly untilReleased?: boolean;
      /** This reply again for every request that follows. */
      readonly forEver?: boolean;
    }
  | ScriptedFault;

export interface ScriptedFault {
  readonly status: number;
  readonly message?: string;
  readonly code?: string;
  readonly param?: string;
  readonly retryAfter?: string;
  /** The whole body, where it is not in the form of OpenAI. */
  readonly body?: unknown;
  readonly forEver?: boolean;
}

export interface Script {
  /** Requests without this key are refused with 401. */
  readonly key?: string;
  readonly model?: string;
  /** Fields of a request that this server does not know: 400. */
  readonly rejects?: readonly string[];
  /** Refuses, in these words, a conversation with an answer of calls that lacks this word. */
  readonly wants?: { readonly word: string; readonly refusal: string };
  /** A field of messages that this server does not know: 400. */
  readonly refuses?: string;
  /** Answers in one piece even when a stream was asked for. */
  readonly neverStreams?: boolean;
  /** The list that it gives of itself; empty when left out. */
  readonly models?: readonly string[];
  readonly replies: readonly ScriptedReply[];
}

export type ScriptedAnswer = Exclude<ScriptedReply, ScriptedFault>;

/** Of replies that name none. */
export const usualUsage: NonNullable<ScriptedAnswer["usage"]> = { prompt_tokens: 100, completion_tokens: 10 };

export function argumentsOf(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}

export function isFault(reply: ScriptedReply): reply is ScriptedFault {
  return "status" in reply;
}

import type { ModelReply, ModelRequest, ModelToolCall, TokenUsage } from "../../../core/ports/model";
import type { RejectableField, WantableField } from "../failure";
import type { ModelSettings } from "../model-settings";

/** What one attempt delivered, whole or in part. */
export interface Delivered {
  readonly text: string;
  readonly reasoning: string | null;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: Extract<ModelReply, { kind: "reply" }>["finish"];
  readonly usage: TokenUsage | undefined;
  readonly model: string | undefined;
  /** What the server wants back with this answer in later requests, in its own form. */
  readonly kept?: readonly object[];
}

export const noUsage: TokenUsage = {
  inputUncached: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  reasoning: null,
};

/** Puts together what a server sends of one answer. */
export interface AnswerReader {
  /** Characters received so far: what a stream that is cut off was billed for. */
  readonly characters: number;
  readonly usage: TokenUsage | undefined;
  /** Takes a piece of a stream. Throws CutStream for what is no piece of an answer, APIError for a fault. */
  take(piece: unknown): void;
  /** The same for an answer that came in one piece. */
  takeWhole(answer: unknown): void;
  /** The whole answer. Throws CutStream when the model never said that it was done. */
  end(): Delivered;
}

/** What the body of a request depends on beside the conversation. */
export interface BodyOptions {
  readonly model: string;
  readonly settings: ModelSettings;
  /** The same for all requests of a session, where the server routes by it; left out elsewhere. */
  readonly cacheKey?: string;
  /** What this server was found not to take. */
  readonly rejected: ReadonlySet<RejectableField>;
  /** What this server was found to want back with each of its answers. */
  readonly wanted: ReadonlySet<WantableField>;
  /** What was kept of an earlier answer. */
  readonly keptOf: (answer: Pick<Delivered, "text" | "toolCalls">) => readonly object[];
}

/** How conversations are written down for a server, and its answers read. */
export interface Protocol {
  /** In the log. */
  readonly name: string;
  /** Behind the endpoint. */
  readonly path: string;
  readonly body: (request: ModelRequest, options: BodyOptions) => object;
  /** What a server wants back, by what was kept of its answer. */
  readonly wantedBy?: (kept: readonly object[]) => readonly WantableField[];
  readonly reader: (onText: ((delta: string) => void) | undefined) => AnswerReader;
}

import type { ModelReply } from "../../ports/model";
import type { Note } from "./dialogue";

export interface PatienceLimits {
  /** Answers in a row without a candidate after which the model is hurried once. */
  readonly hurryAfter: number;
  /** Answers in a row without a candidate after which the session ends. */
  readonly endAfter: number;
  /** Most tokens of one answer, for the note to a model whose answer was cut off. */
  readonly maxOutputTokens: number;
}

/** What an answer, or too many of them, asks for: nothing, a note to the model, or the end of the session. */
export type Reaction =
  | { readonly kind: "none" }
  | { readonly kind: "note"; readonly note: Note }
  | { readonly kind: "end"; readonly reason: string };

const nothing: Reaction = { kind: "none" };

/** Counts what a model does without getting on: answers without a candidate, without a tool, cut off. */
export class Patience {
  private answers = 0;
  private mute = 0;
  private cutOff = 0;

  constructor(private readonly limits: PatienceLimits) {}

  /** A candidate was judged: the model gets on. */
  progress(): void {
    this.answers = 0;
  }

  /** Before each answer is asked for. */
  beforeAsking(): Reaction {
    const { hurryAfter, endAfter } = this.limits;
    const { answers } = this;
    this.answers += 1;
    if (answers >= endAfter)
      return { kind: "end", reason: `the model gave ${answers} answers in a row without a candidate` };
    if (answers !== hurryAfter) return nothing;
    return {
      kind: "note",
      note: {
        prompt: "refine-hurry",
        fields: { turns: String(answers), limit: String(endAfter) },
        reason: "many answers without a candidate",
      },
    };
  }

  /** After each answer. `calls`: how many tool calls of it can be run. */
  afterAnswer(reply: Extract<ModelReply, { kind: "reply" }>, calls: number): Reaction {
    if (reply.finish === "refusal")
      return {
        kind: "end",
        reason: `the model refused: ${reply.text.trim().slice(0, 300) || "no reason given"}`,
      };
    if (reply.finish === "length") return this.afterCut();
    this.cutOff = 0;
    return this.afterWhole(calls);
  }

  private afterCut(): Reaction {
    const tokens = this.limits.maxOutputTokens;
    this.mute = 0;
    this.cutOff += 1;
    if (this.cutOff > 2)
      return {
        kind: "end",
        reason: `the model's answers were cut off at ${tokens} tokens three times in a row`,
      };
    return {
      kind: "note",
      note: {
        prompt: "refine-cut-off",
        fields: { tokens: String(tokens) },
        reason: "the answer was cut off",
      },
    };
  }

  private afterWhole(calls: number): Reaction {
    this.mute = calls === 0 ? this.mute + 1 : 0;
    if (this.mute > 1) return { kind: "end", reason: "the model stopped calling tools" };
    if (this.mute === 0) return nothing;
    return {
      kind: "note",
      note: { prompt: "refine-no-tool", fields: {}, reason: "the answer called no tool" },
    };
  }
}

import type { ModelProvider, ModelReply } from "../../../server/core/ports/model";
import { generator } from "./world";

/** Sizes of one answer; the other cases draw inputs of another kind. */
const sizesAsked = 5;
const casesAsked = 8;
const mostSize = 640;

const kinds = [
  { inputs: { x: { kind: "constant", value: 0 } } },
  { inputs: { x: { kind: "constant", value: -200 } } },
  { inputs: { x: { kind: "constant", value: 1 } } },
  { inputs: { x: { kind: "range", low: -8, high: 8, sorted: true } } },
  { special: "infinite" },
  { special: "tiny" },
] as const;

/** A tester that reads nothing: five sizes and three kinds of inputs at random, for each candidate anew. */
export class FixedTester implements ModelProvider {
  readonly name = "fixed";
  readonly model = "fixed-1";
  readonly limits = { outputTokens: 8192, contextTokens: 128_000, requestsAtOnce: 4 };
  asked = 0;
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = generator(seed);
  }

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return 0;
  }

  async complete(): Promise<ModelReply> {
    await Promise.resolve();
    this.asked += 1;
    const cases = Array.from({ length: casesAsked }, (_, index) => ({
      sizes: { n: 1 + Math.floor(this.random() * mostSize) },
      ...(index < sizesAsked ? {} : kinds[Math.floor(this.random() * kinds.length)]),
      why: "Any.",
    }));
    return {
      kind: "reply",
      text: JSON.stringify({ cases }),
      reasoning: null,
      toolCalls: [],
      finish: "stop",
      usage: { inputUncached: 0, cacheRead: 0, cacheWrite: null, output: 0, reasoning: null },
      costUsd: 0,
      model: this.model,
      attempts: 1,
    };
  }
}

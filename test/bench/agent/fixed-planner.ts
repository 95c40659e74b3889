import type { ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";

/** How a planner picks among the versions that it is offered, the cheapest first. */
export type Pick = (count: number) => number;

/** A planner of fixed habits, which has no ideas: what its pick alone changes. */
export class FixedPlanner implements ModelProvider {
  readonly name = "fixed";
  readonly model = "fixed-1";
  readonly limits = { outputTokens: 8192, contextTokens: 128_000, requestsAtOnce: 4 };
  asked = 0;

  constructor(private readonly pick: Pick) {}

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return 0;
  }

  async complete({ messages }: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    this.asked += 1;
    const offered = [...(messages.at(-1)?.text ?? "").matchAll(/^- `(\w+)`: ([\d.,]+) (ns|µs|ms)/gm)]
      .map(([, id = "", number = "0", unit = "ns"]) => ({
        id,
        cost: Number(number.replaceAll(",", "")) * { ns: 1, µs: 1e3, ms: 1e6 }[unit as "ns" | "µs" | "ms"],
      }))
      .sort((a, b) => a.cost - b.cost);
    const candidate = offered[this.pick(offered.length)]?.id ?? "";
    return {
      kind: "reply",
      text: JSON.stringify({ candidate, because: "As always.", idea: "None." }),
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

/** Any of them, by a generator of fixed numbers. */
export function anyOf(seed: number): Pick {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

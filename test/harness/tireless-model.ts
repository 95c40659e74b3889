import type { ModelProvider, ModelReply, ModelRequest } from "../../server/core/ports/model";
import { kernelFile } from "./scripted-evaluator";

/** A file of which each version fills a page, so that what is kept of it shows. */
const page = Array.from({ length: 60 }, (_, index) => `// line ${index} of a kernel of some length\n`).join(
  "",
);

/** What the tireless model begins with. */
export const tirelessBaseline = `// bound 130000\n// lines 40\n${page}`;

/** In nanoseconds: each tenth answer is better than all before it. */
export function boundOf(turn: number): number {
  return Math.round(100_000 * 0.98 ** Math.floor(turn / 10)) + (turn % 10 === 0 ? 0 : 20_000);
}

/** Writes another version with each answer; every seventh is wrong. */
export class TirelessModel implements ModelProvider {
  readonly name = "tireless";
  readonly model = "tireless-1";
  readonly limits = { outputTokens: 8192, contextTokens: 48_192, requestsAtOnce: 4 };
  /** Characters of each request. */
  readonly sizes: number[] = [];
  stopAt = Number.POSITIVE_INFINITY;
  /** Called with the number of each turn. */
  onTurn: (turn: number) => void = () => undefined;
  readonly stop = new AbortController();

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return 0;
  }

  async complete({ messages }: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    this.sizes.push(JSON.stringify(messages).length);
    const turn = this.sizes.length;
    this.onTurn(turn);
    if (turn === this.stopAt) this.stop.abort();
    const mark = turn % 7 === 0 ? "// wrong" : `// bound ${boundOf(turn)}`;
    const calls = [
      {
        name: "write_file",
        given: { path: kernelFile, text: `${mark}\n// lines 40\n// turn ${turn}\n${page}` },
      },
      { name: "submit_candidate", given: { hypothesis: `turn ${turn} moves less.` } },
    ];
    return {
      kind: "reply",
      text: "",
      reasoning: null,
      toolCalls: calls.map(({ name, given }, index) => ({
        callId: `t${turn}_${index}`,
        name,
        rawArguments: JSON.stringify(given),
      })),
      finish: "tool-calls",
      usage: { inputUncached: 0, cacheRead: 0, cacheWrite: null, output: 0, reasoning: null },
      costUsd: 0,
      model: this.model,
      attempts: 1,
    };
  }
}

import { expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { Strategy } from "../../../server/core/agent/strategy";
import type { ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { bestBound, noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { kernelFile } from "../../harness/scripted-evaluator";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const candidates = 500;
const budget = { usd: 1000, minutes: 100_000, candidates };
/** A file of which each version fills a page, so that what is kept of it shows. */
const page = Array.from({ length: 60 }, (_, index) => `// line ${index} of a kernel of some length\n`).join(
  "",
);

const baseline = `// bound 130000\n${page}`;

/** In nanoseconds: each tenth answer is better than all before it. */
function boundOf(turn: number): number {
  return Math.round(100_000 * 0.98 ** Math.floor(turn / 10)) + (turn % 10 === 0 ? 0 : 20_000);
}

/** Writes another version with each answer; every seventh is wrong. */
class TirelessModel implements ModelProvider {
  readonly name = "tireless";
  readonly model = "tireless-1";
  readonly limits = { outputTokens: 8192, contextTokens: 48_192 };
  /** Characters of each request. */
  readonly sizes: number[] = [];
  stopAt = Number.POSITIVE_INFINITY;
  readonly stop = new AbortController();

  estimateUsd(): number {
    return 0;
  }

  async complete({ messages }: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    this.sizes.push(JSON.stringify(messages).length);
    const turn = this.sizes.length;
    if (turn === this.stopAt) this.stop.abort();
    const mark = turn % 7 === 0 ? "// wrong" : `// bound ${boundOf(turn)}`;
    const calls = [
      { name: "write_file", given: { path: kernelFile, text: `${mark}\n// turn ${turn}\n${page}` } },
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

const strategies: Readonly<Record<string, (provider: ModelProvider) => Strategy>> = {
  refine: (provider) =>
    refineStrategy({ provider, prompts, files: memoryFiles({}), clock: new TestClock(), rulebook: noRules }),
  search: (provider) =>
    searchStrategy({ provider, prompts, files: memoryFiles({}), clock: new TestClock(), rulebook: noRules }),
};

/** Characters of the events from one candidate to another. */
function written(log: MemorySessionLog, from: number, to: number): number {
  const at = log.events.flatMap(({ type }, index) => (type === "candidate.created" ? [index] : []));
  return log.events.slice(at[from], at[to]).reduce((sum, event) => sum + JSON.stringify(event).length, 0);
}

test.each(Object.entries(strategies))(
  "%s: the last of 500 candidates cost no more than the first ones, and a stop in between loses nothing",
  async (_name, make) => {
    const log = new MemorySessionLog();
    const model = new TirelessModel();
    model.stopAt = 400;
    await runScripted(make(model), { baseline, budget, log, signal: model.stop.signal });
    const resumed = await runScripted(make(model), { baseline, budget, log, resume: true });
    const created = log.events.filter(({ type }) => type === "candidate.created");
    expect(created).toHaveLength(candidates + 1);
    expect(bestBound(resumed)).toBe(boundOf(candidates));
    // The log: as much for each candidate. The model: never more than it can take.
    expect(written(log, 400, 500)).toBeLessThan(1.25 * written(log, 1, 101));
    expect(Math.max(...model.sizes)).toBeLessThan(4 * model.limits.contextTokens);
  },
  300_000,
);

import { expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { Strategy } from "../../../server/core/agent/strategy";
import type { ModelProvider } from "../../../server/core/ports/model";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { bestBound, noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { TirelessModel, boundOf, tirelessBaseline as baseline } from "../../harness/tireless-model";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const candidates = 500;
const budget = { usd: 1000, minutes: 100_000, candidates };
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
);

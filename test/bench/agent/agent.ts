import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { Strategy } from "../../../server/core/agent/strategy";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { TestClock } from "../../harness/test-clock";
import { type Bench, type Measurement, rounded } from "../bench";
import { SkilledModel } from "./skilled-model";
import { type World, textOf, worldOf } from "./world";

const worlds = Array.from({ length: 40 }, (_, seed) => worldOf(seed + 1));
const candidates = 40;

/**
 * The strategies with the same model of fixed skill on the same made-up kernels: verdicts until the best
 * version of each is found. Counted, not timed: every run gives the same figures.
 */
export const agentBench: Bench = {
  name: "agent",
  run: async () => {
    const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
    const strategies: Readonly<Record<string, (world: World) => Strategy>> = {
      refine: (world) => refineStrategy(partsOf(world)),
      search: (world) => searchStrategy(partsOf(world)),
    };
    const partsOf = (world: World) => ({
      ...{ provider: new SkilledModel(world), prompts, files: memoryFiles({}) },
      ...{ clock: new TestClock(), rulebook: noRules },
    });
    const found: Record<string, (number | undefined)[]> = {};
    for (const [name, make] of Object.entries(strategies))
      for (const world of worlds) (found[name] ??= []).push(await verdictsToBest(world, make(world)));
    const [refine = [], search = []] = [found["refine"], found["search"]];
    const sooner = (a: number | undefined, b: number | undefined): boolean =>
      (a ?? Number.POSITIVE_INFINITY) < (b ?? Number.POSITIVE_INFINITY);
    return [
      ...Object.entries(found).map(([name, verdicts]) => measurementOf(name, verdicts)),
      {
        metric: "search needs fewer verdicts to the best version",
        value: worlds.filter((_, index) => sooner(search[index], refine[index])).length,
        unit: `of ${worlds.length} kernels`,
      },
      {
        metric: "refine needs fewer",
        value: worlds.filter((_, index) => sooner(refine[index], search[index])).length,
        unit: `of ${worlds.length} kernels`,
      },
    ];
  },
};

function measurementOf(name: string, verdicts: readonly (number | undefined)[]): Measurement {
  const reached = verdicts.filter((count) => count !== undefined);
  const mean = reached.reduce((sum, count) => sum + count, 0) / Math.max(1, reached.length);
  return {
    metric: `${name}: best version found within ${candidates} verdicts`,
    value: reached.length,
    unit: `of ${worlds.length} kernels`,
    versus: `${rounded(mean)} verdicts on average where it was found`,
  };
}

/** Candidates judged until the best version was one of them; undefined when it never was. */
async function verdictsToBest(world: World, strategy: Strategy): Promise<number | undefined> {
  const { log } = await runScripted(strategy, {
    baseline: textOf(world, []),
    budget: { usd: 1, minutes: 1000, candidates },
  });
  const bounds = log.events.flatMap((event) =>
    event.type === "candidate.staged" && event.data.verdict !== null && event.data.candidate !== "baseline"
      ? [
          event.data.verdict.kind === "correct"
            ? event.data.verdict.bound.nanoseconds
            : Number.POSITIVE_INFINITY,
        ]
      : [],
  );
  const first = bounds.findIndex((bound) => bound <= world.best);
  return first < 0 ? undefined : first + 1;
}

import { archivePlanner } from "../../../server/core/agent/roles/archive-planner";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import { noPast, pastSession } from "../../../server/core/agent/memory/past";
import type { Strategy } from "../../../server/core/agent/strategy";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { TestClock } from "../../harness/test-clock";
import { type Bench, type Measurement, rounded } from "../bench";
import { FixedPlanner, type Pick, anyOf } from "./fixed-planner";
import { SkilledModel } from "./skilled-model";
import { testerMeasurements } from "./tester";
import { type Strategies, tokenMeasurements } from "./tokens";
import { tuningMeasurements } from "./tuning";
import { type World, textOf, worldOf } from "./world";

const worlds = Array.from({ length: 40 }, (_, seed) => worldOf(seed + 1));
const candidates = 40;
const roundsAtOnce = 4;

/**
 * The strategies with the same model of fixed skill on the same made-up kernels: verdicts until the best
 * version of each is found. Counted, not timed: every run gives the same figures.
 */
export const agentBench: Bench = {
  name: "agent",
  run: async () => {
    const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
    const strategies: Strategies = {
      refine: (world, provider) => refineStrategy({ ...partsOf(world), ...(provider && { provider }) }),
      search: (world, provider) => searchStrategy({ ...partsOf(world), ...(provider && { provider }) }),
    };
    const partsOf = (world: World) => ({
      ...{ provider: new SkilledModel(world), prompts, files: memoryFiles({}) },
      ...{ clock: new TestClock(), rulebook: noRules },
    });
    const found: Record<string, (number | undefined)[]> = {};
    for (const [name, make] of Object.entries(strategies))
      for (const world of worlds) (found[name] ??= []).push(await verdictsToBest(world, make(world)));
    const beside: (number | undefined)[] = [];
    for (const world of worlds)
      beside.push(await verdictsToBest(world, searchStrategy(partsOf(world)), roundsAtOnce));
    const memory = await memoryMeasurements((world) => refineStrategy(partsOf(world)));
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
      measurementOf(`search, ${roundsAtOnce} rounds side by side`, beside),
      ...(await plannerMeasurements(partsOf)),
      ...(await testerMeasurements(worlds, { partsOf, candidates })),
      ...memory,
      ...(await tuningMeasurements((provider) => refineStrategy({ ...partsOf(worldOf(1)), provider }))),
      ...(await tokenMeasurements(worlds, strategies)),
    ];
  },
};

/**
 * `search` whose rounds start where a planner says. The judge has no measurement: the made-up model is told
 * what binds with each verdict and reads nothing else, so that a judge can add nothing here.
 */
async function plannerMeasurements(
  partsOf: (world: World) => Parameters<typeof searchStrategy>[0],
): Promise<readonly Measurement[]> {
  const pickers: Readonly<Record<string, (seed: number) => Pick>> = {
    "planner that picks the cheapest": () => () => 0,
    "planner that picks any": anyOf,
  };
  const measured: Measurement[] = [];
  for (const [name, make] of Object.entries(pickers)) {
    const verdicts: (number | undefined)[] = [];
    for (const [index, world] of worlds.entries()) {
      const parts = partsOf(world);
      const planner = archivePlanner({ ...parts, provider: new FixedPlanner(make(index + 1)) });
      verdicts.push(await verdictsToBest(world, searchStrategy({ ...parts, planner })));
    }
    measured.push(measurementOf(`search, ${name}`, verdicts));
  }
  return measured;
}

/** Of each of two sessions on the same kernel. */
const shortSession = 12;

/** Two short sessions of `refine` on each kernel: the second is told of the first, or is not. */
async function memoryMeasurements(make: (world: World) => Strategy): Promise<readonly Measurement[]> {
  let [remembered, forgotten] = [0, 0];
  for (const world of worlds) {
    const budget = { usd: 1, minutes: 1000, candidates: shortSession };
    const baseline = textOf(world, []);
    const { log } = await runScripted(make(world), { baseline, budget });
    const first = pastSession("first", log.events, "");
    const past = { ...noPast, sessions: first === undefined ? [] : [first] };
    const second = await runScripted(make(world), { baseline, budget, past });
    const again = await runScripted(make(world), { baseline, budget });
    const best = (events: readonly SessionEvent[]): boolean => firstBest(events, world) !== undefined;
    remembered += best(log.events) || best(second.log.events) ? 1 : 0;
    forgotten += best(log.events) || best(again.log.events) ? 1 : 0;
  }
  const of = (metric: string, value: number): Measurement => ({
    ...{ metric, value },
    unit: `of ${worlds.length} kernels`,
  });
  return [
    of(`best version found in two sessions of ${shortSession} verdicts, memory on`, remembered),
    of(`best version found in two sessions of ${shortSession} verdicts, memory off`, forgotten),
  ];
}

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
async function verdictsToBest(world: World, strategy: Strategy, atOnce = 1): Promise<number | undefined> {
  const { log } = await runScripted(strategy, {
    atOnce,
    baseline: textOf(world, []),
    budget: { usd: 1, minutes: 1000, candidates },
  });
  return firstBest(log.events, world);
}

function firstBest(events: readonly SessionEvent[], world: World): number | undefined {
  const bounds = events.flatMap((event) =>
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

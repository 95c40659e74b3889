import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { known } from "../../server/core/base/known";
import { treeDigest } from "../../server/core/agent/dependencies";
import { Guidance } from "../../server/core/agent/dialogue/guidance";
import { runLoop } from "../../server/core/agent/loop";
import { refineStrategy } from "../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../server/core/agent/strategies/search/search";
import { promptTexts } from "../../server/core/prompts/render";
import { readPromptFiles } from "../../server/host/model/prompt-files";
import { systemIdentity } from "../../server/host/system/identity";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { noRules } from "../harness/agent-session";
import { collectGarbage } from "../harness/collect-garbage";
import { sessionsBelow } from "../harness/long-session";
import { memoryFiles } from "../harness/memory-files";
import { ScriptedEvaluator, kernelFile, scriptedTask } from "../harness/scripted-evaluator";
import { TestClock } from "../harness/test-clock";
import { TirelessModel, tirelessBaseline } from "../harness/tireless-model";
import { type Bench, type Measurement, rounded } from "./bench";

const CANDIDATES = 500;
/** Candidates between two looks. */
const STRIDE = 50;

interface Look {
  readonly heapBytes: number;
  /** Processor time of this process so far. */
  readonly milliseconds: number;
}

/**
 * What the engine holds and takes in sessions of so many candidates: the log is on disk, the model and the
 * verdicts are made up (40 lines with counters each), so that nothing else is counted.
 */
export const sessionMemoryBench: Bench = {
  name: "session-memory",
  run: async () => [...(await measured("refine")), ...(await measured("search"))],
};

async function measured(strategy: "refine" | "search"): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-session-memory-"));
  try {
    return rowsOf(strategy, await playedIn(folder, strategy));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One session, with a look at every so many candidates. */
async function playedIn(folder: string, name: "refine" | "search"): Promise<readonly Look[]> {
  const prompts = promptTexts(await readPromptFiles(inRepository("server", "core", "prompts")));
  const looks: Look[] = [];
  const model = new TirelessModel();
  model.onTurn = (turn) => {
    if (turn % STRIDE === 0) looks.push(look());
  };
  const make = { refine: refineStrategy, search: searchStrategy }[name];
  const clock = new TestClock();
  const log = await sessionsBelow(folder).create();
  const evaluation = scriptedTask(tirelessBaseline);
  const { outcome, reason } = await runLoop({
    task: {
      evaluation,
      file: kernelFile,
      baselineTree: treeDigest(evaluation.baseline, systemIdentity),
      budget: { usd: 1000, minutes: 100_000, candidates: CANDIDATES },
    },
    strategy: make({ provider: model, prompts, files: memoryFiles({}), clock, rulebook: noRules }),
    dependencies: {
      ...{ evaluator: new ScriptedEvaluator(), log, clock, identity: systemIdentity },
      syntaxCheck: () => [],
    },
    signal: new AbortController().signal,
    guidance: new Guidance(),
  });
  await log.close();
  if (outcome !== "improved") throw new Error(`the session of ${name} found nothing: ${reason}`);
  return looks;
}

function look(): Look {
  const { user, system } = process.cpuUsage();
  collectGarbage();
  return { heapBytes: process.memoryUsage().heapUsed, milliseconds: (user + system) / 1000 };
}

function rowsOf(strategy: string, looks: readonly Look[]): readonly Measurement[] {
  const at = (candidates: number): Look =>
    known(looks[candidates / STRIDE - 1], `a look at ${candidates} candidates`);
  const megabytes = (candidates: number): number => at(candidates).heapBytes / 1e6;
  const time = (from: number, to: number): number =>
    (at(to).milliseconds - at(from).milliseconds) / (to - from);
  const grown = (megabytes(CANDIDATES) - megabytes(100)) / (CANDIDATES - 100);
  const [early, late] = [time(100, 200), time(CANDIDATES - 100, CANDIDATES)];
  return [
    {
      metric: `${strategy}: heap after ${CANDIDATES} candidates`,
      value: rounded(megabytes(CANDIDATES)),
      unit: "MB",
      versus: `${rounded(megabytes(100))} MB after 100`,
    },
    { metric: `${strategy}: heap of each further candidate`, value: rounded(grown * 1000), unit: "kB" },
    {
      metric: `${strategy}: processor time of each of the last 100 candidates`,
      value: rounded(late),
      unit: "ms",
      versus: `${rounded(early)} ms of candidates 101 to 200`,
      ratio: rounded(late / early),
    },
  ];
}

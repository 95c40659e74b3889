import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
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

/** Where a session is looked at, in candidates. */
const SIZES = [100, 500, 1000] as const;
const [FIRST, , LAST] = SIZES;
/** Candidates of which the time and the bytes of each are told. */
const STRETCH = 50;

interface Look {
  readonly heapBytes: number;
  readonly logBytes: number;
  /** Processor time of this process so far. */
  readonly milliseconds: number;
}

/**
 * What the engine holds, writes and takes in sessions of so many candidates: the log is on disk, the model
 * and the verdicts are made up (40 lines with counters each), so that nothing else is counted.
 */
export const sessionMemoryBench: Bench = {
  name: "session-memory",
  run: async () => [...(await measured("refine")), ...(await measured("search"))],
};

async function measured(strategy: "refine" | "search"): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-session-memory-"));
  try {
    const looks = await playedIn(folder, strategy);
    return [...rowsOf(strategy, looks), await readAgain(strategy, folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One session, with a look before and at the end of each stretch, by the number of candidates. */
async function playedIn(folder: string, name: "refine" | "search"): Promise<ReadonlyMap<number, Look>> {
  const prompts = promptTexts(await readPromptFiles(inRepository("server", "core", "prompts")));
  const looks = new Map<number, Look>();
  const model = new TirelessModel();
  model.onTurn = (turn) => {
    if (SIZES.some((size) => turn === size || turn === size - STRETCH)) looks.set(turn, lookAt(folder));
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
      budget: { usd: 1000, minutes: 100_000, candidates: LAST },
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

function lookAt(folder: string): Look {
  const { user, system } = process.cpuUsage();
  collectGarbage();
  return {
    heapBytes: process.memoryUsage().heapUsed,
    logBytes: bytesBelow(folder),
    milliseconds: (user + system) / 1000,
  };
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function rowsOf(strategy: string, looks: ReadonlyMap<number, Look>): readonly Measurement[] {
  const at = (candidates: number): Look => known(looks.get(candidates), `a look at ${candidates} candidates`);
  const each = (size: number, figure: (look: Look) => number): number =>
    (figure(at(size)) - figure(at(size - STRETCH))) / STRETCH;
  const row = (what: string, unit: string, figureAt: (size: number) => number): readonly Measurement[] =>
    SIZES.slice(1).map((size) => ({
      metric: `${strategy}: ${what} at ${size} candidates`,
      value: rounded(figureAt(size)),
      unit,
      versus: `${rounded(figureAt(FIRST))} ${unit} at ${FIRST}`,
      ratio: rounded(figureAt(size) / figureAt(FIRST)),
    }));
  const grown = (at(LAST).heapBytes - at(FIRST).heapBytes) / (LAST - FIRST);
  return [
    ...row("heap", "MB", (size) => at(size).heapBytes / 1e6),
    { metric: `${strategy}: heap of each further candidate`, value: rounded(grown), unit: "B" },
    ...row("log and files of each candidate", "kB", (size) => each(size, ({ logBytes }) => logBytes) / 1e3),
    ...row("processor time of each candidate", "ms", (size) =>
      each(size, ({ milliseconds }) => milliseconds),
    ),
  ];
}

/** A process that opens the session anew: what it holds of it, and how long that takes. */
async function readAgain(strategy: string, folder: string): Promise<Measurement> {
  const store = sessionsBelow(folder);
  const [session] = await store.list();
  const { sessionId } = known(session, "the session that was played");
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  const { state, logged } = await store.read(sessionId);
  const milliseconds = performance.now() - began;
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / state.candidates.length;
  return {
    metric: `${strategy}: heap of each candidate of a session that is looked at`,
    value: rounded(bytes),
    unit: "B",
    versus: `${logged.count} events read in ${rounded(milliseconds)} ms`,
  };
}

import { expect, test } from "vitest";
import { Guidance } from "../../../../server/core/agent/dialogue/guidance";
import { runLoop } from "../../../../server/core/agent/loop";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { rulebookStrategy } from "../../../../server/core/agent/strategies/rulebook";
import { type CorrectCandidate, isCorrect } from "../../../../server/core/agent/strategy";
import type { SourceTree } from "../../../../server/core/judge/candidate";
import type { KernelCounters } from "../../../../server/core/timing/counters";
import type { SessionEvent } from "../../../../server/core/trajectory/events";
import { MemorySessionLog, sha256 } from "../../../harness/memory-session-log";
import { TestClock } from "../../../harness/test-clock";
import { ruleParse } from "./grammars";
import { evaluatorOfFile } from "../../../host/worker/evaluation-under-test";
import { countedOn, sampleTask } from "./real-evaluation";
import { sampleCases } from "./sample-cases";

const { evaluator } = evaluatorOfFile();

/** The rulebook's whole session on a sample: the real compilers, the virtual GPU and the oracle. */
async function session(
  file: string,
  candidates: number,
): Promise<{
  readonly log: MemorySessionLog;
  readonly baseline: KernelCounters;
  readonly best: CorrectCandidate;
  readonly tree: SourceTree;
}> {
  const evaluation = sampleTask(file);
  const log = new MemorySessionLog();
  const result = await runLoop({
    task: { evaluation, file, baselineTree: "baseline", budget: { usd: 1, minutes: 10, candidates } },
    strategy: rulebookStrategy({ rules, parse: await ruleParse() }),
    dependencies: { evaluator, log, clock: new TestClock(), identity: { sha256 }, syntaxCheck: () => [] },
    signal: new AbortController().signal,
    guidance: new Guidance(),
  });
  const { best } = result;
  if (best === undefined || !isCorrect(best) || result.baseline?.kind !== "correct")
    throw new Error(`${file}: ${result.reason}`);
  return { log, baseline: result.baseline.counters, best, tree: evaluation.baseline };
}

/**
 * Origins of the candidates with a verdict, in order, by whether they were kept; each must have been correct.
 */
function outcomes(events: readonly SessionEvent[]): {
  readonly won: readonly string[];
  readonly dropped: readonly string[];
  readonly kinds: readonly string[];
} {
  const origins = new Map<string, string>();
  const [won, dropped, kinds]: [string[], string[], string[]] = [[], [], []];
  for (const event of events) {
    if (event.type === "candidate.created")
      origins.set(event.data.candidate, event.data.strategy.replace("rulebook:", ""));
    if (event.type !== "candidate.staged" || !event.data.verdict || event.data.candidate === "baseline")
      continue;
    (event.data.accepted ? won : dropped).push(origins.get(event.data.candidate) ?? "");
    kinds.push(event.data.verdict.kind);
  }
  return { won, dropped, kinds };
}

test.each(sampleCases.map((entry) => [entry.file, entry] as const))(
  "%s: the rulebook mends the line at fault",
  async (file, { candidates = 24, ...expected }) => {
    const { log, baseline, best, tree } = await session(file, candidates);
    const { won, dropped, kinds } = outcomes(log.events);
    const { lines, counter } = expected;
    const actual = {
      file,
      won,
      dropped,
      lines,
      counter,
      before: countedOn(tree[file] ?? "", lines, { file, counters: baseline, counter }),
      after: countedOn(best.candidate.tree[file] ?? "", lines, {
        file,
        counters: best.verdict.counters,
        counter,
      }),
    };
    expect(actual).toEqual(expected);
    expect(new Set(kinds)).toEqual(new Set(["correct"]));
    expect(best.verdict.tier).toBe("full");
  },
);

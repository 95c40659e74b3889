import { afterAll, expect, test } from "vitest";
import { runLoop } from "../../../../server/core/agent/loop";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { rulebookStrategy } from "../../../../server/core/agent/strategies/rulebook";
import type { CorrectCandidate } from "../../../../server/core/agent/strategy";
import type { SourceTree } from "../../../../server/core/kernel/candidate";
import type { CounterName, KernelCounters } from "../../../../server/core/kernel/counters";
import type { SessionEvent } from "../../../../server/core/trajectory/events";
import { MemorySessionLog, sha256 } from "../../../harness/memory-session-log";
import { TestClock } from "../../../harness/test-clock";
import { ruleParse } from "./grammars";
import { countedOn, realEvaluator, sampleTask } from "./real-evaluation";

const { evaluator, close } = realEvaluator();
afterAll(close);

/** A sample, the lines at fault (by what stands on them, before and after), and what the rulebook makes of them on the first shape of the spec. */
interface SampleCase {
  readonly file: string;
  readonly won: readonly string[];
  readonly dropped: readonly string[];
  readonly lines: RegExp;
  readonly counter: CounterName;
  readonly before: number;
  readonly after: number;
}

const cases: readonly SampleCase[] = [
  {
    file: "vector_add.cu", won: ["cuda-interleave-thread-items", "cuda-vectorize-items", "cuda-whole-warp-blocks"], dropped: [],
    lines: /a\[i\] \+ b\[i\]|const float4/, counter: "globalLoadSectors", before: 131_072, after: 16_384,
  },
  {
    file: "softmax.cu", won: ["cuda-keep-row-in-registers", "cuda-reuse-kept-expression"], dropped: [],
    lines: /expf\(row/, counter: "globalLoadSectors", before: 16_000, after: 0,
  },
  { file: "transpose.cu", won: ["cuda-pad-shared-tile"], dropped: [], lines: /= tile\[/, counter: "sharedWavefronts", before: 65_536, after: 2048 },
  {
    file: "matmul.cu", won: ["cuda-swap-thread-axes"], dropped: ["cuda-enlarge-shared-tile"],
    lines: /a\[row \* k/, counter: "globalLoadSectors", before: 65_536, after: 16_384,
  },
  { file: "vector_add.py", won: ["triton-raise-block-size"], dropped: [], lines: /tl\.load/, counter: "globalLoadSectors", before: 32_768, after: 16_384 },
  { file: "softmax.py", won: ["triton-fuse-row-passes"], dropped: [], lines: /tl\.load/, counter: "globalLoadSectors", before: 24_000, after: 8000 },
  {
    file: "matmul.py", won: ["triton-tensor-core-dot"], dropped: ["triton-enlarge-dot-tile"],
    lines: /tl\.dot/, counter: "tensorInstructions", before: 0, after: 1024,
  },
];

/** The rulebook's whole session on a sample: the real compilers, the virtual GPU and the oracle. */
async function session(file: string): Promise<{ readonly log: MemorySessionLog; readonly baseline: KernelCounters; readonly best: CorrectCandidate; readonly tree: SourceTree }> {
  const evaluation = sampleTask(file);
  const log = new MemorySessionLog();
  const result = await runLoop({
    task: { evaluation, file, baselineTree: "baseline", budget: { usd: 1, minutes: 10, candidates: 24 } },
    strategy: rulebookStrategy({ rules, parse: await ruleParse() }),
    dependencies: { evaluator, log, clock: new TestClock(), identity: { sha256 }, syntaxCheck: () => [] },
    signal: new AbortController().signal,
  });
  if (result.best === undefined || result.baseline?.kind !== "correct") throw new Error(`${file}: ${result.reason}`);
  return { log, baseline: result.baseline.counters, best: result.best, tree: evaluation.baseline };
}

/** Origins of the candidates with a verdict, in order, by whether they were kept; each must have been correct. */
function outcomes(events: readonly SessionEvent[]): { readonly won: readonly string[]; readonly dropped: readonly string[]; readonly kinds: readonly string[] } {
  const origins = new Map<string, string>();
  const [won, dropped, kinds]: [string[], string[], string[]] = [[], [], []];
  for (const event of events) {
    if (event.type === "candidate.created") origins.set(event.data.candidate, event.data.strategy.replace("rulebook:", ""));
    if (event.type !== "candidate.staged" || !event.data.verdict || event.data.candidate === "baseline") continue;
    (event.data.accepted ? won : dropped).push(origins.get(event.data.candidate) ?? "");
    kinds.push(event.data.verdict.kind);
  }
  return { won, dropped, kinds };
}

test.each(cases.map((entry) => [entry.file, entry] as const))("%s: the rulebook mends the line at fault", async (file, expected) => {
  const { log, baseline, best, tree } = await session(file);
  const { won, dropped, kinds } = outcomes(log.events);
  const { lines, counter } = expected;
  const actual = {
    file, won, dropped, lines, counter,
    before: countedOn(tree[file] ?? "", lines, { file, counters: baseline, counter }),
    after: countedOn(best.candidate.tree[file] ?? "", lines, { file, counters: best.verdict.counters, counter }),
  };
  expect(actual).toEqual(expected);
  expect(new Set(kinds)).toEqual(new Set(["correct"]));
  expect(best.verdict.tier).toBe("full");
}, 120_000);

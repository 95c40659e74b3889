import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeDigest } from "../../../server/core/agent/dependencies";
import { Guidance } from "../../../server/core/agent/dialogue/guidance";
import { runLoop } from "../../../server/core/agent/loop";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";
import type { SessionLog } from "../../../server/core/ports/run-store";
import { promptTexts } from "../../../server/core/prompts/render";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { validateEvents } from "../../../server/core/trajectory/validate";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { systemIdentity } from "../../../server/host/system/identity";
import { noRules } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { ScriptedEvaluator, kernelFile, scriptedTask } from "../../harness/scripted-evaluator";
import { TestClock } from "../../harness/test-clock";
import { openStore } from "./session-fixtures";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const baseline = "// bound 1000\n// binding dram\n";
/** What the model writes as its first version, its second, and so on: gains, losses, faults, two kinds. */
const versions = [
  "// bound 900\n// binding dram\n",
  "// bound 950\n// binding l2\n",
  "// wrong\n",
  "// does not compile\n",
  "// bound 800\n// binding dram\n",
];
const usdOfCall = 0.25;

/** Proposes the version after the newest one that it was told of, wherever its conversation begins. */
class ReadingModel implements ModelProvider {
  readonly name = "reading";
  readonly model = "reading-1";
  readonly limits = { outputTokens: 8192, contextTokens: 48_192, requestsAtOnce: 4 };
  private calls = 0;

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return usdOfCall;
  }

  async complete({ messages }: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    const told = [...JSON.stringify(messages).matchAll(/\bc(\d+)\b/g)].map(([, number]) => Number(number));
    const next = Math.max(0, ...told);
    this.calls += 1;
    const given = [
      { name: "write_file", given: { path: kernelFile, text: versions[next] ?? "// bound 1\n" } },
      { name: "submit_candidate", given: { hypothesis: `step ${next + 1} moves less.` } },
    ];
    return {
      kind: "reply",
      text: "",
      reasoning: null,
      toolCalls: given.map(({ name, given: words }, index) => ({
        callId: `t${this.calls}_${index}`,
        name,
        rawArguments: JSON.stringify(words),
      })),
      finish: "tool-calls",
      usage: { inputUncached: 1, cacheRead: 0, cacheWrite: null, output: 1, reasoning: null },
      costUsd: usdOfCall,
      model: this.model,
      attempts: 1,
    };
  }
}

const strategies = { refine: refineStrategy, search: searchStrategy } as const;

async function play(log: SessionLog, name: keyof typeof strategies, resume: boolean): Promise<void> {
  const clock = new TestClock();
  const evaluation = scriptedTask(baseline);
  const provider = new ReadingModel();
  await runLoop({
    task: {
      evaluation,
      file: kernelFile,
      baselineTree: treeDigest(evaluation.baseline, systemIdentity),
      budget: { usd: 1000, minutes: 1000, candidates: versions.length },
    },
    strategy: strategies[name]({ provider, prompts, files: memoryFiles({}), clock, rulebook: noRules }),
    dependencies: {
      ...{ evaluator: new ScriptedEvaluator(), log, clock, identity: systemIdentity },
      syntaxCheck: () => [],
    },
    signal: new AbortController().signal,
    guidance: new Guidance(),
    resume,
  });
  await log.close();
}

/** All that a session that goes on must have as if nobody had killed it. */
function outcomeOf(events: readonly SessionEvent[]): object {
  const archive = new Map<string, object>();
  const paid = events.filter(({ type }) => type === "llm.response").length * usdOfCall;
  let end: object | undefined;
  for (const { type, data } of events) {
    if (type === "candidate.created") {
      const { candidate, parent, tree, hypothesis } = data;
      archive.set(candidate, { parent, tree, hypothesis });
    }
    if (type === "candidate.staged" && data.verdict !== null) {
      const { stage, accepted, reason, candidate } = data;
      archive.set(candidate, { ...archive.get(candidate), stage, accepted, reason });
    }
    if (type === "session.ended") {
      const { best, ending, used } = data;
      end = { best, ending, candidates: used.candidates, isPaid: used.usd === paid };
    }
  }
  return { archive: [...archive], end };
}

/** The lines of the only segment. */
async function linesOf(folder: string): Promise<readonly string[]> {
  return (await readFile(join(folder, "events-000001.jsonl"), "utf8")).trimEnd().split("\n");
}

/** A copy of a session whose process ended after so many events, or while it wrote the next one. */
async function killedAfter(folder: string, lines: readonly string[], events: number, torn: string) {
  const sessionId = systemIdentity.ulid();
  const copy = join(folder, "..", sessionId);
  await mkdir(copy);
  await cp(join(folder, "session.json"), join(copy, "session.json"));
  const kept = lines.slice(0, events).map((line) => `${line}\n`);
  await writeFile(join(copy, "events-000001.jsonl"), kept.join("") + torn);
  return { sessionId, copy };
}

test.each(["refine", "search"] as const)(
  "%s, killed after any of its events or while it writes one, goes on with the same archive",
  async (name) => {
    const root = await mkdtemp(join(tmpdir(), "kernelwright-killed-"));
    try {
      const store = openStore(root);
      const whole = await store.create();
      await play(whole, name, false);
      const folder = join(root, whole.sessionId);
      const lines = await linesOf(folder);
      const expected = outcomeOf(await whole.logged.all());
      expect(lines.length).toBeGreaterThan(100);
      for (const [index, next] of lines.entries()) {
        // Every second time the next line had begun.
        const torn = index % 2 === 0 ? next.slice(0, next.length / 2) : "";
        const { sessionId, copy } = await killedAfter(folder, lines, index, torn);
        const log = await openStore(root).reopen(sessionId);
        await play(log, name, true);
        const events = await log.logged.all();
        expect({ index, ...outcomeOf(events) }).toEqual({ index, ...expected });
        const faults = validateEvents(events).map(({ rule }) => rule);
        // The loop alone writes neither the start of a session nor the baseline's snapshot.
        expect(faults.filter((rule) => rule !== "started-once" && rule !== "tree-known")).toEqual([]);
        await rm(copy, { recursive: true });
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);

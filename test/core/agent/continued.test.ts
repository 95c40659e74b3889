import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { rulebookStrategy } from "../../../server/core/agent/strategies/rulebook";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted, traceOf } from "../../harness/agent-session";
import { expectCase } from "../../harness/cases";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { scriptedStrategy } from "../../harness/scripted-strategy";
import { TestClock } from "../../harness/test-clock";

const here = dirname(fileURLToPath(import.meta.url));
const prompts = promptTexts(await readPromptFiles(join(here, "../../../server/core/prompts")));
const slow = "// bound 1000\n";

/** What a session did. */
function expectDone(name: string, done: unknown): void {
  expectCase(`agent/continued/${name.replaceAll(" ", "-")}.json`, done);
}

test.each([
  { name: "a faster one is the best from the beginning", from: "// bound 500\n", texts: ["// bound 400\n"] },
  { name: "nothing comes on top of it", from: "// bound 500\n", texts: ["// bound 600\n"] },
  { name: "a slower one is dropped, and built upon", from: "// bound 1500\n", texts: ["// bound 700\n"] },
])("a session goes on from a candidate: $name", async ({ name, from, texts }) => {
  const budget = { usd: 1, minutes: 10, candidates: texts.length };
  const { result, log } = await runScripted(scriptedStrategy(texts), { baseline: slow, from, budget });
  const events = traceOf(log.events).filter((line) =>
    /^(candidate|session)\.(?!staged \S+ (parsed|compiled)$)/.test(line),
  );
  expectDone(name, { outcome: result.outcome, events });
});

test("a session that ended before its first verdict takes the candidate up when it goes on", async () => {
  const log = new MemorySessionLog();
  const controller = new AbortController();
  log.onWrite = (event) => {
    if (event.type === "candidate.created" && event.data.candidate === "c1") controller.abort();
  };
  const session = { baseline: slow, from: "// bound 500\n", log };
  await runScripted(scriptedStrategy([]), { ...session, signal: controller.signal });
  const { result } = await runScripted(scriptedStrategy([]), { ...session, resume: true });
  const created = log.events.filter(({ type }) => type === "candidate.created").length;
  expect([result.best?.candidate.id, created]).toEqual(["c1", 2]);
});

test("rules look first at a candidate that is slower than the baseline", async () => {
  const rule = {
    id: "halve",
    title: "halve",
    cause: { id: "waste", words: "time is wasted" },
    dialects: ["cuda" as const],
    answer: ({ tree }: { readonly tree: Readonly<Record<string, string>> }) => [
      {
        kind: "proposal" as const,
        tree: { ...tree, [kernelFile]: `// halved\n${tree[kernelFile] ?? ""}` },
        hypothesis: "halve it.",
        evidence: {
          ...{ file: kernelFile, line: 1, value: 64, ideal: 32, sentence: "it is slow." },
          counter: "globalLoadSectors" as const,
        },
        gain: 0.1,
      },
    ],
  };
  const { log } = await runScripted(rulebookStrategy({ rules: [rule], parse: () => undefined }), {
    ...{ baseline: slow, from: "// bound 1500\n" },
    budget: { usd: 1, minutes: 10, candidates: 2 },
  });
  expectDone(
    "rulebook",
    traceOf(log.events).filter((line) => line.startsWith("candidate.created")),
  );
});

const submitted = { name: "submit_candidate", arguments: { hypothesis: "mended" } };
const edit = {
  name: "edit",
  arguments: { path: kernelFile, old_text: "// wrong", new_text: "// bound 400" },
};

test.each(["refine", "search"])("a model mends a candidate that was wrong: %s", async (name) => {
  const model = new ScriptedModel([{ calls: [edit] }, { calls: [submitted] }]);
  const parts = {
    provider: model,
    prompts,
    files: memoryFiles({}),
    clock: new TestClock(),
    rulebook: noRules,
  };
  const strategy = name === "refine" ? refineStrategy(parts) : searchStrategy(parts);
  const { result } = await runScripted(strategy, { baseline: slow, from: "// wrong\n" });
  const task = model.requests[0]?.messages[1]?.text ?? "";
  const [told = ""] = /The user wants[^]*?(?=\n\n|$)/.exec(task) ?? [];
  expect([result.best?.candidate.parent, result.best?.candidate.tree[kernelFile]]).toEqual([
    "c1",
    "// bound 400\n",
  ]);
  expectDone(name, { told: told.split("\n"), round: /This is round 1[^.]*\.[^.]*/.exec(task)?.[0] ?? null });
});

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Past, pastSession } from "../../../server/core/agent/memory/past";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import type { MemorySessionLog } from "../../harness/memory-session-log";
import { kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const here = dirname(fileURLToPath(import.meta.url));
const prompts = promptTexts(await readPromptFiles(join(here, "../../../server/core/prompts")));
const baseline = "// bound 1000\n";

async function session(replies: readonly object[], past?: Past): Promise<[MemorySessionLog, ScriptedModel]> {
  const model = new ScriptedModel(replies as never);
  const parts = { provider: model, prompts, files: memoryFiles({}), clock: new TestClock() };
  const strategy = refineStrategy({ ...parts, rulebook: noRules });
  const { log } = await runScripted(strategy, { baseline, ...(past ? { past } : {}) });
  return [log, model];
}

const write = (text: string, hypothesis: string): object => ({
  calls: [
    { name: "write_file", arguments: { path: kernelFile, text } },
    { name: "submit_candidate", arguments: { hypothesis } },
  ],
});
const finish = { calls: [{ name: "finish", arguments: { reason: "done" } }] };

test("what an earlier session tried stands in the task of the next one, and its files can be recalled", async () => {
  const [first] = await session([
    write("// bound 600\n", "wider | loads"),
    write("// bound 500\n// wrong\n", "no barrier"),
    finish,
  ]);
  const earlier = pastSession("01", first.events, "other");
  const past: Past = {
    sessions: earlier === undefined ? [] : [earlier],
    filesOf: (_, treeId) => first.loadTree(treeId),
    skills: [],
  };
  const recall = (call: string): object => ({ calls: [{ name: "recall", arguments: { call } }] });
  const [, model] = await session([recall("p1/c1"), recall("p2/c1"), finish], past);
  const last = model.requests.at(-1)?.messages ?? [];
  const task = last[1]?.text ?? "";
  expect(task.slice(task.indexOf("Earlier sessions")).split("\n")).toEqual([
    expect.stringMatching(
      /^Earlier sessions on this kernel: p1 of \d{4}-\d\d-\d\d, its baseline took 1 µs, on other/,
    ),
    "",
    "| candidate | what it did | idea |",
    "| --- | --- | --- |",
    "| p1/c1 | 600 ns (dram), became the best | wider \\| loads |",
    "| p1/c2 | wrong | no barrier |",
  ]);
  expect(last.filter(({ role }) => role === "tool").map(({ text }) => text)).toEqual([
    expect.stringMatching(/^p1\/c1: faster than the baseline[^]*k\.cu:\n\/\/ bound 600\n$/),
    "There is no output of a call p2/c1, and no earlier candidate of that name.",
  ]);
});

test("the first session on a kernel hears of none", async () => {
  const [log, model] = await session([finish]);
  expect(model.requests[0]?.messages[1]?.text).not.toContain("Earlier sessions");
  expect(pastSession("01", log.events, "x")).toBeUndefined();
});

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { triedTable, wholeTriedTable } from "../../../server/core/agent/dialogue/tried-table";
import { type Past, pastSession, pastText } from "../../../server/core/agent/memory/past";
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
      /^Earlier sessions on this target: p1 of \d{4}-\d\d-\d\d, its baseline took 1 µs, on other/,
    ),
    "",
    "| candidate | what it did | idea |",
    "| --- | --- | --- |",
    "| p1/c1 | 600 ns (dram), became the best | wider \\| loads |",
    expect.stringMatching(/^\| p1\/c2 \| wrong; .+ \| no barrier \|$/),
  ]);
  expect(last.filter(({ role }) => role === "tool").map(({ text }) => text)).toEqual([
    expect.stringMatching(/^p1\/c1: faster than the baseline[^]*k\.cu:\n\/\/ bound 600\n$/),
    "There is no output of a call p2/c1, and no candidate of that name.",
  ]);
});

test("a candidate of the running session is recalled, and the scratch copy stays as it is", async () => {
  const recall = { calls: [{ name: "recall", arguments: { call: "c1" } }] };
  const second = write("// bound 500\n", "next");
  const submit = { calls: [{ name: "submit_candidate", arguments: { hypothesis: "what the copy holds" } }] };
  const edit = { calls: [{ name: "write_file", arguments: { path: kernelFile, text: "// bound 400\n" } }] };
  const [log, model] = await session([write("// bound 600\n", "one"), second, edit, recall, submit, finish]);
  const said = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
  expect(said.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(
      /^c1: faster than the baseline[^]*@@ k\.cu:1\n-\/\/ bound 1000\n\+\/\/ bound 600[^]*k\.cu:\n\/\/ bound 600\n$/,
    ),
  );
  const bounds = pastSession("01", log.events, "x")?.candidates.map(({ verdict }) => verdict);
  expect(bounds?.at(-1)).toMatchObject({ kind: "correct", bound: { nanoseconds: 400 } });
});

test("the first session on a kernel hears of none", async () => {
  const [log, model] = await session([finish]);
  expect(model.requests[0]?.messages[1]?.text).not.toContain("Earlier sessions");
  expect(pastSession("01", log.events, "x")).toBeUndefined();
});

interface RowsCase {
  readonly name: string;
  /** How many candidates each session has, and which of them became the best. */
  readonly sessions: readonly (readonly [count: number, best: readonly number[]])[];
  readonly expected: readonly string[];
  readonly missing: readonly string[];
}

const rowsCases: readonly RowsCase[] = [
  {
    name: "the best is one of many, whether old or new",
    sessions: [[46, [2, 45]]],
    expected: ["p1/c2", "p1/c45", "p1/c46", "(6 more are left out"],
    missing: ["p1/c1", "p1/c7"],
  },
  {
    name: "each session has its share, and what a small one leaves",
    sessions: [
      [100, [3]],
      [50, []],
      [4, []],
    ],
    expected: ["p1/c3", "p1/c84", "p2/c33", "p3/c1", "(114 more are left out"],
    missing: ["p1/c83", "p2/c32"],
  },
];

test.each(rowsCases)("rows of earlier sessions: $name", ({ sessions, expected, missing }) => {
  const bound = { nanoseconds: 600, simulatedNanoseconds: 900, binding: "dram" };
  const text = pastText({
    sessions: sessions.map(([count, best], index) => ({
      ...{ sessionId: String(index), day: "2026-01-01", sameFiles: true, refuting: [] },
      candidates: Array.from({ length: count }, (_, number) => ({
        ...{ id: `c${number + 1}`, tree: "t", hypothesis: "an idea", reason: "slower than the best" },
        accepted: best.includes(number + 1),
        verdict: { kind: "correct", tier: "full", bound } as const,
      })),
    })),
  });
  const shown = (name: string): boolean => text.includes(name.startsWith("(") ? name : `| ${name} |`);
  expect(expected.filter((name) => !shown(name))).toEqual([]);
  expect(missing.filter(shown)).toEqual([]);
  expect(text).toContain("600 ns (dram), 900 ns simulated, became the best");
  expect(text).toContain("600 ns (dram), 900 ns simulated; slower than the best");
});

test("the table of a long session has the best, the wanted and the newest; the rest is told where to find", () => {
  const candidates = Array.from({ length: 500 }, (_, number) => ({
    ...{ id: `c${number + 1}`, parent: "baseline", tree: "t", hypothesis: "an idea", origin: "refine:m" },
    ...{ stage: "correct", state: "dropped", accepted: number === 9, reason: "slower", judgedAt: number },
    verdict: { kind: "wrong" },
  })) as unknown as Parameters<typeof triedTable>[0]["candidates"];
  const rows = triedTable({ candidates }, ["c70"]).split("\n");
  expect(rows).toHaveLength(43);
  expect(rows[0]).toContain('(460 candidates are left out; `recall` with call "tried" gives all)');
  expect(rows.slice(3, 6).map((row) => row.split(" ")[1])).toEqual(["c10", "c70", "c463"]);
  expect(wholeTriedTable({ candidates }).split("\n")).toHaveLength(502);
});

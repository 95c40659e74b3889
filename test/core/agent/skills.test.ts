import { expect, test } from "vitest";
import { learn } from "../../../server/core/agent/memory/learning";
import { worthOf } from "../../../server/core/agent/memory/memory-text";
import { readSkill, type Skill, valueOf, writeSkill } from "../../../server/core/agent/memory/skill";
import { noPast } from "../../../server/core/agent/memory/past";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { promptTexts } from "../../../server/core/prompts/render";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { counterCatalogue } from "../../../server/core/timing/counter-catalogue";
import { noCounters } from "../../../server/core/timing/counters";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import type { MemorySessionLog } from "../../harness/memory-session-log";
import { kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const began = { [kernelFile]: "// bound 1000\n", "lib.h": "// helper\n" };
const prompts = promptTexts(await readPromptFiles("server/core/prompts"));

/** A session in which a model submits these files, each with its hypothesis. */
async function session(
  submitted: readonly (readonly [text: string, hypothesis: string])[],
  skills: readonly Skill[] = [],
): Promise<[MemorySessionLog, ScriptedModel]> {
  const replies = submitted.map(([text, hypothesis]) => ({
    calls: [
      { name: "write_file", arguments: { path: kernelFile, text } },
      { name: "submit_candidate", arguments: { hypothesis } },
    ],
  }));
  const finish = { calls: [{ name: "finish", arguments: { reason: "done" } }] };
  const model = new ScriptedModel([...replies, finish]);
  const parts = { provider: model, prompts, files: memoryFiles({}), clock: new TestClock() };
  const strategy = refineStrategy({ ...parts, rulebook: noRules });
  const { log } = await runScripted(strategy, { baseline: "// bound 1000\n", past: { ...noPast, skills } });
  return [log, model];
}

function learnt(library: readonly Skill[], log: MemorySessionLog): Promise<readonly Skill[]> {
  // The log in memory does not hold the files that a session begins with.
  const loadTree = (treeId: string) => log.loadTree(treeId).catch(() => began);
  return learn(library, {
    ...{ dialect: "cuda", kernel: "k", target: "vgpu:sm_80" },
    ...{ events: log.events, loadTree, loadText: (stored) => log.loadText(stored) },
  });
}

test("what the judge verified as a gain becomes a skill, and nothing else does", async () => {
  const [log] = await session([
    ["// bound 10\n// wrong\n", "a hundred times faster"],
    ["// bound 500\n", "wider loads"],
    ["// bound 490\n", "a detail"],
    ["// bound 900\n", "slower"],
  ]);
  const skills = await learnt([], log);
  expect(skills).toEqual([
    {
      ...{
        id: "k-dram-to-dram-wider-loads",
        dialect: "cuda",
        target: "vgpu:sm_80",
        before: "dram",
        after: "dram",
      },
      ...{ gain: 2, where: "k, 2026-01-01", idea: "wider loads", counted: expect.any(Array) },
      rewrite: "@@ k.cu:1\n-// bound 1000\n+// bound 500",
      ...{ told: 0, used: 0, helped: 0 },
    },
  ]);
  expect(skills.map(writeSkill).map(readSkill)).toEqual(skills);
  expect(readSkill("# notes of mine\n")).toBeUndefined();
});

const skill: Skill = {
  ...{ id: "wide-loads", dialect: "cuda", target: "vgpu:sm_80", before: "dram", after: "l2", gain: 3 },
  ...{ where: "copy, 2026-01-01", idea: "wide loads", counted: ["load sectors 64 → 32"], rewrite: "-a\n+b" },
  ...{ told: 0, used: 0, helped: 0 },
};

test("a skill for what binds is told; how often it helped is counted by the judge's verdicts", async () => {
  const other = { ...skill, id: "for-latency", before: "latency" };
  const [log, model] = await session(
    [
      ["// bound 500\n", "skill:wide-loads on line 1"],
      ["// bound 800\n", "skill:wide-loads once more"],
    ],
    [skill, other],
  );
  const task = model.requests[0]?.messages[1]?.text ?? "";
  expect(task).toContain(
    "skill:wide-loads (copy, 2026-01-01): 3 times, dram → l2; named 0 times, helped 0 times.",
  );
  expect(task).not.toContain("for-latency");
  const after = await learnt([skill, other], log);
  expect(after.find(({ id }) => id === "wide-loads")).toEqual({ ...skill, told: 1, used: 2, helped: 1 });
});

test("a skill that was named three times and never helped is forgotten; one that helps is worth more", async () => {
  const [log] = await session([["// bound 1200\n", "skill:wide-loads again"]], [skill]);
  expect(await learnt([{ ...skill, used: 2 }], log)).toEqual([]);
  expect(await learnt([{ ...skill, told: 11 }], log)).toEqual([]);
  expect(valueOf({ ...skill, used: 2, helped: 2 })).toBeGreaterThan(
    valueOf({ ...skill, used: 2, helped: 0 }),
  );
});

test("two techniques on one kernel are two skills, and one that was not told is not used by its name", async () => {
  const [log] = await session([
    ["// bound 500\n", "wider loads"],
    ["// bound 250\n", "skill:wide-loads: keep sums in registers"],
  ]);
  const after = await learnt([skill], log);
  expect(after.map(({ id }) => id).sort()).toEqual([
    "k-dram-to-dram-keep-sums-in-registers",
    "k-dram-to-dram-wider-loads",
    "wide-loads",
  ]);
  expect(after).toContainEqual(skill);
  const [again] = await session([["// bound 500\n", "other words"]]);
  expect((await learnt(after, again)).map(({ id }) => id).sort()).toEqual(after.map(({ id }) => id).sort());
});

test("a file without a count of tellings is read; skills of this architecture and evidence come first", () => {
  expect(readSkill(writeSkill(skill).replace("told: 0\n", ""))).toEqual(skill);
  const totals = { ...noCounters(), sharedWavefronts: 100 };
  const worth = (told: Partial<Skill>, target = "vgpu:sm_80"): number =>
    worthOf({ ...skill, counted: [], ...told }, { target, totals });
  expect(worth({})).toBeGreaterThan(worth({}, "gpu:0/sm_90"));
  expect(worth({})).toBe(worth({}, "ssh:host"));
  const label = counterCatalogue.sharedWavefronts.title;
  const fits = worth({ counted: [`${label} 64 → 32`] });
  expect(fits).toBeGreaterThan(worth({ counted: ["another counter 64 → 32"] }));
  expect(fits).toBe(worth({}));
});

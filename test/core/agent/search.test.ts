import { expect, test } from "vitest";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { Strategy } from "../../../server/core/agent/strategy";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { SkilledModel } from "../../bench/agent/skilled-model";
import { textOf, worldOf } from "../../bench/agent/world";
import { bestBound, type FinishedSession, noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const world = worldOf(2);
const budget = { usd: 1, minutes: 1000, candidates: 40 };

function search(onAnswer: () => void = () => undefined): Strategy {
  const model = new SkilledModel(world);
  const provider = {
    ...{ name: model.name, model: model.model, limits: model.limits },
    estimateUsd: () => 0,
    complete: (request: Parameters<SkilledModel["complete"]>[0]) => {
      onAnswer();
      return model.complete(request);
    },
  };
  const clock = new TestClock();
  return searchStrategy({ provider, prompts, files: memoryFiles({}), clock, rulebook: noRules });
}

function candidatesOf({ log }: FinishedSession): readonly string[] {
  return log.events.flatMap((event) =>
    event.type === "candidate.created"
      ? [`${event.data.candidate} on ${event.data.parent ?? "nothing"}: ${event.data.hypothesis}`]
      : [],
  );
}

test("a search that is stopped anywhere goes on with the same archive", async () => {
  const whole = await runScripted(search(), { baseline: textOf(world, []), budget });
  expect(bestBound(whole)).toBe(world.best);
  const ids = whole.log.events.flatMap((event) => (event.type === "llm.request" ? [event.data.request] : []));
  expect(new Set(ids).size).toBe(ids.length);
  for (const stopAt of [1, 3, 6, 9]) {
    const log = new MemorySessionLog();
    const controller = new AbortController();
    let answers = 0;
    const stopped = search(() => {
      answers += 1;
      if (answers === stopAt) controller.abort();
    });
    const { signal } = controller;
    await runScripted(stopped, { baseline: textOf(world, []), budget, log, signal });
    const resumed = await runScripted(search(), { baseline: textOf(world, []), budget, log, resume: true });
    expect([stopAt, bestBound(resumed)]).toEqual([stopAt, world.best]);
    const all = candidatesOf(resumed).map((line) => line.replace(/^c\d+ on \w+: /, ""));
    expect([stopAt, all.length]).toEqual([stopAt, new Set(all).size]);
  }
});

test("at the floor nothing is asked", async () => {
  const { result } = await runScripted(
    search(() => expect.fail("the model was asked")),
    { baseline: "// bound 400\n", budget },
  );
  expect(result.reason).toContain("baseline is at the floor of the task: no rewrite can lower its bound");
});

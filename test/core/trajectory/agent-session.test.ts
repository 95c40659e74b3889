import { join } from "node:path";
import { expect, it } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { promptTexts } from "../../../server/core/prompts/render";
import type { NewEvent } from "../../../server/core/trajectory/events";
import type { AtifTrajectory } from "../../../server/core/trajectory/export/atif-types";
import { exportSession } from "../../../server/core/trajectory/export/registry";
import { reduceSession } from "../../../server/core/trajectory/reduce";
import { validateEvents } from "../../../server/core/trajectory/validate";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { kernelFile, scriptedTask } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";
import { task } from "./event-fixtures";
import { exportInput } from "./export/export-input";

const baseline = "// bound 1000\n";
const conversation = [
  {
    calls: [
      { name: "edit", arguments: { path: kernelFile, old_text: "1000", new_text: "900" } },
      { name: "submit_candidate", arguments: { hypothesis: "fewer loads" } },
    ],
  },
  { calls: [{ name: "finish", arguments: { reason: "done" } }] },
];

/** A session of the conversation above, as the agent writes it. */
async function recordedSession(): Promise<{ readonly log: MemorySessionLog; readonly outcome: string }> {
  const prompts = promptTexts(
    await readPromptFiles(join(import.meta.dirname, "../../../server/core/prompts")),
  );
  const log = new MemorySessionLog();
  const tree = await log.snapshot(scriptedTask(baseline).baseline, null);
  const started: NewEvent = {
    type: "session.started",
    actor: { kind: "engine" },
    data: {
      format_version: "1.0",
      product: { name: "kernelwright", version: "1.2.3" },
      workspace: "w",
      task,
      baseline_tree: tree,
      seed: "5eed",
    },
  };
  await log.append(started);
  const strategy = refineStrategy({
    provider: new ScriptedModel(conversation as never),
    prompts,
    files: memoryFiles({ [kernelFile]: baseline }),
    clock: new TestClock(),
    rulebook: noRules,
  });
  const { result } = await runScripted(strategy, { baseline, log });
  return { log, outcome: result.outcome };
}

it("the agent writes a valid log", async () => {
  const { log, outcome } = await recordedSession();
  expect(outcome).toBe("improved");
  expect(validateEvents(log.events)).toEqual([]);
  const state = reduceSession(log.events);
  expect([state.unread, state.openCalls, state.openRequests, state.jobs]).toEqual([[], [], [], []]);
  expect(state.candidates.map(({ id, state: candidateState, stage }) => [id, candidateState, stage])).toEqual(
    [
      ["baseline", "accepted", "correct"],
      ["c1", "best", "faster"],
    ],
  );
});

it("an exported candidate is an observation of the calls that made it", async () => {
  const { log } = await recordedSession();
  const input = {
    ...exportInput({ events: [], blobs: new Map() }),
    events: log.events,
    loadText: log.loadText.bind(log),
    loadTree: log.loadTree.bind(log),
  };
  const made = await exportSession(input, "atif-1.8");
  expect(made.problems).toEqual([]);
  const document = JSON.parse(made.text) as AtifTrajectory;
  const replies = document.steps.filter((step) => step.llm_call_count === 1);
  expect(replies.map((step) => step.tool_calls?.map((call) => call.function_name))).toEqual([
    ["edit", "submit_candidate"],
    ["finish"],
  ]);
  expect(JSON.stringify(replies[0]?.observation)).toContain('"id":"c1"');
  expect(
    document.steps.every(
      (step) =>
        (step.tool_calls?.length ?? 0) ===
        (step.tool_calls === undefined ? 0 : step.observation?.results.length),
    ),
  ).toBe(true);
});

import { expect, test } from "vitest";
import { Numbers } from "../../../server/core/agent/dialogue/dialogue";
import { caseTester, keptCaseTester } from "../../../server/core/agent/roles/case-tester";
import { noPast, type Past, pastSession } from "../../../server/core/agent/memory/past";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { promptTexts } from "../../../server/core/prompts/render";
import type { ModelProvider } from "../../../server/core/ports/model";
import { challengedLines } from "../../../server/core/trajectory/talk/challenged";
import { exportSession } from "../../../server/core/trajectory/export/registry";
import type { SessionEvent, StoredText } from "../../../server/core/trajectory/events";
import { talkOf } from "../../../server/core/trajectory/talk/run-talk";
import { timelineOf } from "../../../server/core/trajectory/timeline/timeline";
import { validateEvents } from "../../../server/core/trajectory/validate";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import {
  type FinishedSession,
  noRules,
  runScripted,
  type ScriptedSession,
} from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { ScriptedEvaluator, kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import type { ScriptedReply } from "../../harness/openai-script";
import { TestClock } from "../../harness/test-clock";
import { eventsOf, exampleStream } from "../trajectory/event-streams";
import { exportInput } from "../trajectory/export/export-input";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const files = memoryFiles({});
const baseline = "// bound 1000\n";
const [faulty, mended] = ["// bound 500\n// fails n=77\n", "// bound 500\n"];

/** Answers by what stands in the conversation, so that it goes on wherever a session was cut. */
class Reader extends ScriptedModel {
  constructor(private readonly answer: (said: string) => ScriptedReply) {
    super([]);
  }

  override async complete(
    ...[request, signal]: Parameters<ModelProvider["complete"]>
  ): ReturnType<ModelProvider["complete"]> {
    const said = request.messages.map(({ text }) => text).join("\n");
    return new ScriptedModel([this.answer(said)]).complete(request, signal);
  }
}

const submit = (text: string): ScriptedReply => ({
  calls: [
    { name: "write_file", arguments: { path: kernelFile, text } },
    { name: "submit_candidate", arguments: { hypothesis: "two elements a thread" } },
  ],
});

function coder(): ModelProvider {
  return new Reader((said) => {
    if (/became the best|accepted, the best so far/.test(said))
      return { calls: [{ name: "finish", arguments: { reason: "done" } }] };
    return submit(said.includes("in a case of the tester") ? mended : faulty);
  });
}

const cases = [
  { sizes: { n: 5 }, why: "Small." },
  { sizes: { n: 77 }, why: "Odd." },
];

async function session(
  given: Partial<ScriptedSession> & { readonly testing?: ModelProvider } = {},
): Promise<FinishedSession> {
  const { testing = new Reader(() => ({ text: JSON.stringify({ cases }) })), ...rest } = given;
  const [numbers, clock] = [new Numbers(), rest.clock ?? new TestClock()];
  const strategy = refineStrategy({ provider: coder(), prompts, files, clock, rulebook: noRules, numbers });
  const tester = caseTester({ provider: testing, prompts, clock }, numbers);
  return runScripted(strategy, { baseline, tester, clock, ...rest });
}

function challenged(events: readonly SessionEvent[]): readonly (readonly string[])[] {
  return events.flatMap((event) =>
    event.type === "candidate.challenged"
      ? [[event.data.candidate, ...challengedLines(event.data).map((line) => line.replace(/: wrong.*/, ""))]]
      : [],
  );
}

test("a case that refuted a version is run again on the next one, before the tester is asked", async () => {
  const { result, log, evaluator } = await session();
  expect([result.outcome, result.best?.candidate.tree[kernelFile]]).toEqual(["improved", mended]);
  expect(challenged(log.events)).toEqual([
    ["c1", "n=5: passed", "n=77: failed"],
    ["c2", "n=77: passed", "n=5: passed"],
  ]);
  expect(evaluator.calls.filter((call) => call === "challenge")).toHaveLength(4);
});

test("a case that refuted a version is run in the next session, also where no model makes up cases", async () => {
  const first = await session();
  const earlier = pastSession("01", first.log.events, "");
  const unfit = { sizes: { other: 3 }, variant: "declared", outcome: "failed", reason: "", why: "" } as const;
  const past: Past = {
    ...noPast,
    sessions:
      earlier === undefined ? [] : [{ ...earlier, candidates: [], refuting: [...earlier.refuting, unfit] }],
  };
  const { result, log } = await session({ past, tester: keptCaseTester() });
  expect(result.best?.candidate.tree[kernelFile]).toBe(mended);
  expect(challenged(log.events)).toEqual([
    ["c1", "n=77: failed"],
    ["c2", "n=77: passed"],
  ]);
  const unaided = await session({ tester: keptCaseTester() });
  expect(unaided.result.best?.candidate.tree[kernelFile]).toBe(faulty);
});

test("a session with a tester that is killed after any event goes on to the same end", async () => {
  const whole = await session();
  for (let stopAt = 1; stopAt < whole.log.events.length - 1; stopAt += 3) {
    const { log } = await session();
    log.events.length = stopAt;
    const resumed = await session({ log, resume: true });
    expect([stopAt, resumed.result.best?.candidate.tree[kernelFile]]).toEqual([stopAt, mended]);
    const ids = log.events.flatMap((event) => ("message" in event.data ? [String(event.data.message)] : []));
    const own = ids.filter((id) => /^m\d+$/.test(id));
    expect([stopAt, own.length]).toEqual([stopAt, new Set(own).size]);
    const requests = log.events.flatMap((event) =>
      event.type === "llm.request" ? [event.data.request] : [],
    );
    expect([stopAt, requests.length]).toEqual([stopAt, new Set(requests).size]);
    expect([stopAt, challenged(log.events).at(-1)?.slice(1)]).toEqual([
      stopAt,
      ["n=77: passed", "n=5: passed"],
    ]);
  }
});

test("the log with a tester is valid, and every view of it tells the cases", async () => {
  const { log } = await session();
  const faults = validateEvents(log.events).map(({ rule }) => rule);
  // The log in memory lacks the events that the store of a session writes before the loop.
  expect(faults.filter((rule) => rule !== "started-once" && rule !== "tree-known")).toEqual([]);
  const told = "2 cases of the tester: 1 passed, 1 failed";
  const rows = timelineOf(log.events).map(({ title, candidate }) => `${title} ${candidate ?? ""}`);
  expect(rows).toContain(`${told} c1`);
  expect(rows).toContain("Tester asked ");
  expect(talkOf(log.events)).toContain(
    `(candidate 1: ${told}\n  n=5: passed\n  n=77: failed: wrong on shape n=77`,
  );
  const input = {
    ...exportInput(exampleStream),
    events: [...eventsOf(exampleStream).slice(0, 1), ...log.events],
    loadText: async (stored: StoredText) => log.loadText(stored),
  };
  for (const format of ["markdown", "atif-1.8"])
    expect([format, JSON.stringify(await exportSession(input, format))]).toEqual([
      format,
      expect.stringMatching(
        /2 cases of the tester: 1 passed, 1 failed.* against (?:c1|candidate 1).*n=77: failed/s,
      ) as string,
    ]);
});

test("a tester whose time is up runs no case, and one without a case refutes nothing", async () => {
  const clock = new TestClock();
  const evaluator = new ScriptedEvaluator();
  // The first full check is the baseline's.
  evaluator.onCall = (call) => {
    if (call === "check full" && evaluator.calls.includes("check quick")) clock.advance(11 * 60_000);
  };
  const late = await session({ clock, evaluator });
  expect(evaluator.calls).not.toContain("challenge");
  expect(late.result.best?.candidate.tree[kernelFile]).toBe(faulty);
  const silent = await session({ testing: new Reader(() => ({ text: '{"cases": []}' })) });
  expect(challenged(silent.log.events)).toEqual([]);
  expect(silent.result.best?.candidate.tree[kernelFile]).toBe(faulty);
});

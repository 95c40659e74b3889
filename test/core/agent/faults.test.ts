import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import type { RefineOptions } from "../../../server/core/agent/strategies/refine-options";
import type { Strategy } from "../../../server/core/agent/strategy";
import { promptTexts } from "../../../server/core/prompts/render";
import { openEnds } from "../../harness/memory-session-log";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, type FinishedSession, runScripted, traceOf } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { ScriptedEvaluator, kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { scriptedStrategy } from "../../harness/scripted-strategy";
import { TestClock } from "../../harness/test-clock";
import { drawn, draws } from "../../harness/draws";

const here = dirname(fileURLToPath(import.meta.url));
const prompts = promptTexts(await readPromptFiles(join(here, "../../../server/core/prompts")));
const baseline = "// bound 1000\n";

const edit = (from: string, to: string): object => ({
  name: "edit",
  arguments: { path: kernelFile, old_text: from, new_text: to },
});
const submit = (hypothesis: string): object => ({ name: "submit_candidate", arguments: { hypothesis } });
const conversation = [
  { calls: [{ name: "search", arguments: { text: "bound" } }, edit("1000", "900"), submit("one")] },
  { calls: [edit("900", "800\n// does not compile"), submit("two")] },
  { calls: [edit("\n// does not compile", ""), submit("three")] },
  { calls: [{ name: "finish", arguments: { reason: "done" } }] },
];

interface World {
  readonly log: MemorySessionLog;
  readonly evaluator: ScriptedEvaluator;
  readonly model: ScriptedModel;
  readonly strategy: Strategy;
}

/**
 * A refine session where every await of the outside goes through `step`: each write, each job, each question
 * to the model.
 */
function world(step: (what: string) => void): World {
  const log = new MemorySessionLog();
  const evaluator = new ScriptedEvaluator();
  const model = new ScriptedModel(conversation as never);
  log.onWrite = (event) => step(`write ${event.type}`);
  evaluator.onCall = step;
  model.onComplete = () => step("model");
  const repository = memoryFiles({ [kernelFile]: baseline });
  const files: RefineOptions["files"] = {
    ...repository,
    list: (folder, suffixes) => {
      step("list");
      return repository.list(folder, suffixes);
    },
  };
  return {
    log,
    evaluator,
    model,
    strategy: refineStrategy({ provider: model, prompts, files, clock: new TestClock(), rulebook: noRules }),
  };
}

async function awaits(): Promise<readonly string[]> {
  const seen: string[] = [];
  const { log, evaluator, strategy } = world((what) => void seen.push(what));
  await runScripted(strategy, { baseline, log, evaluator });
  return seen;
}

const all = await awaits();

/**
 * What must hold of every session, however it went: one end, last, no job, call or request left open, and all
 * processes ended.
 */
function expectWhole({ result, log, evaluator }: FinishedSession, opened: boolean): void {
  const ends = log.events.filter((event) => event.type === "session.ended");
  expect([ends.length, log.events.at(-1)?.type]).toEqual([1, "session.ended"]);
  expect(openEnds(log.events)).toEqual({ calls: [], requests: [], jobs: [] });
  expect(ends[0]?.data).toMatchObject({ best: result.best?.candidate.id ?? null });
  expect(evaluator.closed).toBe(opened ? 1 : 0);
}

test("cancelling at any await ends the session as cancelled, with all that it knew in the log", async () => {
  for (const [index, what] of drawn([...all.entries()])) {
    const controller = new AbortController();
    let count = 0;
    const { log, evaluator, strategy } = world(() => {
      if (count === index) controller.abort();
      count += 1;
    });
    const finished = await runScripted(strategy, { baseline, log, evaluator, signal: controller.signal });
    const late = what === "write session.ended" || what === "write proposal.ready";
    if (!late)
      expect([what, index, finished.result.outcome]).toEqual([
        what,
        index,
        lastWrites(index) ? finished.result.outcome : "cancelled",
      ]);
    if (what !== "open") expectWhole(finished, true);
  }
});

/** After the model's `finish` was taken, nothing is left that could be cancelled. */
function lastWrites(index: number): boolean {
  return index > all.lastIndexOf("model");
}

test("a fault at any await ends the session as failed, and a session that was interrupted can be resumed", async () => {
  for (const [index, what] of drawn([...all.entries()])) {
    let count = 0;
    const { log, evaluator, strategy } = world((step) => {
      const now = count;
      count += 1;
      if (now === index) throw new OperationalError("disk-failed", { forUser: `fault at ${step}` });
    });
    const finished = await runScripted(strategy, { baseline, log, evaluator });
    // A tool that cannot read is told to the model, which goes on.
    const harmless = what === "list";
    expect([what, finished.result.outcome]).toEqual([what, harmless ? "improved" : "failed"]);
    if (what === "write session.ended") continue;
    expectWholeButFault(finished, what);
    log.onWrite = () => undefined;
    const model = new ScriptedModel([
      {
        calls: [
          { name: "restore", arguments: { candidate: "baseline" } },
          edit("1000", "700"),
          submit("after the fault"),
        ],
      },
      { calls: [{ name: "finish", arguments: { reason: "done" } }] },
    ] as never);
    const again = refineStrategy({
      provider: model,
      prompts,
      files: memoryFiles({}),
      clock: new TestClock(),
      rulebook: noRules,
    });
    const resumed = await runScripted(again, { baseline, log, resume: true });
    expect([what, index, resumed.result.outcome, resumed.result.best?.candidate.tree[kernelFile]]).toEqual([
      what,
      index,
      "improved",
      "// bound 700\n",
    ]);
    expect(
      new Set(
        log.events.flatMap((event) => (event.type === "candidate.created" ? [event.data.candidate] : [])),
      ).size,
    ).toBe(log.events.filter((event) => event.type === "candidate.created").length);
  }
});

/** The write that failed is the one thing that may be missing. */
function expectWholeButFault(finished: FinishedSession, what: string): void {
  const { log, evaluator } = finished;
  expect(log.events.at(-1)?.type).toBe("session.ended");
  if (!/finished|returned|llm\.(response|failed)/.test(what))
    expect(openEnds(log.events)).toEqual({ calls: [], requests: [], jobs: [] });
  expect(evaluator.closed).toBe(what === "open" ? 0 : 1);
}

test("a runner that never answers is left when the session is cancelled", async () => {
  const controller = new AbortController();
  const evaluator = new ScriptedEvaluator();
  evaluator.onCall = (call) => {
    if (call !== "check quick") return undefined;
    controller.abort();
    return new Promise(() => undefined);
  };
  const finished = await runScripted(scriptedStrategy(["// bound 10\n"]), {
    baseline,
    evaluator,
    signal: controller.signal,
  });
  expect(finished.result.outcome).toBe("cancelled");
  expectWhole(finished, true);
});

test("a strategy that never answers, or breaks, ends the session", async () => {
  const controller = new AbortController();
  const hanging: Strategy = {
    ...scriptedStrategy([]),
    propose: () => {
      controller.abort();
      return new Promise(() => undefined);
    },
  };
  expect((await runScripted(hanging, { baseline, signal: controller.signal })).result.outcome).toBe(
    "cancelled",
  );
  const broken: Strategy = {
    ...scriptedStrategy([]),
    propose: () => {
      throw new TypeError("x is undefined");
    },
  };
  const { result, log } = await runScripted(broken, { baseline });
  expect([result.outcome, traceOf(log.events).at(-1)]).toEqual([
    "failed",
    "session.ended failed best=none: an error inside Kernelwright ended the session: TypeError: x is undefined",
  ]);
});

test("faults and cancellations in any mixture never hang and never leave a session without an end", async () => {
  const plan = fc.array(fc.constantFrom("ok", "ok", "ok", "ok", "throw", "lost", "abort", "hang"), {
    minLength: 1,
    maxLength: all.length,
  });
  await fc.assert(
    fc.asyncProperty(plan, async (steps) => {
      const controller = new AbortController();
      let count = 0;
      let writable = true;
      const { log, evaluator, model, strategy } = world((what) => {
        const kind = steps[count];
        count += 1;
        if (what.startsWith("write") && what !== "write session.ended") {
          if (kind === "throw") throw new Error("disk");
        } else if (what === "write session.ended" && kind === "throw") {
          writable = false;
          throw new Error("disk");
        }
        if (kind === "abort") controller.abort();
      });
      const outside = (what: string): void | Promise<void> => {
        const kind = steps[count];
        count += 1;
        if (kind === "throw") throw new OperationalError("tool-failed", { forUser: what });
        if (kind === "lost") throw new OperationalError("worker-lost", { forUser: what });
        if (kind === "abort") controller.abort();
        // Whatever hangs is cancelled in the end: nobody waits for ever.
        if (kind === "hang") return new Promise(() => void Promise.resolve().then(() => controller.abort()));
        return undefined;
      };
      evaluator.onCall = outside;
      model.onComplete = () => outside("model");
      const { result } = await runScripted(strategy, { baseline, log, evaluator, signal: controller.signal });
      expect(["improved", "no-gain", "failed", "cancelled", "limit"]).toContain(result.outcome);
      expect(log.events.at(-1)?.type === "session.ended").toBe(writable);
    }),
    { numRuns: draws(300) },
  );
});

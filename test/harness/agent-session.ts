import { challengedLines } from "../../server/core/trajectory/talk/challenged";
import type { SessionEvent, StoredText } from "../../server/core/trajectory/events";
import type { LoopDependencies, LoopTask } from "../../server/core/agent/dependencies";
import type { LoopResult } from "../../server/core/agent/ending";
import { Guidance } from "../../server/core/agent/dialogue/guidance";
import type { Past } from "../../server/core/agent/memory/past";
import type { User } from "../../server/core/ports/user";
import type { KernelSpec } from "../../server/core/workload/spec";
import type { Tester } from "../../server/core/agent/strategy";
import { runLoop } from "../../server/core/agent/loop";
import type { Strategy } from "../../server/core/agent/strategy";
import { MemorySessionLog, sha256 } from "./memory-session-log";
import { ScriptedEvaluator, kernelFile, scriptedTask } from "./scripted-evaluator";
import { TestClock } from "./test-clock";

/** A rulebook without rules. */
export const noRules = { rules: [], parse: () => undefined } as const;

export interface ScriptedSession {
  readonly baseline: string;
  /** What says what is right; the baseline itself when left out. */
  readonly reference?: KernelSpec["reference"];
  readonly budget?: LoopTask["budget"];
  readonly log?: MemorySessionLog;
  readonly evaluator?: ScriptedEvaluator;
  readonly clock?: TestClock;
  readonly signal?: AbortSignal;
  readonly resume?: boolean;
  readonly past?: Past;
  readonly guidance?: Guidance;
  readonly user?: User;
  readonly atOnce?: number;
  /** Makes up cases against winners; nobody does when left out. */
  readonly tester?: Tester | undefined;
  /** The kernel's file in the candidate that the session goes on from. */
  readonly from?: string;
}

export interface FinishedSession {
  readonly result: LoopResult;
  readonly log: MemorySessionLog;
  readonly evaluator: ScriptedEvaluator;
}

/** Runs one session of the real loop over the scripted evaluator and a log in memory. */
export async function runScripted(strategy: Strategy, session: ScriptedSession): Promise<FinishedSession> {
  const log = session.log ?? new MemorySessionLog();
  const evaluator = session.evaluator ?? new ScriptedEvaluator();
  const evaluation = scriptedTask(session.baseline, session.reference);
  const dependencies: LoopDependencies = {
    evaluator,
    log,
    clock: session.clock ?? new TestClock(),
    identity: { sha256 },
    ...(session.atOnce === undefined ? {} : { atOnce: session.atOnce }),
    syntaxCheck: (path, text) =>
      text.includes("// does not parse")
        ? [{ severity: "error", file: path, line: 1, column: 1, message: "unexpected }", source: "syntax" }]
        : [],
  };
  const task: LoopTask = {
    evaluation,
    file: kernelFile,
    baselineTree: sha256(JSON.stringify(Object.entries(evaluation.baseline).sort())),
    budget: session.budget ?? { usd: 1, minutes: 10, candidates: 24 },
  };
  const files =
    session.from === undefined ? undefined : { ...evaluation.baseline, [kernelFile]: session.from };
  const from = files && {
    tree: files,
    treeId: await log.snapshot(files, task.baselineTree),
    hypothesis: "an idea of before",
  };
  const signal = session.signal ?? new AbortController().signal;
  const resume = session.resume ? { resume: true } : {};
  const past = session.past ? { past: session.past } : {};
  const guidance = session.guidance ?? new Guidance();
  const user = session.user ? { user: session.user } : {};
  const { tester } = session;
  return {
    result: await runLoop({
      task: { ...task, ...(from && { from }) },
      strategy,
      tester,
      dependencies,
      signal,
      ...resume,
      ...past,
      ...user,
      guidance,
    }),
    log,
    evaluator,
  };
}

/** Modelled nanoseconds of the best version of a kernel's session; undefined without one. */
export function bestBound({ result }: Pick<FinishedSession, "result">): number | undefined {
  const verdict = result.best?.verdict;
  return verdict?.kind === "correct" ? verdict.bound.nanoseconds : undefined;
}

/** One line for each event: its type and what matters in it. */
export function traceOf(events: readonly SessionEvent[]): readonly string[] {
  return events.map((event) => `${event.type}${detailOf(event)}`);
}

/** What matters in an event: first those of candidates and their jobs. */
function detailOf(event: SessionEvent): string {
  switch (event.type) {
    case "candidate.created":
      return ` ${event.data.candidate} on ${event.data.parent ?? "nothing"}: ${event.data.hypothesis} [${event.data.strategy}]`;
    case "candidate.staged":
      return ` ${event.data.candidate} ${event.data.stage}${event.data.accepted ? " accepted" : ""}${event.data.verdict ? ` (${event.data.reason})` : ""}`;
    case "candidate.selected":
      return ` ${event.data.candidate}`;
    case "candidate.challenged":
      return ` ${event.data.candidate}: ${challengedLines(event.data).join("; ")}`;
    case "job.queued":
      return ` ${event.data.job} ${event.data.kind} ${event.data.candidate}`;
    case "job.started":
      return ` ${event.data.job}`;
    case "job.finished":
      return ` ${event.data.job} ${event.data.status}`;
    case "proposal.ready":
      return ` ${event.data.candidate}: ${event.data.hunks.map((hunk) => `${hunk.id} @${hunk.baseStart} -${hunk.baseLines.length} +${hunk.proposedLines.length}`).join(", ")}`;
    default:
      return courseDetail(event);
  }
}

/** What matters in an event of the session's course: its limits, its state, its end. */
function courseDetail(event: SessionEvent): string {
  switch (event.type) {
    case "session.ended":
      return ` ${event.data.status} best=${event.data.best ?? "none"}: ${event.data.reason}`;
    default:
      return progressDetail(event);
  }
}

function progressDetail(event: SessionEvent): string {
  switch (event.type) {
    case "limit.reached":
      return ` ${event.data.limit}`;
    case "rules.held_back":
      return ` on ${event.data.candidate}: ${event.data.rules.map(({ rule, because, line }) => `${rule} (${because}, line ${line})`).join(", ")}`;
    case "loop.detected":
      return `: ${event.data.pattern}`;
    case "checkpoint.created":
      return ` best=${event.data.best ?? "none"} ${JSON.stringify(event.data.state)}`;
    case "budget.updated":
      return ` ${JSON.stringify(event.data.used)}`;
    default:
      return conversationDetail(event);
  }
}

function conversationDetail(event: SessionEvent): string {
  switch (event.type) {
    case "message.system":
    case "message.user":
      return ` ${event.data.message}${ofRole(event.data)}`;
    case "message.injected":
      return ` ${event.data.message}: ${event.data.reason}`;
    case "llm.request":
      return ` ${event.data.request} [${event.data.messages.join(" ")}]${ofRole(event.data)}`;
    case "role.failed":
      return ` ${event.data.role} ${event.data.model}${event.data.left ? " left" : ""}: ${event.data.reason}`;
    case "llm.response":
      return ` ${event.data.request} ${event.data.finish} ${event.data.tool_calls.map((call) => call.name).join(",")}`.trimEnd();
    case "llm.failed":
      return ` ${event.data.request} ${event.data.failure}: ${event.data.message}`;
    case "tool.called":
      return ` ${event.data.call} ${event.data.name} ${event.data.effect} ${JSON.stringify(event.data.arguments)}`;
    case "tool.returned":
      return ` ${event.data.call} ${event.data.status}: ${firstLine(event.data.shown)}`;
    default:
      return "";
  }
}

function ofRole({ role }: { readonly role?: string }): string {
  return role === undefined ? "" : ` of the ${role}`;
}

function firstLine(text: StoredText): string {
  return typeof text === "string" ? (text.split("\n")[0] ?? "") : "(a blob)";
}

import { candidateHead, candidateName, describeTarget } from "../../words/names/names";
import { describeNanoseconds, plural } from "../../words/quantities";
import { describeVerdict } from "../../words/describe";
import { previewOf } from "../blobs";
import { challengedLines, describeChallenged } from "../talk/challenged";
import type { EventData, EventType, SessionEvent } from "../events";
import { describeLineage } from "../proposal/lineage";
import { baselineId, isJudged } from "../state";
import { type Role, titleOfRole } from "../talk/role";
import { rowTextLimit, type StepKind, type TimelineStep } from "./step";

/** What a row says beside its time. */
type Row = Pick<TimelineStep, "kind" | "title" | "candidate" | "bound"> & {
  readonly text?: string;
};

type RowOf<Type extends EventType> = (data: EventData[Type]) => Row;

const row = (kind: StepKind, title: string, text = ""): Row => ({
  kind,
  title,
  text,
});

const nameOf = (role?: Role): string => (role === undefined ? "Model" : titleOfRole(role));

const toRole = (role?: Role): string => (role === undefined ? "" : ` of the ${role}`);

/** How each type of event reads. A new type is one line here. */
const rows: { readonly [Type in EventType]: RowOf<Type> } = {
  "session.started": ({ task }) => {
    const from = task.from === undefined ? "" : `, from ${describeLineage(task.from)}`;
    const { kernel, file, target, strategy } = task;
    return row(
      "session",
      "Session started",
      `${kernel} in ${file}, ${describeTarget(target)}, ${strategy}${from}`,
    );
  },
  "session.resumed": ({ from_seq }) => row("session", "Session resumed", `after event ${from_seq}`),
  "session.paused": ({ paused }) => row("session", paused ? "Paused by the user" : "Continued by the user"),
  "session.recovered": ({ lost_calls }) =>
    row("problem", "Recovered after a crash", lost_calls.length > 0 ? `lost: ${lost_calls.join(", ")}` : ""),
  "session.ended": ({ status, reason, ending }) =>
    row("session", `Session ended: ${status}${ending === undefined ? "" : ` (${ending})`}`, reason),
  "segment.opened": ({ segment }) => row("engine", "Log segment opened", String(segment)),
  "env.captured": () => row("engine", "Environment captured"),
  "message.system": ({ text, role }) => row("message", `System prompt${toRole(role)}`, previewOf(text)),
  "message.user": ({ text, steer, role }) =>
    row("message", steer === true ? "Message of the user" : `Task${toRole(role)}`, previewOf(text)),
  "message.said": ({ text }) => row("message", "Message of the user", previewOf(text)),
  "message.injected": ({ text, reason }) => row("message", `Added: ${reason}`, previewOf(text)),
  "llm.request": ({ model, messages, role }) =>
    row("model", `${nameOf(role)} asked`, `${model}, ${messages.length} messages`),
  "llm.response": ({ text, tool_calls, total_ms, role }) =>
    row(
      "model",
      tool_calls.length === 0
        ? `${nameOf(role)} replied`
        : `${nameOf(role)} calls ${tool_calls.map(({ name }) => name).join(", ")}`,
      [`${(total_ms / 1000).toFixed(1)} s`, previewOf(text)].filter(Boolean).join(" · "),
    ),
  "llm.failed": ({ failure, message, role }) => row("problem", `${nameOf(role)} failed: ${failure}`, message),
  "role.failed": ({ role, reason, left }) =>
    row("problem", left ? `Goes on without the ${role}` : `${nameOf(role)} told nothing`, reason),
  "tool.called": ({ name, arguments: given }) => row("tool", `Call of ${name}`, JSON.stringify(given)),
  "tool.returned": ({ status, shown, duration_ms }) =>
    row(
      status === "ok" ? "tool" : "problem",
      `Result: ${status}`,
      `${(duration_ms / 1000).toFixed(1)} s · ${previewOf(shown)}`,
    ),
  "tree.snapshot": ({ files }) => row("engine", "Files kept", Object.keys(files).join(", ")),
  "candidate.created": ({ candidate, parent, hypothesis, strategy }) => ({
    ...(candidate === baselineId
      ? row("candidate", "Baseline taken")
      : row(
          "candidate",
          `${candidateHead(candidate)}${parent === null ? "" : ` from ${candidateName(parent)}`}`,
          `${hypothesis} (${strategy})`,
        )),
    candidate,
  }),
  "candidate.staged": (staged) => stagedRow(staged),
  "rules.held_back": ({ candidate, rules, causes }) => ({
    ...row("engine", "Rules held back", `${rules.length} rules, ${causes?.length ?? 0} causes named`),
    candidate,
  }),
  "candidate.challenged": (challenged) => ({
    ...row("candidate", describeChallenged(challenged), challengedLines(challenged).join("; ")),
    candidate: challenged.candidate,
  }),
  "candidate.selected": ({ candidate, reason }) => ({
    ...row("candidate", `Selected ${candidateName(candidate)}`, reason),
    candidate,
  }),
  "job.queued": ({ kind, candidate }) => ({
    ...row("engine", `Queued: ${kind}`),
    candidate,
  }),
  "job.started": ({ job }) => row("engine", "Job started", job),
  "job.finished": ({ job, status, duration_ms }) =>
    row("engine", `Job ${status}`, `${job}, ${(duration_ms / 1000).toFixed(1)} s`),
  "proposal.ready": ({ candidate, hunks }) => ({
    ...row("review", "Proposal ready", `${hunks.length} ${hunks.length === 1 ? "change" : "changes"}`),
    candidate,
  }),
  "edit.hunk_decided": ({ hunks, decision }) =>
    row("review", `Changes ${decision}`, `${hunks.length}: ${hunks.join(", ")}`),
  "review.grouped": ({ candidate, trials }) => ({
    ...row("review", "Changes grouped", `${trials.length} subsets tried`),
    candidate,
  }),
  "review.checked": ({ outcome, summary }) => row("review", `Review checked: ${outcome}`, summary),
  "budget.updated": ({ used }) =>
    row(
      "budget",
      "Budget",
      [
        plural(used.candidates, "candidate"),
        `${used.minutes.toFixed(1)} min`,
        ...(used.usd === 0 ? [] : [`$${used.usd.toFixed(4)}`]),
      ].join(", "),
    ),
  "limit.reached": ({ limit }) => row("budget", `Limit reached: ${limit}`),
  "loop.detected": ({ pattern }) => row("problem", "Repetition detected", pattern),
  "checkpoint.created": ({ best }) => row("engine", "Checkpoint", best === null ? "" : `best: ${best}`),
};

function stagedRow(staged: EventData["candidate.staged"]): Row {
  const { candidate, stage, accepted, reason, verdict } = staged;
  if (!isJudged(staged)) return { ...row("engine", `${candidateHead(candidate)}: ${stage}`), candidate };
  const said = verdict === null ? reason : [reason, describeVerdict(verdict)].filter(Boolean).join(" · ");
  const judged =
    candidate === baselineId
      ? "Baseline"
      : `${candidateHead(candidate)} ${accepted ? "accepted" : "dropped"}`;
  if (verdict?.kind !== "correct") return { ...row("candidate", judged, said), candidate };
  const bound = verdict.bound.nanoseconds;
  return { ...row("candidate", `${judged}: ${describeNanoseconds(bound)}`, said), candidate, bound };
}

/** A part of a timeline: the first `limit` rows after the event number `after`. */
interface TimelinePart {
  readonly after: number;
  readonly limit: number;
}

/**
 * Events of a session as rows, in order; all of them, or a part. `events` are all of the session, since times
 * and costs count from its start: `usd` is the sum so far.
 */
export function timelineOf(
  events: readonly SessionEvent[],
  { after, limit }: TimelinePart = { after: 0, limit: Infinity },
): readonly TimelineStep[] {
  const start = Date.parse(events[0]?.ts ?? "");
  const steps: TimelineStep[] = [];
  let [spent, at] = [0, 0];
  for (const event of events) {
    if (steps.length >= limit) break;
    const usd = costOf(event);
    spent += usd ?? 0;
    // A clock that was set back must not turn the order round.
    at = Math.max(at, Date.parse(event.ts) - start || 0);
    if (event.seq <= after) continue;
    const { text = "", ...rest } = rowOf(event);
    steps.push({
      seq: event.seq,
      ...rest,
      text: text.replace(/\s+/g, " ").trim().slice(0, rowTextLimit),
      at,
      ...(usd === undefined ? {} : { usd: spent }),
    });
  }
  return steps;
}

/** US dollars that an event cost; undefined where it cost nothing or that is not known. */
function costOf(event: SessionEvent): number | undefined {
  if (event.type === "llm.response") return event.data.cost.usd ?? undefined;
  return event.type === "llm.failed" ? (event.data.cost_usd ?? undefined) : undefined;
}

function rowOf(event: SessionEvent): Row {
  if (event.type !== "unread") return (rows[event.type] as RowOf<typeof event.type>)(event.data as never);
  const { type, fault } = event.data;
  return row(
    "problem",
    `Event that cannot be read: ${type}`,
    fault ?? "its type is not known to this version",
  );
}

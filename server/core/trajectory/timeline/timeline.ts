import { retold, t } from "../../base/localized";
import { candidateHead, candidateName, describeTarget } from "../../words/names/names";
import { describeCount, describeMinutes, describeNanoseconds, plural } from "../../words/quantities";
import { describeVerdict } from "../../words/describe";
import type { ModelledBound } from "../../judge/verdict";
import { previewOf } from "../blobs";
import { challengedLines, describeChallenged } from "../talk/challenged";
import type { EventData, EventType, SessionEvent } from "../events";
import { endingWords, limitWords } from "../proposal/endings";
import { statusHeading } from "../proposal/outcome-words";
import { describeLineage } from "../proposal/lineage";
import { baselineId, isJudged } from "../state";
import { type Role, titleOfRole } from "../talk/role";
import { costOf, nothingPassed, type Passed, passedWith } from "./passed";
import { rowTextLimit, type StepKind, type TimelineStep } from "./step";

/** What a row says beside its time. */
type Row = Pick<TimelineStep, "kind" | "title" | "candidate" | "bound" | "simulated" | "judged" | "ends"> & {
  readonly text?: string;
};

type RowOf<Type extends EventType> = (data: EventData[Type]) => Row;

const row = (kind: StepKind, title: string, text = ""): Row => ({
  kind,
  title,
  text,
});

const nameOf = (role?: Role): string => (role === undefined ? t`Model` : retold(titleOfRole(role)));

const toRole = (role?: Role): string => (role === undefined ? "" : t` of the ${retold(role)}`);

/** How each type of event reads. A new type is one line here. */
const rows: { readonly [Type in EventType]: RowOf<Type> } = {
  "session.started": ({ task }) => {
    const from = task.from === undefined ? "" : t`, from ${describeLineage(task.from)}`;
    const { kernel, file, target, strategy } = task;
    return row(
      "session",
      t`Session started`,
      t`${kernel} in ${file}, ${describeTarget(target)}, ${strategy}${from}`,
    );
  },
  "session.resumed": ({ from_seq }) => row("session", t`Session resumed`, t`after event ${from_seq}`),
  "session.paused": ({ paused }) => row("session", paused ? t`Paused by the user` : t`Continued by the user`),
  "session.recovered": ({ lost_calls }) =>
    row(
      "problem",
      t`Recovered after a crash`,
      lost_calls.length > 0 ? t`lost: ${lost_calls.join(", ")}` : "",
    ),
  "session.ended": ({ status, reason, ending }) => ({
    ...row(
      "session",
      t`Session ended: ${statusHeading(status)}${ending === undefined ? "" : ` (${endingWords(ending)})`}`,
      retold(reason),
    ),
    ends: true,
  }),
  "segment.opened": ({ segment }) => row("engine", t`Log segment opened`, String(segment)),
  "env.captured": () => row("engine", t`Environment captured`),
  "message.system": ({ text, role }) => row("message", t`System prompt${toRole(role)}`, previewOf(text)),
  "message.user": ({ text, steer, role }) =>
    row("message", steer === true ? t`Message of the user` : t`Task${toRole(role)}`, previewOf(text)),
  "message.said": ({ text }) => row("message", t`Message of the user`, previewOf(text)),
  "message.injected": ({ text, reason }) => row("message", t`Added: ${retold(reason)}`, previewOf(text)),
  "llm.request": ({ model, messages, role }) =>
    row("model", t`${nameOf(role)} asked`, t`${model}, ${messages.length} messages`),
  "llm.response": ({ text, tool_calls, total_ms, role }) =>
    row(
      "model",
      tool_calls.length === 0
        ? t`${nameOf(role)} replied`
        : t`${nameOf(role)} calls ${tool_calls.map(({ name }) => name).join(", ")}`,
      [`${(total_ms / 1000).toFixed(1)} s`, previewOf(text)].filter(Boolean).join(" · "),
    ),
  "llm.failed": ({ failure, message, role }) =>
    row("problem", t`${nameOf(role)} failed: ${retold(failure)}`, retold(message)),
  "role.failed": ({ role, reason, left }) =>
    row(
      "problem",
      left ? t`Goes on without the ${retold(role)}` : t`${nameOf(role)} told nothing`,
      retold(reason),
    ),
  "tool.called": ({ name, arguments: given }) => row("tool", t`Call of ${name}`, JSON.stringify(given)),
  "tool.returned": ({ status, shown, duration_ms }) =>
    row(
      status === "ok" ? "tool" : "problem",
      t`Result: ${retold(status)}`,
      `${(duration_ms / 1000).toFixed(1)} s · ${previewOf(shown)}`,
    ),
  "tree.snapshot": ({ files }) => row("engine", t`Files kept`, Object.keys(files).join(", ")),
  "candidate.created": ({ candidate, parent, hypothesis, strategy }) => ({
    ...(candidate === baselineId
      ? row("candidate", t`Baseline taken`)
      : row(
          "candidate",
          `${candidateHead(candidate)}${parent === null ? "" : t` from ${candidateName(parent)}`}`,
          `${retold(hypothesis)} (${strategy})`,
        )),
    candidate,
  }),
  "candidate.staged": (staged) => stagedRow(staged),
  "rules.held_back": ({ candidate, rules, causes }) => ({
    ...row("engine", t`Rules held back`, t`${rules.length} rules, ${causes?.length ?? 0} causes named`),
    candidate,
  }),
  "candidate.challenged": (challenged) => ({
    ...row("candidate", describeChallenged(challenged), challengedLines(challenged).join("; ")),
    candidate: challenged.candidate,
  }),
  "candidate.selected": ({ candidate, reason }) => ({
    ...row("candidate", t`Selected ${candidateName(candidate)}`, retold(reason)),
    candidate,
  }),
  "job.queued": ({ kind, candidate }) => ({
    ...row("engine", t`Queued: ${retold(kind)}`),
    candidate,
  }),
  "job.started": ({ job }) => row("engine", t`Job started`, job),
  "job.finished": ({ job, status, duration_ms }) =>
    row("engine", t`Job ${retold(status)}`, `${job}, ${(duration_ms / 1000).toFixed(1)} s`),
  "proposal.ready": ({ candidate, hunks }) => ({
    ...row("review", t`Proposal ready`, plural(hunks.length, "change")),
    candidate,
  }),
  "edit.hunk_decided": ({ hunks, decision }) =>
    row("review", t`Changes ${retold(decision)}`, `${hunks.length}: ${hunks.join(", ")}`),
  "review.grouped": ({ candidate, trials }) => ({
    ...row("review", t`Changes grouped`, t`${trials.length} subsets tried`),
    candidate,
  }),
  "review.checked": ({ outcome, summary }) =>
    row("review", t`Review checked: ${retold(outcome)}`, retold(summary)),
  "budget.updated": ({ used }) =>
    row(
      "budget",
      t`Budget`,
      [
        plural(used.candidates, "candidate"),
        describeMinutes(used.minutes),
        ...(used.gpuMinutes === undefined ? [] : [t`${describeMinutes(used.gpuMinutes)} of the GPU`]),
        ...(used.tokens === undefined ? [] : [t`${describeCount(used.tokens)} tokens`]),
        ...(used.usd === 0 ? [] : [`$${used.usd.toFixed(4)}`]),
      ].join(", "),
    ),
  "limit.reached": ({ limit }) => row("budget", t`Limit reached: ${limitWords(limit)}`),
  "loop.detected": ({ pattern }) => row("problem", t`Repetition detected`, retold(pattern)),
  "checkpoint.created": ({ best }) => row("engine", t`Checkpoint`, best === null ? "" : t`best: ${best}`),
};

function stagedRow(staged: EventData["candidate.staged"]): Row {
  const { candidate, stage, accepted, reason, verdict } = staged;
  if (!isJudged(staged))
    return { ...row("engine", `${candidateHead(candidate)}: ${retold(stage)}`), candidate };
  const why = retold(reason);
  const said = verdict === null ? why : [why, describeVerdict(verdict)].filter(Boolean).join(" · ");
  const judged =
    candidate === baselineId
      ? t`Baseline`
      : `${candidateHead(candidate)} ${retold(accepted ? "accepted" : "dropped")}`;
  if (verdict?.kind !== "correct") return { ...row("candidate", judged, said), candidate };
  const { nanoseconds: bound, simulatedNanoseconds: simulated } = verdict.bound;
  return {
    ...row("candidate", `${judged}: ${timeText(verdict.bound)}`, said),
    ...{ candidate, bound, judged },
    ...(simulated === undefined ? {} : { simulated }),
  };
}

/** `15.8 µs simulated`; the bound alone where nothing was simulated. */
function timeText({ nanoseconds, simulatedNanoseconds }: ModelledBound): string {
  if (simulatedNanoseconds === undefined) return describeNanoseconds(nanoseconds);
  return t`${describeNanoseconds(simulatedNanoseconds)} simulated`;
}

/** A part of a timeline: the first `limit` rows after the event number `after`. */
interface TimelinePart {
  readonly after: number;
  readonly limit: number;
  /** What had passed before the first of the events; left out where that is the first of the session. */
  readonly before?: Passed;
}

/**
 * Consecutive events of a session as rows, in order; all of them, or a part. Times and costs count from the
 * start of the session: `usd` is the sum so far.
 */
export function timelineOf(
  events: readonly SessionEvent[],
  { after, limit, before = nothingPassed }: TimelinePart = { after: 0, limit: Infinity },
): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  let passed = before;
  for (const event of events) {
    if (steps.length >= limit) break;
    passed = passedWith(passed, event);
    if (event.seq <= after) continue;
    const { text = "", ...rest } = rowOf(event);
    steps.push({
      seq: event.seq,
      ...rest,
      text: text.replace(/\s+/g, " ").trim().slice(0, rowTextLimit),
      at: passed.at,
      ...(costOf(event) === undefined ? {} : { usd: passed.usd }),
    });
  }
  return steps;
}

function rowOf(event: SessionEvent): Row {
  if (event.type !== "unread") return (rows[event.type] as RowOf<typeof event.type>)(event.data as never);
  const { type, fault } = event.data;
  return row(
    "problem",
    t`Event that cannot be read: ${type}`,
    fault ?? t`its type is not known to this version`,
  );
}

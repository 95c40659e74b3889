import { blobsOf } from "./blobs";
import { ChainReader, type HashBytes } from "./chain";
import type { EventData, EventType, SessionEvent } from "./events";

/** Every rule that a log keeps, with what it says. The identifier is what tests and reports name. */
export const logRules = {
  chain: "each line carries the hash of the line before, with no number left out",
  "torn-tail": "the last line is whole",
  "envelope-version": "the envelope's version is 1",
  sequence: "events are numbered 1, 2, 3, …",
  "id-unique": "no two events have one id",
  "started-once": "there is one session.started, and only trees and segments come before it",
  "format-version": "the format's major version is 1",
  "blobs-listed": "`blobs` names exactly the blobs that the data refers to",
  "call-unique": "a tool call's id is used once",
  "result-has-call": "each tool result answers a call that was made before",
  "call-has-result": "in a session that has ended each tool call has its result",
  "request-unique": "a model request's id is used once",
  "reply-has-request": "each reply or failure answers one request that was made before and has no answer yet",
  "request-has-reply": "in a session that has ended each model request has its reply or failure",
  "message-known": "a request names only messages that stand in the log before it",
  "tree-known": "every tree that is named has its snapshot before",
  "candidate-unique": "a candidate's id stands for one tree",
  "candidate-known": "every candidate that is named was created before",
  "job-known": "a job is started and finished once, after it was queued",
  "hunk-known": "a decision and a check name hunks of the newest proposal",
  "data-shape": "the data holds the fields that its type has",
} as const;

export type LogRule = keyof typeof logRules;

interface LogProblem {
  readonly rule: LogRule;
  /** Sequence number of the event at fault. */
  readonly seq: number;
  readonly message: string;
}

/** Checks the bytes of all segments: the chain first, then what the events say. */
export function validateLog(segments: readonly Uint8Array[], hash: HashBytes): readonly LogProblem[] {
  const reader = new ChainReader(hash);
  const events: SessionEvent[] = [];
  for (const [index, segment] of segments.entries()) {
    if (index > 0) reader.endSegment();
    for (const { event } of reader.push(segment)) events.push(event);
  }
  const problems: LogProblem[] = [];
  if (reader.damage) problems.push({ rule: "chain", seq: reader.damage.seq, message: reader.damage.reason });
  if (reader.tornBytes > 0)
    problems.push({
      rule: "torn-tail",
      seq: reader.nextSequence,
      message: `${reader.tornBytes} bytes after the last whole line`,
    });
  return [...problems, ...validateEvents(events)];
}

/** Checks what the events say about each other. Unknown types are passed over. */
export function validateEvents(events: readonly SessionEvent[]): readonly LogProblem[] {
  const known = new Known();
  for (const [index, event] of events.entries()) {
    if (event.v !== 1) known.report("envelope-version", event, `version ${event.v}`);
    if (event.seq !== index + 1) known.report("sequence", event, `expected ${index + 1}`);
    if (known.ids.has(event.id)) known.report("id-unique", event, event.id);
    known.ids.add(event.id);
    const { type, content } = writtenOf(event);
    if (blobsOf(type, content).join() !== [...(event.blobs ?? [])].sort().join())
      known.report("blobs-listed", event, "the lists differ");
    if (event.type === "unread") {
      if (event.data.fault !== undefined) known.report("data-shape", event, event.data.fault);
    } else check(known, event);
  }
  if (known.ended) {
    for (const [call, event] of known.openCalls) known.report("call-has-result", event, call);
    for (const [request, event] of known.openRequests) known.report("request-has-reply", event, request);
  }
  return known.problems;
}

/** Type and data as they stand in the log. */
function writtenOf(event: SessionEvent): { readonly type: string; readonly content: unknown } {
  return event.type === "unread" ? event.data : { type: event.type, content: event.data };
}

function check(known: Known, event: Exclude<SessionEvent, { readonly type: "unread" }>): void {
  // Keys and data of the table belong together; the compiler cannot follow that through an index.
  const ofType = checks[event.type] as
    | ((known: Known, data: unknown, event: SessionEvent) => void)
    | undefined;
  ofType?.(known, event.data, event);
}

type JobState = "queued" | "started" | "finished";

/** Where a job may stand before a move. One that is cancelled while it waits is finished without a start. */
const statesBefore: Readonly<Record<JobState, readonly (JobState | undefined)[]>> = {
  queued: [undefined],
  started: ["queued"],
  finished: ["queued", "started"],
};

/** What was named so far. */
class Known {
  readonly problems: LogProblem[] = [];
  readonly ids = new Set<string>();
  readonly named = new Set<string>();
  readonly openCalls = new Map<string, SessionEvent>();
  readonly openRequests = new Map<string, SessionEvent>();
  readonly jobs = new Map<string, JobState>();
  /** Tree of each candidate. */
  readonly trees = new Map<string, string>();
  hunks: ReadonlySet<string> = new Set();
  ended = false;

  report(rule: LogRule, event: SessionEvent, detail: string): void {
    this.problems.push({
      rule,
      seq: event.seq,
      message: `event ${event.seq} (${writtenOf(event).type}): ${logRules[rule]}: ${detail}`,
    });
  }

  /** Notes a name of a kind; reports when it was there already. */
  introduce(name: { readonly kind: string; readonly id: string }, rule: LogRule, event: SessionEvent): void {
    const key = `${name.kind} ${name.id}`;
    if (this.named.has(key)) this.report(rule, event, name.id);
    this.named.add(key);
  }

  require(
    name: { readonly kind: string; readonly id: string | null | undefined },
    rule: LogRule,
    event: SessionEvent,
  ): void {
    if (name.id !== null && name.id !== undefined && !this.named.has(`${name.kind} ${name.id}`))
      this.report(rule, event, name.id);
  }

  moveJob(event: SessionEvent, job: string, to: JobState): void {
    const at = this.jobs.get(job);
    if (!statesBefore[to].includes(at)) this.report("job-known", event, job);
    this.jobs.set(job, to);
  }
}

type Checks = {
  readonly [Type in EventType]?: (known: Known, data: EventData[Type], event: SessionEvent) => void;
};

const conversationChecks: Checks = {
  "message.system": (known, data, event) =>
    known.introduce({ kind: "message", id: data.message }, "id-unique", event),
  "message.user": (known, data, event) =>
    known.introduce({ kind: "message", id: data.message }, "id-unique", event),
  "message.injected": (known, data, event) =>
    known.introduce({ kind: "message", id: data.message }, "id-unique", event),
  "llm.request": (known, data, event) => {
    known.introduce({ kind: "request", id: data.request }, "request-unique", event);
    known.openRequests.set(data.request, event);
    for (const id of data.messages) known.require({ kind: "message", id }, "message-known", event);
  },
  "llm.response": (known, data, event) => {
    if (!known.openRequests.delete(data.request)) known.report("reply-has-request", event, data.request);
    known.introduce({ kind: "message", id: data.message }, "id-unique", event);
  },
  "llm.failed": (known, data, event) => {
    if (!known.openRequests.delete(data.request)) known.report("reply-has-request", event, data.request);
  },
  "tool.called": (known, data, event) => {
    known.introduce({ kind: "call", id: data.call }, "call-unique", event);
    known.openCalls.set(data.call, event);
  },
  "tool.returned": (known, data, event) => {
    if (!known.openCalls.delete(data.call)) known.report("result-has-call", event, data.call);
    // The result is the message of that name: a request may name it by its call.
    known.named.add(`message ${data.call}`);
  },
};

const searchChecks: Checks = {
  "session.started": (known, data, event) => {
    known.introduce({ kind: "session", id: "started" }, "started-once", event);
    if (!/^1\.\d+$/.test(data.format_version)) known.report("format-version", event, data.format_version);
    known.require({ kind: "tree", id: data.baseline_tree }, "tree-known", event);
  },
  "session.resumed": (known) => {
    known.ended = false;
  },
  "session.ended": (known, data, event) => {
    known.ended = true;
    known.require({ kind: "candidate", id: data.best }, "candidate-known", event);
  },
  "tree.snapshot": (known, data, event) => {
    known.require({ kind: "tree", id: data.parent }, "tree-known", event);
    known.named.add(`tree ${data.tree}`);
  },
  "candidate.created": (known, data, event) => {
    known.require({ kind: "session", id: "started" }, "started-once", event);
    const { candidate, tree } = data;
    // A resumed session may begin anew on a candidate that it had not judged; it is then the same one.
    if (known.trees.has(candidate) && known.trees.get(candidate) !== tree)
      known.report("candidate-unique", event, candidate);
    known.trees.set(candidate, tree);
    known.named.add(`candidate ${candidate}`);
    known.require(
      { kind: "candidate", id: data.parent === "baseline" ? null : data.parent },
      "candidate-known",
      event,
    );
    known.require({ kind: "tree", id: data.tree }, "tree-known", event);
  },
  "candidate.staged": (known, data, event) =>
    known.require({ kind: "candidate", id: data.candidate }, "candidate-known", event),
  "rules.held_back": (known, data, event) =>
    known.require({ kind: "candidate", id: data.candidate }, "candidate-known", event),
  "candidate.selected": (known, data, event) =>
    known.require({ kind: "candidate", id: data.candidate }, "candidate-known", event),
  "job.queued": (known, data, event) => known.moveJob(event, data.job, "queued"),
  "job.started": (known, data, event) => known.moveJob(event, data.job, "started"),
  "job.finished": (known, data, event) => known.moveJob(event, data.job, "finished"),
  "proposal.ready": (known, data, event) => {
    known.require({ kind: "candidate", id: data.candidate }, "candidate-known", event);
    known.hunks = new Set(data.hunks.map((hunk) => hunk.id));
  },
  "review.grouped": (known, data, event) => {
    for (const hunk of [...Object.keys(data.needs), ...Object.values(data.needs).flat()])
      if (!known.hunks.has(hunk)) known.report("hunk-known", event, hunk);
  },
  "review.checked": (known, data, event) => {
    for (const hunk of data.accepted) if (!known.hunks.has(hunk)) known.report("hunk-known", event, hunk);
  },
  "edit.hunk_decided": (known, data, event) => {
    for (const hunk of data.hunks) if (!known.hunks.has(hunk)) known.report("hunk-known", event, hunk);
  },
};

const checks: Checks = { ...conversationChecks, ...searchChecks };

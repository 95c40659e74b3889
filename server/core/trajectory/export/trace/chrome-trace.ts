import { isJsonObject, type Json, type JsonObject } from "../../../base/json";
import { OperationalError } from "../../../base/operational-error";
import type { SessionEvent } from "../../events";
import { toStorable } from "../../storable";
import { timelineOf } from "../../timeline/timeline";
import type { TimelineStep } from "../../timeline/step";
import type { Exporter, ExportInput } from "../exporter";
import { Tracks } from "./tracks";

const process = 1;
const microseconds = 1000;

/** A session on a timeline: chrome://tracing, Perfetto and others show it. */
export const chromeTraceExporter: Exporter = {
  id: "chrome-trace",
  title: "Chrome trace",
  description:
    "The session on a timeline, as the trace event format that Perfetto and chrome://tracing read.",
  extension: "trace.json",
  write: async (input) => writeTrace(input),
  check: traceProblems,
};

function writeTrace(input: ExportInput): string {
  if (input.events.length === 0)
    throw new OperationalError("session-damaged", {
      forUser: `Session ${input.sessionId} holds no event, so there is nothing to export.`,
      forModel: "The session holds no event.",
    });
  const tracks = new Tracks();
  const work = namesOfWork(input.events);
  const steps = timelineOf(input.events);
  const shown = input.events.flatMap((event, index): JsonObject[] => {
    const step = steps[index];
    return step === undefined ? [] : [traceEvent({ event, step, work, tracks, input })];
  });
  const names = tracks.names().map(([thread, name]) => metadata("thread_name", thread, name));
  const document = {
    traceEvents: [metadata("process_name", 0, `Kernelwright session ${input.sessionId}`), ...names, ...shown],
    displayTimeUnit: "ms",
    otherData: {
      product: `kernelwright ${input.productVersion}`,
      ...(input.damaged === undefined ? {} : { damaged: input.damaged }),
    },
  };
  return `${JSON.stringify(toStorable(document, input.clean).data, undefined, 1)}\n`;
}

function metadata(name: string, thread: number, shown: string): JsonObject {
  return { name, ph: "M", pid: process, tid: thread, args: { name: shown } };
}

/** An event of the log with what its entry in the trace is made of. */
interface Traced {
  readonly event: SessionEvent;
  readonly step: TimelineStep;
  readonly work: ReadonlyMap<string, string>;
  readonly tracks: Tracks;
  readonly input: ExportInput;
}

/** What took time is a bar that ends where the log has it; everything else is a mark. */
function traceEvent({ event, step, work, tracks, input }: Traced): JsonObject {
  const labels = input.annotations
    .filter(({ seq }) => seq === event.seq)
    .map(({ tag, note }) => `${tag} ${note}`.trim());
  const args = {
    event: step.seq,
    text: step.text,
    ...(step.candidate === undefined ? {} : { candidate: step.candidate }),
    ...(step.bound === undefined ? {} : { modelledNanoseconds: step.bound }),
    ...(step.usd === undefined ? {} : { dollarsSoFar: step.usd }),
    ...(labels.length === 0 ? {} : { labels }),
  };
  const span = spanOf(event, work);
  if (span === undefined)
    return {
      ...{ name: step.title, cat: step.kind, ph: "i", s: "t", pid: process },
      ...{ tid: tracks.markOn(step.kind), ts: step.at * microseconds, args },
    };
  const start = Math.max(0, step.at - span.milliseconds);
  return {
    ...{ name: span.name, cat: step.kind, ph: "X", pid: process },
    tid: tracks.barOn(span.track, start, step.at),
    ...{ ts: start * microseconds, dur: (step.at - start) * microseconds, args },
  };
}

interface Span {
  readonly track: string;
  readonly name: string;
  readonly milliseconds: number;
}

/** How long the work took that an event ends; undefined for events that end none. */
function spanOf(event: SessionEvent, work: ReadonlyMap<string, string>): Span | undefined {
  switch (event.type) {
    case "llm.response":
      return { track: "model", name: nameOf(work, event.data.request), milliseconds: event.data.total_ms };
    case "tool.returned":
      return { track: "tools", name: nameOf(work, event.data.call), milliseconds: event.data.duration_ms };
    case "job.finished":
      return { track: "jobs", name: nameOf(work, event.data.job), milliseconds: event.data.duration_ms };
    default:
      return undefined;
  }
}

/** A log that lost its first part may not have the beginning of some work. */
function nameOf(work: ReadonlyMap<string, string>, id: string): string {
  return work.get(id) ?? id;
}

/** Requests, calls and jobs by their ids, in words. */
function namesOfWork(events: readonly SessionEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const event of events) {
    if (event.type === "llm.request") names.set(event.data.request, `ask ${event.data.model}`);
    if (event.type === "tool.called") names.set(event.data.call, event.data.name);
    if (event.type === "job.queued") names.set(event.data.job, `${event.data.kind} ${event.data.candidate}`);
  }
  return names;
}

/** What is wrong with a trace, one sentence each. */
function traceProblems(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text);
  const listed: Json | undefined = isJsonObject(parsed) ? parsed["traceEvents"] : undefined;
  if (!Array.isArray(listed)) return ["trace: there is no list `traceEvents`"];
  return listed.flatMap((each, index) => {
    const wrong = isJsonObject(each) ? wrongFields(each) : ["the entry itself"];
    return wrong.length === 0 ? [] : [`trace: event ${index}: ${wrong.join(", ")}`];
  });
}

const phases: Readonly<Record<string, readonly string[]>> = { M: [], i: ["ts"], X: ["ts", "dur"] };

function wrongFields(event: JsonObject): readonly string[] {
  const { ph } = event;
  const times = typeof ph === "string" ? phases[ph] : undefined;
  if (times === undefined) return ["ph"];
  const numbers = [...times, "pid", "tid"].filter((name) => {
    const value = event[name];
    return typeof value !== "number" || value < 0;
  });
  return typeof event["name"] === "string" ? numbers : ["name", ...numbers];
}

import { candidateHead, candidateName, describeTarget } from "../../words/names/names";
import { oneLine } from "../../base/text";
import { previewOf } from "../blobs";
import { challengedLines, describeChallenged } from "./challenged";
import type { EventData, EventType, SessionEvent, StoredText } from "../events";
import { describeLineage } from "../proposal/lineage";
import { statusHeading } from "../proposal/outcome-words";
import { roleFailure } from "./role-failure";
import { baselineId, isJudged } from "../state";

/** Characters of a call's arguments, of its answer's first line and of an idea that are told. */
const shortLength = 160;

type TextOf<Type extends EventType> = (data: EventData[Type]) => string;

/** What is told of events beside the model's own words. Those without a line here are not told. */
const texts: { readonly [Type in EventType]?: TextOf<Type> } = {
  "session.started": ({ task }) => {
    const { kernel, file, target, strategy, from } = task;
    const origin = from === undefined ? "" : `, going on from ${describeLineage(from)}`;
    return `${kernel} in ${file} on ${describeTarget(target)}, strategy ${strategy}${origin}\n`;
  },
  "session.resumed": () => "\nThe session goes on.\n",
  "session.paused": ({ paused }) => (paused ? "\nPaused by you.\n" : "\nIt goes on.\n"),
  "session.ended": ({ status, reason }) => `\n${statusHeading(status)}: ${reason}\n`,
  "message.said": ({ text }) => `\nYou: ${whole(text)}\n`,
  "message.injected": ({ reason }) => `(told to the model: ${reason})\n`,
  "llm.request": ({ request, model, role }) =>
    `\n── ${role === undefined ? "" : `${role}: `}${model}, turn ${request.replace(/^r/, "")} ──\n`,
  "llm.failed": ({ failure, message, role = "model" }) =>
    `\nThe ${role} could not be asked (${failure}): ${message}\n`,
  "role.failed": (data) => `(${roleFailure(data)})\n`,
  "tool.called": ({ name, arguments: given }) => `→ ${name} ${short(JSON.stringify(given))}\n`,
  "tool.returned": ({ status, shown }) =>
    `  ${status === "ok" ? "" : `${status}: `}${short(previewOf(shown).split("\n")[0] ?? "")}\n`,
  "candidate.created": ({ candidate, parent, hypothesis }) =>
    candidate === baselineId
      ? ""
      : `\n${candidateHead(candidate)}${parent === null ? "" : ` on ${candidateName(parent)}`}: ${short(hypothesis)}\n`,
  "candidate.challenged": (data) =>
    `(${candidateName(data.candidate)}: ${[describeChallenged(data), ...challengedLines(data)].join("\n  ")})\n`,
  "candidate.staged": (data) => {
    if (!isJudged(data)) return "";
    const isBaseline = data.candidate === baselineId;
    const state = data.accepted ? "the best so far" : "dropped";
    return `${candidateHead(data.candidate)}${isBaseline ? "" : ` is ${state}`}: ${data.reason}\n`;
  },
};

function short(text: string): string {
  const line = oneLine(text);
  return line.length > shortLength ? `${line.slice(0, shortLength - 1)}…` : line;
}

/** A long text stands in the log with its beginning alone. */
function whole(text: StoredText): string {
  return typeof text === "string" ? text : `${previewOf(text)}… (the rest is in the log)`;
}

/**
 * A run as it talks: what the model says, word by word where they come so, each call of a tool and each
 * verdict. Gives the text that comes next; nothing of it is in the log but what its events hold.
 */
export class RunTalk {
  private hasStreamed = false;

  /** What the model has said since. */
  words(delta: string): string {
    this.hasStreamed = true;
    return delta;
  }

  event(event: SessionEvent): string {
    if (event.type === "unread") return "";
    if (event.type === "llm.request") this.hasStreamed = false;
    if (event.type === "llm.response") return this.answer(event.data);
    const text = texts[event.type] as ((data: unknown) => string) | undefined;
    return text?.(event.data) ?? "";
  }

  /** The whole answer at its end: its words, unless they were told as they came. */
  private answer({ text, finish }: EventData["llm.response"]): string {
    const words = this.hasStreamed ? "" : whole(text);
    this.hasStreamed = false;
    const isCut = finish !== "stop" && finish !== "tool-calls";
    return `${words}${isCut ? ` (ended by: ${finish})` : ""}\n`;
  }
}

/** All of a session as it talked. */
export function talkOf(events: readonly SessionEvent[]): string {
  const talk = new RunTalk();
  return events.map((event) => talk.event(event)).join("");
}

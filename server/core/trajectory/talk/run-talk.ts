import { candidateHead, candidateName, describeTarget } from "../../words/names/names";
import { retold, t } from "../../base/localized";
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
    const start = t`${kernel} in ${file} on ${describeTarget(target)}, strategy ${strategy}`;
    return from === undefined ? `${start}\n` : `${t`${start}, going on from ${describeLineage(from)}`}\n`;
  },
  "session.resumed": () => `\n${t`The session goes on.`}\n`,
  "session.paused": ({ paused }) => `\n${paused ? t`Paused by you.` : t`It goes on.`}\n`,
  "session.ended": ({ status, reason }) => `\n${statusHeading(status)}: ${retold(reason)}\n`,
  "message.said": ({ text }) => `\n${t`You: ${whole(text)}`}\n`,
  "message.injected": ({ reason }) => `(${t`told to the model: ${retold(reason)}`})\n`,
  "llm.request": ({ request, model, role }) => {
    const turn = t`${model}, turn ${request.replace(/^r/, "")}`;
    return `\n── ${role === undefined ? "" : `${role}: `}${turn} ──\n`;
  },
  "llm.failed": ({ failure, message, role = "model" }) =>
    `\n${t`The ${role} could not be asked (${failure}): ${retold(message)}`}\n`,
  "role.failed": (data) => `(${roleFailure(data)})\n`,
  "tool.called": ({ name, arguments: given }) => `→ ${name} ${short(JSON.stringify(given))}\n`,
  "tool.returned": ({ status, shown }) =>
    `  ${status === "ok" ? "" : `${status}: `}${short(previewOf(shown).split("\n")[0] ?? "")}\n`,
  "candidate.created": ({ candidate, parent, hypothesis }) => {
    if (candidate === baselineId) return "";
    const head = candidateHead(candidate);
    const name = parent === null ? head : t`${head} on ${candidateName(parent)}`;
    return `\n${name}: ${short(retold(hypothesis))}\n`;
  },
  "candidate.challenged": (data) =>
    `(${candidateName(data.candidate)}: ${[describeChallenged(data), ...challengedLines(data)].join("\n  ")})\n`,
  "candidate.staged": (data) => {
    if (!isJudged(data)) return "";
    return `${judgedHead(data)}: ${retold(data.reason)}\n`;
  },
};

function judgedHead({ candidate, accepted }: EventData["candidate.staged"]): string {
  const head = candidateHead(candidate);
  if (candidate === baselineId) return head;
  return accepted ? t`${head} is the best so far` : t`${head} is dropped`;
}

function short(text: string): string {
  const line = oneLine(text);
  return line.length > shortLength ? `${line.slice(0, shortLength - 1)}…` : line;
}

/** A long text stands in the log with its beginning alone. */
function whole(text: StoredText): string {
  return typeof text === "string" ? text : `${previewOf(text)}… (${t`the rest is in the log`})`;
}

/**
 * A run as it talks: what the model says, word by word where they come so, each call of a tool and each
 * verdict. Gives the text that comes next; nothing of it is in the log but what its events hold.
 */
export class RunTalk {
  /** Requests without an answer. */
  private readonly open = new Set<string>();
  /** One whose words are told as they come: no other was open beside it. */
  private alone: string | undefined;
  private hasStreamed = false;

  /** What the model has said since. Words of several that answer at once are told at their ends. */
  words(delta: string): string {
    if (this.alone === undefined && this.open.size > 0) return "";
    this.hasStreamed = true;
    return delta;
  }

  event(event: SessionEvent): string {
    if (event.type === "unread") return "";
    if (event.type === "llm.request") this.begin(event.data.request);
    if (event.type === "llm.failed") this.open.delete(event.data.request);
    if (event.type === "llm.response") return this.answer(event.data);
    const text = texts[event.type] as ((data: unknown) => string) | undefined;
    return text?.(event.data) ?? "";
  }

  private begin(request: string): void {
    this.alone = this.open.size === 0 ? request : undefined;
    this.open.add(request);
    this.hasStreamed = false;
  }

  /** The whole answer at its end: its words, unless they were told as they came. */
  private answer({ request, text, finish }: EventData["llm.response"]): string {
    const isAlone = this.alone === request || this.open.size === 0;
    const words = isAlone && this.hasStreamed ? "" : whole(text);
    this.open.delete(request);
    this.hasStreamed = false;
    const isCut = finish !== "stop" && finish !== "tool-calls";
    const head = isAlone ? "" : `\n── ${t`turn ${request.replace(/^r/, "")}`} ──\n`;
    return `${head}${words}${isCut ? ` (${t`ended by: ${finish}`})` : ""}\n`;
  }
}

/** All of a session as it talked. */
export function talkOf(events: readonly SessionEvent[]): string {
  const talk = new RunTalk();
  return events.map((event) => talk.event(event)).join("");
}

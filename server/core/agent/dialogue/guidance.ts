import { OperationalError } from "../../base/operational-error";
import { isOfRole } from "../../trajectory/talk/role";
import type { SessionEvent, StoredText } from "../../trajectory/events";
import type { Recorder } from "../recorder";
import { RunControl } from "../steering/run-control";

/** The longest message that is taken, in characters. */
const longestMessage = 4000;

/**
 * What the user tells the model of a session while it runs: constraints, hints, questions. Every conversation
 * of the session hears all of it, in order, the newest before the model's next turn. A message is in the log
 * when it arrives, so that one that the run ends before is heard after a resume.
 */
export class Guidance {
  readonly control = new RunControl();
  private readonly said: string[] = [];
  /** What was said before there was a log. */
  private readonly waiting: string[] = [];
  private recorder: Recorder | undefined;

  /**
   * Resolves when the message is in the log, or will be as soon as there is one. Throws OperationalError
   * `usage` for a message that is empty or too long, and after the end of the run.
   */
  async say(text: string): Promise<void> {
    const message = checked(text);
    if (this.recorder === undefined) this.waiting.push(message);
    else await this.keep(this.recorder, message);
  }

  /** From now on what is said goes into the log of the session; what was said before is written now. */
  async keepIn(recorder: Recorder): Promise<void> {
    this.recorder = recorder;
    for (const message of this.waiting.splice(0)) await this.keep(recorder, message);
  }

  get all(): readonly string[] {
    return this.said;
  }

  /** Takes up what the log of the session has, before what was said since. */
  async restore(
    events: readonly SessionEvent[],
    load: (stored: StoredText) => Promise<string>,
  ): Promise<void> {
    this.said.unshift(...(await Promise.all(saidIn(events).map(load))));
  }

  private async keep(recorder: Recorder, message: string): Promise<void> {
    if (recorder.isSealed)
      throw new OperationalError("usage", {
        forUser: "The run has just ended.",
      });
    await recorder.append("message.said", "user", {
      text: await recorder.storeText(message),
    });
    this.said.push(message);
  }
}

/** How many of the user's messages the conversation that a log ends with has heard. */
export function heardAtEnd(events: readonly SessionEvent[]): number {
  const began = events.findLastIndex((event) => event.type === "message.system" && !isOfRole(event));
  return events.slice(Math.max(0, began)).filter(isHeard).length;
}

function checked(text: string): string {
  const message = text.trim();
  if (message === "") throw new OperationalError("usage", { forUser: "The message is empty." });
  if (message.length > longestMessage)
    throw new OperationalError("usage", {
      forUser: `The message has ${message.length} characters; at most ${longestMessage} are taken.`,
    });
  return message;
}

/** Everything that the user said by a log, oldest first. */
function saidIn(events: readonly SessionEvent[]): readonly StoredText[] {
  const said = events.flatMap((event) => (event.type === "message.said" ? [event.data.text] : []));
  const first = events.findIndex((event) => event.type === "message.said");
  return [...heardIn(first === -1 ? events : events.slice(0, first)), ...said];
}

/**
 * What versions that wrote a message only where a model read it have written of it: what the conversation
 * that heard most of it has heard. One that was cut short as it began has not heard all.
 */
function heardIn(events: readonly SessionEvent[]): readonly StoredText[] {
  let heard: StoredText[] = [];
  let most: readonly StoredText[] = heard;
  for (const event of events) {
    if (event.type === "message.system" && !isOfRole(event)) heard = [];
    if (isHeard(event)) heard.push(event.data.text);
    if (heard.length > most.length) most = heard;
  }
  return most;
}

function isHeard(event: SessionEvent): event is Extract<SessionEvent, { type: "message.user" }> {
  return event.type === "message.user" && event.data.steer === true;
}

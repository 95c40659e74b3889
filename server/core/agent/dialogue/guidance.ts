import { OperationalError } from "../../base/operational-error";
import type { SessionEvent, StoredText } from "../../trajectory/events";

/** The longest message that is taken, in characters. */
const longestMessage = 4000;

/**
 * What the user tells the model of a session while it runs: constraints, hints, questions. Every conversation
 * of the session hears all of it, in order, the newest before the model's next turn.
 */
export class Guidance {
  private readonly said: string[] = [];

  /** Throws OperationalError `usage` for a message that is empty or too long. */
  say(text: string): void {
    const message = text.trim();
    if (message === "") throw new OperationalError("usage", { forUser: "The message is empty." });
    if (message.length > longestMessage)
      throw new OperationalError("usage", {
        forUser: `The message has ${message.length} characters; at most ${longestMessage} are taken.`,
      });
    this.said.push(message);
  }

  get all(): readonly string[] {
    return this.said;
  }

  /** Takes up what the log of the session has, before what was said since. */
  async restore(
    events: readonly SessionEvent[],
    load: (stored: StoredText) => Promise<string>,
  ): Promise<void> {
    let heard: StoredText[] = [];
    let most: readonly StoredText[] = heard;
    for (const event of events) {
      if (event.type === "message.system") heard = [];
      if (isGuidance(event)) heard.push(event.data.text);
      // A conversation that was cut short as it began has not heard all of it.
      if (heard.length > most.length) most = heard;
    }
    this.said.unshift(...(await Promise.all(most.map(load))));
  }
}

/** How many of the user's messages the conversation that a log ends with has heard. */
export function heardAtEnd(events: readonly SessionEvent[]): number {
  const began = events.findLastIndex((event) => event.type === "message.system");
  return events.slice(Math.max(0, began)).filter(isGuidance).length;
}

function isGuidance(event: SessionEvent): event is Extract<SessionEvent, { type: "message.user" }> {
  return event.type === "message.user" && event.data.steer === true;
}

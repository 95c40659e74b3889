import type { ModelMessage, ModelToolCall } from "../../ports/model";
import type { SessionEvent, StoredText } from "../../trajectory/events";

/** A message with the id under which the log holds its text. */
export interface Entry {
  readonly id: string;
  readonly message: ModelMessage;
}

/** Ends the id of the note that stands for an output that was taken out. */
export const shortenedSuffix = ".short";

const keepLast = 4;
const worthShortening = 600;

/**
 * What the model has seen and will see again, in order. Old tool outputs can be replaced by a note that says
 * how to recall them; the log keeps the whole text under the id of the call.
 */
export class Conversation {
  private entries: Entry[];

  /** `named`: how many message ids the log holds already. */
  constructor(
    entries: readonly Entry[] = [],
    private named = 0,
  ) {
    this.entries = [...entries];
  }

  /** An id for the next message; unique in the session. */
  nextId(): string {
    this.named += 1;
    return `m${this.named}`;
  }

  get ids(): readonly string[] {
    return this.entries.map((entry) => entry.id);
  }

  get messages(): readonly ModelMessage[] {
    return this.entries.map((entry) => entry.message);
  }

  /**
   * Characters of all texts and arguments: a cheap stand-in for tokens, of which four characters make about
   * one.
   */
  get characters(): number {
    return this.entries.reduce((sum, { message }) => sum + sizeOf(message), 0);
  }

  add(id: string, message: ModelMessage): void {
    this.entries.push({ id, message });
  }

  /**
   * Outputs to take out, oldest first, until at most `target` characters are left; the newest entries stay.
   */
  shortenable(target: number): readonly Entry[] {
    const old = this.entries.slice(0, Math.max(0, this.entries.length - keepLast));
    const chosen: Entry[] = [];
    let left = this.characters;
    for (const entry of old) {
      if (left <= target) break;
      if (
        entry.message.role !== "tool" ||
        entry.id.endsWith(shortenedSuffix) ||
        entry.message.text.length < worthShortening
      )
        continue;
      chosen.push(entry);
      left -= entry.message.text.length;
    }
    return chosen;
  }

  /** Puts the note in the place of the output. */
  shorten(id: string, note: string): void {
    this.entries = this.entries.map((entry) =>
      entry.id === id && entry.message.role === "tool"
        ? { id: id + shortenedSuffix, message: { ...entry.message, text: note } }
        : entry,
    );
  }
}

function sizeOf(message: ModelMessage): number {
  const calls =
    message.role === "assistant"
      ? message.toolCalls.reduce((sum, call) => sum + call.rawArguments.length + call.name.length, 0)
      : 0;
  return message.text.length + calls;
}

/** What is said for a call that has no answer in the log. */
const unanswered = "Not run: the session was interrupted.";

/**
 * Rebuilds the conversation from the log alone: the same ids in the same order, with an answer for each call,
 * since a provider refuses a conversation where one is missing.
 */
export async function rebuildConversation(
  events: readonly SessionEvent[],
  load: (stored: StoredText) => Promise<string>,
): Promise<Conversation> {
  const answers = new Map<string, string>();
  const notes = new Map<string, string>();
  for (const event of events) {
    if (event.type === "tool.returned") answers.set(event.data.call, await load(event.data.shown));
    if (event.type === "message.injected" && event.data.message.endsWith(shortenedSuffix))
      notes.set(event.data.message, await load(event.data.text));
  }
  const entries: Entry[] = [];
  for (const event of events) {
    switch (event.type) {
      case "message.system":
        entries.push({
          id: event.data.message,
          message: { role: "system", text: await load(event.data.text) },
        });
        break;
      case "message.user":
        entries.push({
          id: event.data.message,
          message: { role: "user", text: await load(event.data.text) },
        });
        break;
      case "message.injected":
        if (!event.data.message.endsWith(shortenedSuffix))
          entries.push({
            id: event.data.message,
            message: { role: "user", text: await load(event.data.text) },
          });
        break;
      case "llm.response": {
        const toolCalls: ModelToolCall[] = [];
        for (const call of event.data.tool_calls)
          toolCalls.push({
            callId: call.call,
            name: call.name,
            rawArguments: await load(call.raw_arguments),
          });
        entries.push({
          id: event.data.message,
          message: { role: "assistant", text: await load(event.data.text), toolCalls },
        });
        for (const call of toolCalls) entries.push(answerEntry(call, answers, notes));
        break;
      }
      default:
        break;
    }
  }
  return new Conversation(entries, entries.filter((entry) => entry.message.role !== "tool").length);
}

function answerEntry(
  call: ModelToolCall,
  answers: ReadonlyMap<string, string>,
  notes: ReadonlyMap<string, string>,
): Entry {
  const note = notes.get(call.callId + shortenedSuffix);
  const text = note ?? answers.get(call.callId) ?? unanswered;
  const id = note === undefined ? call.callId : call.callId + shortenedSuffix;
  return { id, message: { role: "tool", callId: call.callId, name: call.name, text } };
}

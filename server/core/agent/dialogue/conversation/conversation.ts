import type { ModelMessage, ModelToolCall } from "../../../ports/model";
import { withShortCalls } from "./short-calls";
import { isOfRole } from "../../../trajectory/talk/role";
import type { SessionEvent, StoredText } from "../../../trajectory/events";

/** A message with the id under which the log holds its text. */
interface Entry {
  readonly id: string;
  readonly message: ModelMessage;
}

/**
 * How many messages and requests the log of a session holds: their ids count on through all conversations.
 */
export class Numbers {
  messages = 0;
  requests = 0;
}

/** Ends the id of the note that stands for what was taken out of a message. */
export const shortenedSuffix = ".short";

const keepLast = 6;
const worthShortening = 600;

/**
 * What the model has seen and will see again, in order. Old tool outputs, and what the model itself wrote in
 * old calls, can be replaced by a note that says how to recall them; the log keeps the whole text under the
 * id of the call.
 */
export class Conversation {
  private entries: Entry[];

  constructor(
    entries: readonly Entry[] = [],
    private readonly numbers = new Numbers(),
  ) {
    this.entries = [...entries];
  }

  /** An id for the next message; unique in the session. */
  nextId(): string {
    this.numbers.messages += 1;
    return `m${this.numbers.messages}`;
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
    return charactersOf(this.entries);
  }

  /** The same of all but the newest entries, out of which nothing is taken. */
  get oldCharacters(): number {
    return charactersOf(this.old);
  }

  add(id: string, message: ModelMessage): void {
    this.entries.push({ id, message });
  }

  /**
   * Messages to take outputs or arguments out of, oldest first, until at most `target` characters are left;
   * the newest entries stay.
   */
  shortenable(target: number): readonly Entry[] {
    const chosen: Entry[] = [];
    let left = this.characters;
    for (const entry of this.old) {
      if (left <= target) break;
      const saved = entry.id.endsWith(shortenedSuffix) ? 0 : longPart(entry.message);
      if (saved < worthShortening) continue;
      chosen.push(entry);
      left -= saved;
    }
    return chosen;
  }

  /** Calls of an interrupted session that the log has no answer of. */
  get unanswered(): readonly Entry[] {
    return this.entries.filter(
      ({ id, message }) =>
        message.role === "tool" && message.text === unanswered && !id.endsWith(shortenedSuffix),
    );
  }

  private get old(): readonly Entry[] {
    return this.entries.slice(0, Math.max(0, this.entries.length - keepLast));
  }

  /** Puts the shorter message in the place of the whole one. */
  shorten(id: string, message: ModelMessage): void {
    this.entries = this.entries.map((entry) =>
      entry.id === id ? { id: id + shortenedSuffix, message } : entry,
    );
  }
}

/** Characters of a message that a note could stand for. */
function longPart(message: ModelMessage): number {
  if (message.role === "tool") return message.text.length;
  if (message.role !== "assistant") return 0;
  return message.toolCalls.reduce((sum, { rawArguments }) => sum + rawArguments.length, 0);
}

function charactersOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { message }) => sum + sizeOf(message), 0);
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
 * Rebuilds the newest conversation from the log alone: the same ids in the same order, with an answer for
 * each call, since a provider refuses a conversation where one is missing. A system message begins one.
 */
export async function rebuildConversation(
  events: readonly SessionEvent[],
  load: (stored: StoredText) => Promise<string>,
  numbers = new Numbers(),
): Promise<Conversation> {
  const { answers, notes } = await shownTexts(events, load);
  const own = events.filter((event) => !isOfRole(event));
  const began = own.findLastIndex((event) => event.type === "message.system");
  const entries: Entry[] = [];
  for (const event of began < 0 ? [] : own.slice(began)) {
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
        const short = notes.get(event.data.message + shortenedSuffix);
        const toolCalls: ModelToolCall[] = [];
        for (const call of event.data.tool_calls)
          toolCalls.push({
            callId: call.call,
            name: call.name,
            rawArguments: await load(call.raw_arguments),
          });
        const message = { role: "assistant" as const, text: await load(event.data.text), toolCalls };
        entries.push(
          short === undefined
            ? { id: event.data.message, message }
            : { id: event.data.message + shortenedSuffix, message: withShortCalls(message, short) },
        );
        for (const call of toolCalls) entries.push(answerEntry(call, answers, notes));
        break;
      }
      default:
        break;
    }
  }
  numbers.messages = events.filter(isMessage).length;
  numbers.requests = events.filter((event) => event.type === "llm.request").length;
  return new Conversation(entries, numbers);
}

/** What the model was shown of each call, and the notes that stand for what was taken out, by their ids. */
async function shownTexts(
  events: readonly SessionEvent[],
  load: (stored: StoredText) => Promise<string>,
): Promise<Record<"answers" | "notes", ReadonlyMap<string, string>>> {
  const answers = new Map<string, string>();
  const notes = new Map<string, string>();
  for (const event of events) {
    if (event.type === "tool.returned") answers.set(event.data.call, await load(event.data.shown));
    if (event.type === "message.injected" && event.data.message.endsWith(shortenedSuffix))
      notes.set(event.data.message, await load(event.data.text));
  }
  return { answers, notes };
}

/** Whether an event gave a message its number. */
function isMessage(event: SessionEvent): boolean {
  switch (event.type) {
    case "message.system":
    case "message.user":
    case "llm.response":
      return true;
    case "message.injected":
      return !event.data.message.endsWith(shortenedSuffix);
    default:
      return false;
  }
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

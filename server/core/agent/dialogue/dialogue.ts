import type { ModelMessage, ModelToolCall } from "../../ports/model";
import type { PromptName, PromptTexts } from "../../prompts/names";
import { renderPrompt } from "../../prompts/render";
import type { SessionEvent } from "../../trajectory/events";
import { Conversation, Numbers, rebuildConversation, shortenedSuffix } from "./conversation/conversation";
import { shortCallsNote, withShortCalls } from "./conversation/short-calls";
import { type Guidance, heardAtEnd } from "./guidance";
import type { Recorder } from "../recorder";

export { Numbers };

const beginningLength = 120;

/** One of our own texts to the model, with its fields, and for the log why it was put in. */
export interface Note {
  readonly prompt: PromptName;
  readonly fields: Readonly<Record<string, string>>;
  readonly reason: string;
}

/** The conversation with everything that we put into it; each text is in the log before the model sees it. */
export class Dialogue {
  private current: Conversation;
  /** Messages of the user's, beside the task, that this conversation has. */
  private heard = 0;

  constructor(
    private readonly texts: { readonly prompts: PromptTexts; readonly system: PromptName },
    readonly numbers: Numbers,
  ) {
    this.current = new Conversation([], numbers);
  }

  get conversation(): Conversation {
    return this.current;
  }

  get isEmpty(): boolean {
    return this.current.ids.length === 0;
  }

  /** Begins a conversation, with nothing of the one before. */
  async open(recorder: Recorder, task: string): Promise<void> {
    this.current = new Conversation([], this.numbers);
    this.heard = 0;
    const system = renderPrompt(this.texts.prompts[this.texts.system], {});
    const first = this.current.nextId();
    await recorder.append("message.system", "engine", {
      message: first,
      text: await recorder.storeText(system),
    });
    this.current.add(first, { role: "system", text: system });
    const second = this.current.nextId();
    await recorder.append("message.user", "user", { message: second, text: await recorder.storeText(task) });
    this.current.add(second, { role: "user", text: task });
  }

  /** What the user has said since; only when no call is waiting for its answer. */
  async listen(recorder: Recorder, guidance: Guidance): Promise<void> {
    for (const text of guidance.all.slice(this.heard)) {
      this.heard += 1;
      const message = this.current.nextId();
      await recorder.append("message.user", "user", {
        message,
        text: await recorder.storeText(text),
        steer: true,
      });
      this.current.add(message, { role: "user", text });
    }
  }

  /** A note of ours to the model; only when no call is waiting for its answer. */
  async inject(recorder: Recorder, note: Note): Promise<void> {
    const { reason } = note;
    const text = renderPrompt(this.texts.prompts[note.prompt], note.fields);
    const message = this.current.nextId();
    await recorder.append("message.injected", "engine", {
      message,
      text: await recorder.storeText(text),
      reason,
    });
    this.current.add(message, { role: "user", text });
  }

  /** The answer to a call, which the gateway has logged. */
  answer(call: ModelToolCall, text: string): void {
    this.current.add(call.callId, { role: "tool", callId: call.callId, name: call.name, text });
  }

  /**
   * Takes old outputs, and what the model wrote in old calls, out until at most `target` characters are left;
   * false when there was nothing to take out.
   */
  async shrink(recorder: Recorder, target: number): Promise<boolean> {
    const chosen = this.current.shortenable(target);
    for (const { id, message } of chosen) {
      const note = message.role === "assistant" ? shortCallsNote(message) : this.outputNote(id, message);
      await recorder.append("message.injected", "engine", {
        message: id + shortenedSuffix,
        text: await recorder.storeText(note),
        reason:
          message.role === "assistant"
            ? "what was written in old calls was replaced by references to it"
            : "an old output was replaced by a reference to it",
      });
      const short = message.role === "assistant" ? withShortCalls(message, note) : { ...message, text: note };
      this.current.shorten(id, short);
    }
    return chosen.length > 0;
  }

  private outputNote(id: string, message: ModelMessage): string {
    return renderPrompt(this.texts.prompts["refine-shortened"], {
      name: message.role === "tool" ? message.name : message.role,
      characters: String(message.text.length),
      call: id,
      beginning: message.text.slice(0, beginningLength).replace(/\s+/g, " "),
    });
  }

  async restore(recorder: Recorder, events: readonly SessionEvent[]): Promise<void> {
    this.current = await rebuildConversation(events, (stored) => recorder.loadText(stored), this.numbers);
    this.heard = heardAtEnd(events);
    // What the model is told in the place of an answer stands in the log, as all that it is told.
    for (const { id, message } of this.current.unanswered) {
      await recorder.append("message.injected", "engine", {
        message: id + shortenedSuffix,
        text: await recorder.storeText(message.text),
        reason: "the session was interrupted before the call was run",
      });
      this.current.shorten(id, message);
    }
  }
}

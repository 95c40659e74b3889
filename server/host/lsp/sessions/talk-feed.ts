import { RunTalk } from "../../../core/trajectory/talk/run-talk";
import type { SessionEvent } from "../../../core/trajectory/events";
import { show, t } from "../handshake/user-language";

/** Of what a run has said so much is kept for somebody who begins to listen late. */
const keptCharacters = 200_000;
/** The most that is told at once: a page that is drawn in a moment. */
const charactersAtOnce = 16_000;

interface TalkFeedOptions {
  /** Told what was said since, at most once in `restMilliseconds`, once somebody listens. */
  readonly says: (text: string) => void;
  readonly restMilliseconds: number;
}

/** What a run says, for those that listen: gathered, and told at a bearable rate. */
export class TalkFeed {
  private readonly talk = new RunTalk();
  private said = "";
  private untold = "";
  private isHeard = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TalkFeedOptions) {}

  words(delta: string): void {
    this.take(this.talk.words(delta));
  }

  event(event: SessionEvent): void {
    this.take(show(() => this.talk.event(event)));
  }

  /** What was said so far; from now on the rest is told. */
  listen(): string {
    this.isHeard = true;
    this.untold = "";
    return this.said;
  }

  /** Tells what is left. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.untold !== "") this.tell();
  }

  private take(text: string): void {
    if (text === "") return;
    this.said += text;
    if (this.said.length > 2 * keptCharacters)
      this.said = `${show(() => t`(what was said before is in the log)`)}\n${this.said.slice(-keptCharacters)}`;
    if (!this.isHeard) return;
    this.untold += text;
    this.timer ??= setTimeout(() => this.wake(), this.options.restMilliseconds);
  }

  private wake(): void {
    this.timer = undefined;
    this.tell();
    if (this.untold !== "") this.timer = setTimeout(() => this.wake(), this.options.restMilliseconds);
  }

  private tell(): void {
    const text = this.untold.slice(0, charactersAtOnce);
    this.untold = this.untold.slice(charactersAtOnce);
    if (text !== "") this.options.says(text);
  }
}

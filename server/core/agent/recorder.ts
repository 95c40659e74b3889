import type { SourceTree } from "../judge/candidate";
import type { SessionLog } from "../ports/run-store";
import type { Actor, EventData, EventType, NewEvent, SessionEvent, StoredText } from "../trajectory/events";
import type { CandidateRecord } from "../trajectory/state";
import { type OpenEnds, OpenWork } from "../trajectory/recovery";
import type { LoggedEvents } from "../ports/run-store";
import { cancelledError } from "./abort";

/**
 * The way into the session's log for the loop and its strategy. After `seal` nothing can be written any more:
 * a strategy that is still busy when the session has ended cannot append behind the end. It knows which jobs,
 * requests and calls are still open.
 */
export class Recorder {
  private sealed = false;
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly work = new OpenWork();
  private currentStep: number | undefined;

  constructor(private readonly log: SessionLog) {}

  /** True after the end of the session: nothing more is written. */
  get isSealed(): boolean {
    return this.sealed;
  }

  /** What stands in the log. */
  get logged(): LoggedEvents {
    return this.log.logged;
  }

  /** The candidates that stand there. */
  get candidates(): readonly CandidateRecord[] {
    return this.log.candidates;
  }

  /** One model call is one step; what is appended from here on belongs to it. */
  beginStep(step: number): void {
    this.currentStep = step;
  }

  async append<Type extends EventType>(
    type: Type,
    actor: Actor["kind"],
    data: EventData[Type],
  ): Promise<SessionEvent> {
    this.refuseWhenSealed();
    const step = this.currentStep === undefined ? {} : { step: this.currentStep };
    // The pair of type and data is checked by the signature; the union of all events cannot express it for a
    // generic type.
    return this.tracked(
      this.log.append({ type, actor: { kind: actor }, data, ...step } as NewEvent).then((written) => {
        this.work.take(written);
        return written;
      }),
    );
  }

  async storeText(text: string): Promise<StoredText> {
    this.refuseWhenSealed();
    return this.tracked(this.log.storeText(text));
  }

  loadText(stored: StoredText): Promise<string> {
    return this.log.loadText(stored);
  }

  async snapshot(tree: SourceTree, parent: string | null): Promise<string> {
    this.refuseWhenSealed();
    return this.tracked(this.log.snapshot(tree, parent));
  }

  loadTree(treeId: string): Promise<SourceTree> {
    return this.log.loadTree(treeId);
  }

  /** Refuses further events, waits for pending writes and gives what is still open. */
  async seal(): Promise<OpenEnds> {
    this.sealed = true;
    await Promise.allSettled([...this.inFlight]);
    return this.work.ends();
  }

  private async tracked<Value>(write: Promise<Value>): Promise<Value> {
    this.inFlight.add(write);
    try {
      return await write;
    } finally {
      this.inFlight.delete(write);
    }
  }

  private refuseWhenSealed(): void {
    if (this.sealed) throw cancelledError();
  }
}

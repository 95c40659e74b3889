import type { SourceTree } from "../kernel/candidate";
import type { SessionLog } from "../ports/run-store";
import type { Actor, EventData, EventType, NewEvent, SessionEvent, StoredText } from "../trajectory/events";
import { cancelledError } from "./abort";

/**
 * The way into the session's log for the loop and its strategy. After `seal` nothing can be written any more: a strategy that is still
 * busy when the session has ended cannot append behind the end.
 */
export class Recorder {
  private sealed = false;
  private currentStep: number | undefined;

  constructor(private readonly log: SessionLog) {}

  /** One model call is one step; what is appended from here on belongs to it. */
  beginStep(step: number): void {
    this.currentStep = step;
  }

  async append<Type extends EventType>(type: Type, actor: Actor["kind"], data: EventData[Type]): Promise<SessionEvent> {
    this.refuseWhenSealed();
    const step = this.currentStep === undefined ? {} : { step: this.currentStep };
    // The pair of type and data is checked by the signature; the union of all events cannot express it for a generic type.
    return this.log.append({ type, actor: { kind: actor }, data, ...step } as NewEvent);
  }

  async storeText(text: string): Promise<StoredText> {
    this.refuseWhenSealed();
    return this.log.storeText(text);
  }

  loadText(stored: StoredText): Promise<string> {
    return this.log.loadText(stored);
  }

  async snapshot(tree: SourceTree, parent: string | null): Promise<string> {
    this.refuseWhenSealed();
    return this.log.snapshot(tree, parent);
  }

  loadTree(treeId: string): Promise<SourceTree> {
    return this.log.loadTree(treeId);
  }

  seal(): void {
    this.sealed = true;
  }

  private refuseWhenSealed(): void {
    if (this.sealed) throw cancelledError();
  }
}

import type { Disposable } from "../../../../core/base/disposable";
import type { OpenDocument } from "../../documents";

/** Looks at documents again when their text has rested. */
export class LintWatch implements Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** `look` is called with a document that is open, at its text of then. */
  constructor(
    private readonly restMilliseconds: number,
    private readonly look: (document: OpenDocument) => void,
  ) {}

  request(document: OpenDocument, when: "at once" | "at rest"): void {
    this.forget(document.uri);
    const run = (): void => {
      this.timers.delete(document.uri);
      this.look(document);
    };
    this.timers.set(document.uri, setTimeout(run, when === "at once" ? 0 : this.restMilliseconds));
  }

  /** The document was closed. */
  forget(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}

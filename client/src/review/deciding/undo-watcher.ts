import {
  Disposable,
  type LogOutputChannel,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  workspace,
} from "vscode";
import type { Decider } from "./decider";
import { type LocatedHunk, locateHunks } from "../locate";
import type { ReviewStore } from "../review-store";

/**
 * Sees when the user takes an accepted hunk back with the editor's own undo (or brings it again with redo)
 * and records just that. Keys may be faster than the record of what they did, so a document whose newest
 * change is an undo or a redo is looked at again after each decision. Other edits decide nothing.
 */
export class UndoWatcher implements Disposable {
  private readonly subscription: Disposable;
  /** Documents whose newest change is an undo or a redo. */
  private readonly stepped = new Set<TextDocument>();
  /**
   * The newest attempt for each hunk: one that the server did not follow is not repeated for the same text.
   */
  private readonly attempts = new Map<string, string>();

  constructor(
    private readonly store: ReviewStore,
    private readonly decider: Decider,
    private readonly log: LogOutputChannel,
  ) {
    this.subscription = Disposable.from(
      workspace.onDidChangeTextDocument((event) => this.note(event)),
      workspace.onDidCloseTextDocument((document) => this.stepped.delete(document)),
      store.onDidChange(() => this.reconcileAll()),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private note({ document, contentChanges, reason }: TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    if (reason !== TextDocumentChangeReason.Undo && reason !== TextDocumentChangeReason.Redo) {
      this.stepped.delete(document);
      return;
    }
    this.stepped.add(document);
    this.reconcile(document);
  }

  private reconcileAll(): void {
    this.stepped.forEach((document) => this.reconcile(document));
  }

  private reconcile(document: TextDocument): void {
    if (this.decider.isBusy || this.store.forFile(document.uri).length === 0) return;
    const decided = locateHunks(this.store, document).map((each) => ({
      located: each,
      decision: this.decider.told.decisionOf(each.review.proposal.sessionId, each.hunk),
    }));
    const those = (decision: string, state: string): readonly LocatedHunk[] =>
      decided
        .filter((each) => each.decision === decision && each.located.placement.state === state)
        .map(({ located }) => located);
    this.recordEach(document, those("accepted", "base"), "undone");
    this.recordEach(document, those("open", "proposed"), "accepted");
  }

  private recordEach(
    document: TextDocument,
    hunks: readonly LocatedHunk[],
    decision: "accepted" | "undone",
  ): void {
    const fresh = hunks.filter((located) => this.isFresh(located, `${decision}@${document.version}`));
    for (const sessionId of new Set(fresh.map(({ review }) => review.proposal.sessionId))) {
      const ids = fresh
        .filter(({ review }) => review.proposal.sessionId === sessionId)
        .map(({ hunk }) => hunk.id);
      void this.decider
        .record(sessionId, ids, decision)
        .catch((error: unknown) => this.log.warn(`recording ${decision}: ${String(error)}`));
    }
  }

  private isFresh({ review, hunk }: LocatedHunk, attempt: string): boolean {
    const key = `${review.proposal.sessionId}/${hunk.id}`;
    if (this.attempts.get(key) === attempt) return false;
    this.attempts.set(key, attempt);
    return true;
  }
}

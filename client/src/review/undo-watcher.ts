import {
  Disposable,
  type LogOutputChannel,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  workspace,
} from "vscode";
import type { Decider } from "./decider";
import type { ReviewedHunk } from "../../../server/core/review/hunk";
import { type LocatedHunk, locateHunks } from "./locate";
import type { ReviewStore } from "./review-store";

type Decision = ReviewedHunk["decision"];

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
  /** What was told of a hunk and is not answered: until then the store still has the decision before it. */
  private readonly told = new Map<string, { readonly decision: "accepted" | "undone" }>();

  constructor(
    private readonly store: ReviewStore,
    private readonly decider: Decider,
    private readonly log: LogOutputChannel,
  ) {
    this.subscription = Disposable.from(
      workspace.onDidChangeTextDocument((event) => this.note(event)),
      workspace.onDidCloseTextDocument((document) => this.stepped.delete(document)),
      store.onDidChange(() => this.reconcileAll()),
      // The answer to a decision changes the store while the decision is still under way.
      decider.onDidSettle(() => this.reconcileAll()),
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
    const located = locateHunks(this.store, document);
    this.recordEach(
      document,
      located.filter((each) => this.decisionOf(each) === "accepted" && each.placement.state === "base"),
      "undone",
    );
    this.recordEach(
      document,
      located.filter((each) => this.decisionOf(each) === "open" && each.placement.state === "proposed"),
      "accepted",
    );
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
      const answered = this.noteTold(sessionId, ids, decision);
      void this.decider
        .record(sessionId, ids, decision)
        .catch((error: unknown) => this.log.warn(`recording ${decision}: ${String(error)}`))
        .finally(answered);
    }
  }

  /** The decision that holds once all that was told is answered: undo and redo are faster than answers. */
  private decisionOf({ review, hunk }: LocatedHunk): Decision {
    const told = this.told.get(keyOf(review.proposal.sessionId, hunk.id));
    if (told === undefined) return hunk.decision;
    return told.decision === "undone" ? "open" : told.decision;
  }

  /** Keeps what is told of some hunks; the function that is given ends that. */
  private noteTold(sessionId: string, ids: readonly string[], decision: "accepted" | "undone"): () => void {
    const told = { decision };
    const keys = ids.map((id) => keyOf(sessionId, id));
    for (const key of keys) this.told.set(key, told);
    return () => {
      for (const key of keys) if (this.told.get(key) === told) this.told.delete(key);
    };
  }

  private isFresh({ review, hunk }: LocatedHunk, attempt: string): boolean {
    const key = keyOf(review.proposal.sessionId, hunk.id);
    if (this.attempts.get(key) === attempt) return false;
    this.attempts.set(key, attempt);
    return true;
  }
}

function keyOf(sessionId: string, hunk: string): string {
  return `${sessionId}/${hunk}`;
}

import { type Disposable, type LogOutputChannel, type TextDocument, workspace } from "vscode";
import type { Decider } from "./decider";
import { type LocatedHunk, locateHunks } from "./locate";
import type { ReviewStore } from "./review-store";

/** Sees when the user takes an accepted hunk back with the editor's own undo (or brings it again with redo) and records just that. */
export class UndoWatcher implements Disposable {
  private readonly subscription: Disposable;

  constructor(private readonly store: ReviewStore, private readonly decider: Decider, private readonly log: LogOutputChannel) {
    this.subscription = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && !decider.isBusy && store.forFile(document.uri).length > 0) void this.reconcile(document);
    });
  }

  private async reconcile(document: TextDocument): Promise<void> {
    const located = locateHunks(this.store, document);
    await this.recordEach(located.filter(({ hunk, placement }) => hunk.decision === "accepted" && placement.state === "base"), "undone");
    await this.recordEach(located.filter(({ hunk, placement }) => hunk.decision === "open" && placement.state === "proposed"), "accepted");
  }

  private async recordEach(hunks: readonly LocatedHunk[], decision: "accepted" | "undone"): Promise<void> {
    const sessions = new Set(hunks.map(({ review }) => review.proposal.sessionId));
    for (const sessionId of sessions) {
      const ids = hunks.filter(({ review }) => review.proposal.sessionId === sessionId).map(({ hunk }) => hunk.id);
      await this.decider.record(sessionId, ids, decision).catch((error: unknown) => this.log.warn(`recording ${decision}: ${String(error)}`));
    }
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

import {
  type CommentController,
  type CommentThread,
  CommentMode,
  CommentThreadCollapsibleState,
  comments,
  Disposable,
  l10n,
  MarkdownString,
  Range,
  type TextDocument,
  Uri,
  workspace,
} from "vscode";
import type { Placement } from "../../../server/core/review/placement";
import { groupWords } from "./change-words";
import { threadBody } from "./hunk-text";
import { type LocatedHunk, locateHunks } from "./locate";
import { addressOf, type Review, type ReviewStore } from "./review-store";

/**
 * Hunks inline in the editor: an expanded comment thread below the lines that a hunk would replace. The text
 * itself is not touched.
 */
export class ReviewThreads implements Disposable {
  private readonly controller: CommentController;
  private readonly threads = new Map<string, { readonly thread: CommentThread; body: string }>();
  private readonly subscriptions: Disposable;

  constructor(private readonly store: ReviewStore) {
    this.controller = comments.createCommentController(
      "kernelwright.review",
      l10n.t("Kernelwright proposal"),
    );
    this.subscriptions = Disposable.from(
      this.controller,
      store.onDidChange(() => void this.refresh()),
      workspace.onDidChangeTextDocument(({ document }) =>
        store.forFile(document.uri).length > 0 ? this.refreshDocument(document) : undefined,
      ),
    );
  }

  /** The hunk whose thread the user clicked in. */
  hunkOf(thread: unknown): { readonly sessionId: string; readonly hunk: string } | undefined {
    for (const [key, shown] of this.threads) {
      if (shown.thread !== thread) continue;
      for (const review of this.store.all()) {
        const hunk = review.proposal.hunks.find((candidate) => keyOf(review, candidate.id) === key);
        if (hunk !== undefined) return { sessionId: review.proposal.sessionId, hunk: hunk.id };
      }
    }
    return undefined;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async refresh(): Promise<void> {
    const open = new Set(
      this.store
        .all()
        .flatMap((review) =>
          review.proposal.hunks
            .filter((hunk) => hunk.decision === "open")
            .map((hunk) => keyOf(review, hunk.id)),
        ),
    );
    for (const [key, { thread }] of this.threads) {
      if (open.has(key)) continue;
      thread.dispose();
      this.threads.delete(key);
    }
    const files = new Set(
      this.store.all().flatMap((review) => review.proposal.files.map((file) => addressOf(file.uri))),
    );
    for (const file of files) this.refreshDocument(await workspace.openTextDocument(Uri.parse(file)));
  }

  private refreshDocument(document: TextDocument): void {
    for (const located of locateHunks(this.store, document)) {
      if (located.hunk.decision === "open") this.showThread(document, located);
    }
  }

  private showThread(document: TextDocument, located: LocatedHunk): void {
    const { review, hunk, placement, ordinal } = located;
    const key = keyOf(review, hunk.id);
    const range = threadRange(document, placement.start, placement.end);
    const { hypothesis, hunks, review: status } = review.proposal;
    const group = groupWords(review.proposal, hunk);
    const body = threadBody(hunk, { hypothesis, claim: status.claim, group, state: placement.state });
    const shown = this.threads.get(key) ?? {
      thread: this.controller.createCommentThread(document.uri, range, []),
      body: "",
    };
    this.threads.set(key, shown);
    const { thread } = shown;
    if (thread.range === undefined || !thread.range.isEqual(range)) thread.range = range;
    if (shown.body === body) return;
    shown.body = body;
    thread.canReply = false;
    thread.contextValue = placement.state === "edited" ? "hunk conflict" : "hunk";
    thread.label = threadLabel(placement.state, ordinal, hunks.length);
    thread.comments = [
      { author: { name: "Kernelwright" }, mode: CommentMode.Preview, body: new MarkdownString(body, true) },
    ];
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
  }
}

function keyOf(review: Review, hunk: string): string {
  return `${review.proposal.sessionId}/${hunk}`;
}

function threadLabel(state: Placement["state"], ordinal: number, changes: number): string {
  switch (state) {
    case "base":
      return l10n.t("Change {0} of {1}", ordinal, changes);
    case "proposed":
      return l10n.t("Change {0} of {1}: already in the text", ordinal, changes);
    case "edited":
      return l10n.t("Change {0} of {1}: conflict with your edit", ordinal, changes);
  }
}

/** The lines that would go, or the line after which lines would come. */
function threadRange(document: TextDocument, start: number, end: number): Range {
  const last = Math.max(0, Math.min(document.lineCount - 1, Math.max(start, end) - 1));
  const first = Math.min(start, last);
  return new Range(first, 0, last, document.lineAt(last).text.length);
}

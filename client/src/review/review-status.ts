import { Disposable, l10n, StatusBarAlignment, type StatusBarItem, window } from "vscode";
import type { ClaimView } from "../../../server/protocol/views";
import { buttonsFor } from "../messages";
import { shortClaim } from "../short-message";
import { groupWords } from "./change-words";
import { claimIcon } from "./hunk-text";
import { reviewAtHand, reviewsShownIn } from "./locate";
import { openHunks, rejectedHunks, type Review, type ReviewStore } from "./review-store";

/**
 * What may be said of the proposal in the active editor: in the status bar while changes are open. Once all
 * are decided, what came of a part of them is said once, as a warning when it is not correct.
 */
export class ReviewStatus implements Disposable {
  private readonly item: StatusBarItem;
  private readonly rejected: StatusBarItem;
  private readonly subscriptions: Disposable;
  /** Claims that were said when their review was over. */
  private readonly said = new Set<string>();

  constructor(private readonly store: ReviewStore) {
    this.item = window.createStatusBarItem("kernelwright.review", StatusBarAlignment.Left, 10);
    this.item.name = l10n.t("Kernelwright review");
    this.item.command = "kernelwright.explainHunk";
    this.rejected = window.createStatusBarItem("kernelwright.rejected", StatusBarAlignment.Left, 9);
    this.rejected.name = l10n.t("Kernelwright rejected changes");
    this.rejected.command = "kernelwright.undoReject";
    this.rejected.tooltip = l10n.t("Open the rejected changes of this proposal again");
    this.subscriptions = Disposable.from(
      this.item,
      this.rejected,
      store.onDidChange(() => this.refresh()),
      window.onDidChangeActiveTextEditor(() => this.refresh()),
      // Of several proposals the one is told that the cursor is nearest to.
      window.onDidChangeTextEditorSelection(({ textEditor: { document } }) =>
        reviewsShownIn(store, document).length > 1 ? this.refresh() : undefined,
      ),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private refresh(): void {
    for (const review of this.store.all()) if (openHunks(review).length === 0) this.close(review);
    const editor = window.activeTextEditor;
    const shown = editor === undefined ? undefined : reviewAtHand(this.store, editor);
    this.showRejected(editor === undefined ? [] : reviewsShownIn(this.store, editor.document));
    if (shown === undefined || !isOfInterest(shown)) return this.item.hide();
    const { claim } = shown.proposal.review;
    // How many changes it is about stands before it: the room is for the figures at its end.
    const said = claim.state === "proposal" ? withoutGpu(shown.proposal.verdict) : claim.text;
    this.item.text = `${claimIcon(claim)} ${countWords(shown)}${shortClaim(said)}`;
    this.item.tooltip = [claim.text, ...groupLines(shown)].join("\n");
    this.item.accessibilityInformation = { label: l10n.t("Kernelwright review: {0}", claim.text) };
    this.item.show();
  }

  private showRejected(reviews: readonly Review[]): void {
    const review = reviews.findLast((each) => rejectedHunks(each).length > 0);
    if (review === undefined) return this.rejected.hide();
    const count = rejectedHunks(review).length;
    this.rejected.text = `$(discard) ${l10n.t("{0} rejected: undo", count)}`;
    this.rejected.accessibilityInformation = {
      label: l10n.t("{0} rejected changes: open them again", count),
    };
    this.rejected.show();
  }

  private close({ proposal }: Review): void {
    const { claim } = proposal.review;
    const key = `${proposal.sessionId} ${claim.text}`;
    if (claim.state !== "checked" || this.said.has(key)) return;
    this.said.add(key);
    if (claim.passed === false) void window.showWarningMessage(claim.text, ...buttonsFor(claim.text));
  }
}

/** `2 of 3 changes open · `; nothing once all are decided. */
function countWords(review: Review): string {
  const open = openHunks(review).length;
  if (open === 0) return "";
  const all = review.proposal.hunks.length;
  return `${all === 1 ? l10n.t("1 change open") : l10n.t("{0} of {1} changes open", open, all)} · `;
}

/** The status bar names the GPU at its other end. */
function withoutGpu(verdict: string): string {
  return verdict.replace(/ \([^)]*\)(?= ·|$)/, "");
}

/** Once everything is decided and the proposal's own verdict holds, there is nothing more to say. */
function isOfInterest(review: Review): boolean {
  const finished: ReadonlySet<ClaimView["state"]> = new Set<ClaimView["state"]>(["proposal", "conflict"]);
  return openHunks(review).length > 0 || !finished.has(review.proposal.review.claim.state);
}

function groupLines({ proposal }: Review): readonly string[] {
  return proposal.hunks.flatMap((hunk, index) => {
    const words = hunk.decision === "open" ? groupWords(proposal, hunk) : "";
    return words === "" ? [] : [l10n.t("Change {0}: {1}", index + 1, words)];
  });
}

import {
  CodeLens,
  type CodeLensProvider,
  Disposable,
  EventEmitter,
  l10n,
  languages,
  Range,
  type TextDocument,
} from "vscode";
import { type LocatedHunk, locateHunks } from "./locate";
import { openHunks, type ReviewStore } from "./review-store";

/**
 * The same choices as the threads' buttons, as text above each hunk; the first hunk of a proposal also offers
 * the whole.
 */
export class HunkLenses implements CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly subscriptions: Disposable;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly store: ReviewStore) {
    this.subscriptions = Disposable.from(
      this.changed,
      store.onDidChange(() => this.changed.fire()),
      languages.registerCodeLensProvider({ scheme: "file" }, this),
    );
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const open = locateHunks(this.store, document).filter(({ hunk }) => hunk.decision === "open");
    return open.flatMap((located, index) => {
      const line = Math.min(located.placement.start, document.lineCount - 1);
      const first = open.findIndex(({ review }) => review === located.review) === index;
      return [
        ...hunkLenses(located, line),
        ...(first && openHunks(located.review).length > 1 ? wholeLenses(located, line) : []),
      ];
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

function hunkLenses({ review, hunk, placement, ordinal }: LocatedHunk, line: number): CodeLens[] {
  const range = new Range(line, 0, line, 0);
  const target = { sessionId: review.proposal.sessionId, hunk: hunk.id };
  const lens = (title: string, command: string): CodeLens =>
    new CodeLens(range, { title, command, arguments: [target] });
  return [
    lens(acceptTitle(placement.state, ordinal), "kernelwright.acceptHunk"),
    lens(`$(close)\u00a0${l10n.t("Reject")}`, "kernelwright.rejectHunk"),
    lens(`$(diff)\u00a0${l10n.t("Diff")}`, "kernelwright.showDiff"),
    lens(`$(question)\u00a0${l10n.t("Why")}`, "kernelwright.explainHunk"),
  ];
}

function acceptTitle(state: LocatedHunk["placement"]["state"], ordinal: number): string {
  switch (state) {
    case "base":
      return `$(check)\u00a0${l10n.t("Accept change {0}", ordinal)}`;
    case "proposed":
      return `$(check)\u00a0${l10n.t("Change {0} is already in the text: record as accepted", ordinal)}`;
    case "edited":
      return `$(warning)\u00a0${l10n.t("Change {0} conflicts with your edit", ordinal)}`;
  }
}

function wholeLenses({ review }: LocatedHunk, line: number): CodeLens[] {
  const range = new Range(line, 0, line, 0);
  const target = { sessionId: review.proposal.sessionId };
  return [
    new CodeLens(range, {
      title: `$(check-all)\u00a0${l10n.t("Accept all {0}", openHunks(review).length)}`,
      command: "kernelwright.acceptAll",
      arguments: [target],
    }),
    new CodeLens(range, {
      title: `$(close-all)\u00a0${l10n.t("Reject all")}`,
      command: "kernelwright.rejectAll",
      arguments: [target],
    }),
  ];
}

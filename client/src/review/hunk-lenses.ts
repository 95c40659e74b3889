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
import { sideOf } from "./proposal-documents";
import { needsWords } from "./change-words";
import type { ToldDecisions } from "./deciding/told-decisions";
import { openHunks, type Review, type ReviewStore } from "./review-store";
import type { LastingCommands } from "../lasting-commands";
import type { ReviewedHunk } from "../../../server/core/review/hunk";

/**
 * The choices at each hunk, as text above it, in the file and in the diff of its proposal; the first hunk of
 * a proposal also offers the whole.
 */
export class HunkLenses implements CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly subscriptions: Disposable;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly store: ReviewStore,
    private readonly told: ToldDecisions,
    private readonly commands: LastingCommands,
  ) {
    this.subscriptions = Disposable.from(
      this.changed,
      store.onDidChange(() => this.changed.fire()),
      told.onDidChange(() => this.changed.fire()),
      languages.registerCodeLensProvider([{ scheme: "file" }, { scheme: "kernelwright-proposal" }], this),
    );
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    return this.lensesOf(document).map(
      ({ range, command }) => new CodeLens(range, command && this.commands.lasting(command)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private lensesOf(document: TextDocument): readonly CodeLens[] {
    const isDiff = sideOf(document.uri) !== undefined;
    // What was just decided offers nothing while the decision is being recorded.
    const open = locateHunks(this.store, document).filter(
      ({ review, hunk }) =>
        hunk.decision === "open" && this.told.decisionOf(review.proposal.sessionId, hunk) === "open",
    );
    return open.flatMap((located, index) => {
      const line = Math.min(located.placement.start, document.lineCount - 1);
      const first = open.findIndex(({ review }) => review === located.review) === index;
      const here = open.filter(({ review }) => review === located.review).length;
      const whole = first && openHunks(located.review).length > 1 ? wholeLenses(located, line, here) : [];
      const own = hunkLenses(located, line).filter(
        ({ command }) => !(isDiff && command?.command === "kernelwright.showDiff"),
      );
      // While it is not known what a change needs, taking all of them is what is known to work.
      return located.hunk.needs === null ? [...whole, ...own] : [...own, ...whole];
    });
  }
}

function hunkLenses({ review, hunk, placement, ordinal }: LocatedHunk, line: number): CodeLens[] {
  const range = new Range(line, 0, line, 0);
  const target = { sessionId: review.proposal.sessionId, hunk: hunk.id };
  const lens = (title: string, command: string): CodeLens =>
    new CodeLens(range, { title, command, arguments: [target] });
  const { needsReview = [] } = review.proposal;
  const decide =
    placement.state === "edited" ? "kernelwright.resolveConflict" : ("kernelwright.acceptHunk" as const);
  return [
    ...needsReview.map((remark) => lens(`$(warning)\u00a0${remark}`, "kernelwright.explainHunk")),
    lens(acceptTitle({ review, hunk, placement, ordinal }), decide),
    lens(`$(close)\u00a0${l10n.t("Reject")}`, "kernelwright.rejectHunk"),
    lens(`$(diff)\u00a0${l10n.t("Diff")}`, "kernelwright.showDiff"),
    lens(`$(question)\u00a0${l10n.t("Why")}`, "kernelwright.explainHunk"),
  ];
}

function acceptTitle({ review, hunk, placement, ordinal }: LocatedHunk): string {
  switch (placement.state) {
    case "base":
      return `$(check)\u00a0${acceptWords(review, hunk, ordinal)}`;
    case "proposed":
      return `$(check)\u00a0${l10n.t("Change {0} is already in the text: record as accepted", ordinal)}`;
    case "edited":
      return `$(warning)\u00a0${l10n.t("Change {0} conflicts with your edit: resolve…", ordinal)}`;
  }
}

function acceptWords({ proposal }: Review, hunk: ReviewedHunk, ordinal: number): string {
  // The dots say that a question follows.
  if (hunk.needs === null) return l10n.t("Accept change {0}…", ordinal);
  const needs = needsWords(proposal, hunk);
  return needs === ""
    ? l10n.t("Accept change {0}", ordinal)
    : l10n.t("Accept change {0} ({1})", ordinal, needs);
}

/** `here`: open changes in the document. Where there are others, those of the file can be taken alone. */
function wholeLenses({ review }: LocatedHunk, line: number, here: number): CodeLens[] {
  const range = new Range(line, 0, line, 0);
  const target = { sessionId: review.proposal.sessionId };
  const ofFile = new CodeLens(range, {
    title: `$(check)\u00a0${l10n.t("Accept {0} of this file", here)}`,
    command: "kernelwright.acceptFile",
    arguments: [target],
  });
  return [
    ...(here > 1 && here < openHunks(review).length ? [ofFile] : []),
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

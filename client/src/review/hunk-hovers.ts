import {
  type Disposable,
  Hover,
  type HoverProvider,
  l10n,
  languages,
  MarkdownString,
  type Position,
  Range,
  type TextDocument,
} from "vscode";
import { groupWords } from "./change-words";
import { hunkBody } from "./hunk-text";
import { type LocatedHunk, locateHunks } from "./locate";
import type { ReviewStore } from "./review-store";

const commands = [
  "kernelwright.acceptHunk",
  "kernelwright.rejectHunk",
  "kernelwright.showDiff",
  "kernelwright.explainHunk",
] as const;

/** The evidence for a change in one short hover, over the lines that it concerns. */
export class HunkHovers implements HoverProvider, Disposable {
  private readonly subscription: Disposable;

  constructor(private readonly store: ReviewStore) {
    this.subscription = languages.registerHoverProvider({ scheme: "file" }, this);
  }

  provideHover(document: TextDocument, position: Position): Hover | undefined {
    const found = locateHunks(this.store, document).find(
      ({ hunk, placement }) =>
        hunk.decision === "open" &&
        position.line >= placement.start &&
        position.line < Math.max(placement.end, placement.start + 1),
    );
    if (found === undefined) return undefined;
    const { start, end } = found.placement;
    return new Hover(contents(found, document.languageId), new Range(start, 0, Math.max(end, start + 1), 0));
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

function contents({ review, hunk, placement, ordinal }: LocatedHunk, language: string): MarkdownString {
  const { proposal } = review;
  const argument = encodeURIComponent(JSON.stringify([{ sessionId: proposal.sessionId, hunk: hunk.id }]));
  const link = (title: string, command: (typeof commands)[number]): string =>
    `[${title}](command:${command}?${argument})`;
  const body = hunkBody(hunk, {
    language,
    hypothesis: proposal.hypothesis,
    claim: proposal.review.claim,
    group: groupWords(proposal, hunk),
    state: placement.state,
  });
  const links = [
    link(l10n.t("Accept"), "kernelwright.acceptHunk"),
    link(l10n.t("Reject"), "kernelwright.rejectHunk"),
    link(l10n.t("Diff"), "kernelwright.showDiff"),
    link(l10n.t("Why"), "kernelwright.explainHunk"),
  ];
  const head = l10n.t("**Change {0} of {1}** would put here:", ordinal, proposal.hunks.length);
  const text = new MarkdownString([head, body, links.join(" · ")].join("\n\n"), true);
  text.isTrusted = { enabledCommands: commands };
  return text;
}

import type { Hunk } from "../../../server/core/review/hunk";
import type { Placement } from "../../../server/core/review/placement";
import type { ClaimView } from "../../../server/protocol/views";
import { t } from "../../webview/common/localized";
import { escapeMarkdown, fencedBlock } from "../markdown";

/** A longer hunk is cut here; the side-by-side diff shows all of it. */
const shownLines = 40;

/** What would stand there, in the colours of its language; a change that only removes has none. */
function newText({ proposedLines }: Hunk, language: string): readonly string[] {
  if (proposedLines.length === 0) return [t("These lines go.")];
  if (proposedLines.length <= shownLines) return [fencedBlock(language, proposedLines)];
  return [
    fencedBlock(language, proposedLines.slice(0, shownLines)),
    t("{0} more lines stand in the diff.", proposedLines.length - shownLines),
  ];
}

function notesFor(state: Placement["state"]): readonly string[] {
  switch (state) {
    case "base":
      return [];
    case "proposed":
      return [
        t("$(info) **This change is in the text already.** Accept records that; Reject takes it out again."),
      ];
    case "edited":
      return [
        t(
          "$(warning) **You have edited these lines since the proposal was made:** take the proposal's, keep yours, or edit both side by side.",
        ),
      ];
  }
}

interface HunkWords {
  /** The editor's id of the file's language. */
  readonly language: string;
  readonly hypothesis: string;
  /** What may be said of the changes and the text as they are now. */
  readonly claim: ClaimView;
  /** What is known about taking this change without the others; may be empty. */
  readonly group: string;
  readonly state: Placement["state"];
}

/** The icon says in one look whether the text beside it is something that was found out. */
export function claimIcon({ state, passed }: ClaimView): string {
  if (state === "checking") return "$(sync~spin)";
  if (passed === null) return "$(question)";
  return passed ? "$(beaker)" : "$(error)";
}

/**
 * What the hover at a hunk says: what stands in the way (if anything), what would stand there, what it is for
 * and what was found out about it.
 */
export function hunkBody(hunk: Hunk, words: HunkWords): string {
  return [
    ...notesFor(words.state),
    ...newText(hunk, words.language),
    escapeMarkdown(words.hypothesis),
    ...(words.group === "" ? [] : [`$(link) ${escapeMarkdown(words.group)}`]),
    `${claimIcon(words.claim)} ${escapeMarkdown(words.claim.text)}`,
  ].join("\n\n");
}

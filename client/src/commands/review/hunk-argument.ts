import { l10n, window } from "vscode";
import { type LocatedHunk, locateHunks, nearestTo, reviewAtHand } from "../../review/locate";
import { complain, type HunkTarget, hunkTarget } from "../arguments";
import type { Parts } from "../command";

/** Open hunks of the active editor, from top to bottom. */
export function openHunksHere(parts: Parts): readonly LocatedHunk[] {
  const editor = window.activeTextEditor;
  return editor === undefined
    ? []
    : locateHunks(parts.reviews, editor.document).filter(({ hunk }) => hunk.decision === "open");
}

/** The hunk of a lens or of a hover's link, else the one at or nearest to the cursor. */
export function hunkFrom(parts: Parts, argument: unknown): HunkTarget | undefined {
  const named = hunkTarget(argument);
  if (named !== undefined) return named;
  const line = window.activeTextEditor?.selection.active.line ?? 0;
  const nearest = nearestTo(line, openHunksHere(parts));
  if (nearest === undefined) return complain(l10n.t("There is no open change of a proposal in this editor."));
  return { sessionId: nearest.review.proposal.sessionId, hunk: nearest.hunk.id };
}

/** The review that an argument names, else the one at the cursor of the active editor, else the only one. */
export function reviewFrom(parts: Parts, argument: unknown): string | undefined {
  if (
    typeof argument === "object" &&
    argument !== null &&
    "sessionId" in argument &&
    typeof argument.sessionId === "string"
  )
    return argument.sessionId;
  const editor = window.activeTextEditor;
  const here = editor === undefined ? undefined : reviewAtHand(parts.reviews, editor);
  const all = parts.reviews.all();
  const review = here ?? (all.length === 1 ? all[0] : undefined);
  if (review === undefined) return complain(l10n.t("There is no proposal under review in this editor."));
  return review.proposal.sessionId;
}

import { l10n, window } from "vscode";
import { type LocatedHunk, locateHunks, reviewsShownIn } from "../../review/locate";
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
  const nearest = [...openHunksHere(parts)].sort((a, b) => distance(a, line) - distance(b, line))[0];
  if (nearest === undefined) return complain(l10n.t("There is no open change of a proposal in this editor."));
  return { sessionId: nearest.review.proposal.sessionId, hunk: nearest.hunk.id };
}

/** The review that an argument names, else the one in the active editor, else the only one. */
export function reviewFrom(parts: Parts, argument: unknown): string | undefined {
  if (
    typeof argument === "object" &&
    argument !== null &&
    "sessionId" in argument &&
    typeof argument.sessionId === "string"
  )
    return argument.sessionId;
  const document = window.activeTextEditor?.document;
  const here = document === undefined ? undefined : reviewsShownIn(parts.reviews, document)[0];
  const all = parts.reviews.all();
  const review = here ?? (all.length === 1 ? all[0] : undefined);
  if (review === undefined) return complain(l10n.t("There is no proposal under review in this editor."));
  return review.proposal.sessionId;
}

function distance({ placement }: LocatedHunk, line: number): number {
  if (line < placement.start) return placement.start - line;
  return line < placement.end ? 0 : line - placement.end + 1;
}

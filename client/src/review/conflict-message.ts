import { l10n, Selection, TextEditorRevealType, type Uri, window, workspace } from "vscode";
import type { ProposalView } from "../../../server/protocol/views";
import type { FileConflict } from "./deciding/decision-edit";

/**
 * Says that nothing was changed, and where the user's own edits stand in the way; the first place is one
 * click away.
 */
export function announceConflicts(
  proposal: ProposalView,
  conflicts: readonly FileConflict[],
  decided: number,
): void {
  const [first] = conflicts;
  if (first === undefined) return;
  const places = conflicts.map(({ hunk, uri, line }) =>
    l10n.t("change {0} at {1}", ordinalOf(proposal, hunk), `${workspace.asRelativePath(uri)}:${line + 1}`),
  );
  const sentence =
    decided === 1
      ? l10n.t("Nothing was changed: your edits stand in the way of {0}.", places.join(", "))
      : l10n.t(
          "None of the {0} changes was made: your edits stand in the way of {1}.",
          decided,
          places.join(", "),
        );
  const show = l10n.t("Show");
  void window
    .showWarningMessage(sentence, show)
    .then((chosen) => (chosen === show ? reveal(first.uri, first.line) : undefined));
}

/** One-based place among the hunks of the proposal. */
function ordinalOf(proposal: ProposalView, hunk: string): number {
  return proposal.hunks.findIndex((candidate) => candidate.id === hunk) + 1;
}

/** Shows a zero-based line with the cursor on it. */
export async function reveal(uri: Uri, line: number): Promise<void> {
  const editor = await window.showTextDocument(uri);
  editor.selection = new Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
}

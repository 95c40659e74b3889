import { commands, EndOfLine, l10n, Range, type TextDocument, Uri, window, workspace } from "vscode";
import { WorkspaceEdit } from "vscode";
import { splitLines } from "../../../../server/core/review/line-edit";
import { type LocatedHunk, locateHunks } from "../../review/locate";
import { sideAddress } from "../../review/proposal-documents";
import { toReplacement } from "../../review/text-edits";
import type { HunkTarget } from "../arguments";
import type { Command, Parts } from "../command";
import { hunkFrom } from "./hunk-argument";

interface Conflict {
  readonly target: HunkTarget;
  readonly document: TextDocument;
  readonly located: LocatedHunk;
}

/** A change whose lines the user has edited: theirs, mine, or both merged by hand. */
export const resolveConflict: Command = {
  id: "kernelwright.resolveConflict",
  async run(parts, argument) {
    const target = hunkFrom(parts, argument);
    const conflict = target === undefined ? undefined : await conflictAt(parts, target);
    if (conflict === undefined) return;
    const choices = [
      {
        label: l10n.t("Take theirs"),
        description: l10n.t("the proposal's lines replace yours"),
        resolve: takeTheirs,
      },
      {
        label: l10n.t("Keep mine"),
        description: l10n.t("the change is rejected, your lines stay"),
        resolve: keepMine,
      },
      {
        label: l10n.t("Edit by hand"),
        description: l10n.t("the proposal and your text above the result; close its tab when it is done"),
        resolve: editByHand,
      },
    ];
    const placeHolder = l10n.t("Change {0} conflicts with your edit", conflict.located.ordinal);
    await (await window.showQuickPick(choices, { placeHolder }))?.resolve(parts, conflict);
  },
};

async function conflictAt(parts: Parts, target: HunkTarget): Promise<Conflict | undefined> {
  const proposal = parts.reviews.get(target.sessionId)?.proposal;
  const hunk = proposal?.hunks.find(({ id }) => id === target.hunk);
  const file = proposal?.files.find((each) => each.file === hunk?.file);
  if (file === undefined) return undefined;
  const document = await workspace.openTextDocument(Uri.parse(file.uri));
  const located = locateHunks(parts.reviews, document).find((each) => each.hunk.id === target.hunk);
  return located?.placement.state === "edited" ? { target, document, located } : undefined;
}

/** First the lines as the proposal knew them, then the decision as always: each is one undo step. */
async function takeTheirs(_parts: Parts, { target, document, located }: Conflict): Promise<void> {
  const { hunk, placement } = located;
  const eol = document.eol === EndOfLine.CRLF ? "\r\n" : "\n";
  const place = toReplacement(
    splitLines(document.getText()),
    { startLine: placement.start, endLine: placement.end, lines: hunk.baseLines },
    eol,
  );
  const edit = new WorkspaceEdit();
  edit.replace(
    document.uri,
    new Range(place.startLine, place.startCharacter, place.endLine, place.endCharacter),
    place.text,
  );
  if (await workspace.applyEdit(edit)) await commands.executeCommand("kernelwright.acceptHunk", target);
}

async function keepMine(_parts: Parts, { target }: Conflict): Promise<void> {
  await commands.executeCommand("kernelwright.rejectHunk", target);
}

/** In the merge editor, else in a diff editor of the proposal beside the file. */
async function editByHand({ merges }: Parts, { target, document, located }: Conflict): Promise<void> {
  if (await merges.begin(located.review, target.hunk, document)) return;
  await commands.executeCommand(
    "vscode.diff",
    sideAddress(target.sessionId, document.uri.toString(), "proposed"),
    document.uri,
    l10n.t("{0}: proposed ↔ yours", workspace.asRelativePath(document.uri)),
  );
}

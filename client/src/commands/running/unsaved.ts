import { l10n, Uri, window, workspace } from "vscode";
import { addressOf } from "../../review/review-store";

/**
 * Kernels are judged as they are on disk. Asks what to do about unsaved text; false when the user steps back.
 */
export async function settleUnsaved(uri: string): Promise<boolean> {
  const document = workspace.textDocuments.find((candidate) => addressOf(candidate.uri) === addressOf(uri));
  if (document === undefined || !document.isDirty) return true;
  const name = workspace.asRelativePath(Uri.parse(uri));
  const save = { label: l10n.t("$(save) Save and go on"), description: name };
  const disk = {
    label: l10n.t("$(file) Go on with the file on disk"),
    description: l10n.t("your unsaved text is merged when you accept a proposal"),
  };
  const chosen = await window.showQuickPick([save, disk], {
    placeHolder: l10n.t("{0} has unsaved changes", name),
  });
  if (chosen === save) return document.save();
  return chosen === disk;
}

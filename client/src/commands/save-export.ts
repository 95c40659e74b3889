import { commands, l10n, Uri, window, workspace } from "vscode";

interface Exported {
  readonly text: string;
  /** What is offered for its name. */
  readonly fileName: string;
}

/** Asks where to, writes the file, and offers to open it. `title`: of the dialog. */
export async function saveExport(title: string, { text, fileName }: Exported): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    defaultUri: folder === undefined ? undefined : Uri.joinPath(folder, fileName),
    title,
  });
  if (target === undefined) return;
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = l10n.t("Open");
  const message = l10n.t("Exported to {0}.", workspace.asRelativePath(target));
  void window
    .showInformationMessage(message, open)
    .then((answer) => (answer === open ? commands.executeCommand("vscode.open", target) : undefined));
}

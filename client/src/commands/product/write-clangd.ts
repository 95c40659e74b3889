import { l10n, Position, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { tellFailure } from "../../messages";
import { complain } from "../arguments";
import type { Command } from "../command";

/**
 * Writes a `.clangd`, so that clangd stops underlining what nvcc compiles. One that is there already stays as
 * it is: the text is shown beside it.
 */
export const writeClangd: Command = {
  id: "kernelwright.writeClangd",
  async run({ connection }) {
    const place = await folderToWriteIn();
    if (place === "none chosen") return;
    const { uri, text } = await connection.request("kernelwright/clangd", place);
    const target = Uri.parse(uri);
    if (await isThere(target)) {
      await window.showTextDocument(await workspace.openTextDocument({ language: "yaml", content: text }));
      complain(l10n.t(".clangd is there already and was not changed: take over what you need of this text."));
      return;
    }
    const edit = new WorkspaceEdit();
    edit.createFile(target, { ignoreIfExists: false, overwrite: false });
    edit.insert(target, new Position(0, 0), text);
    if (!(await workspace.applyEdit(edit))) {
      tellFailure(l10n.t("{0} could not be created.", workspace.asRelativePath(target)));
      return;
    }
    await window.showTextDocument(target);
    complain(
      l10n.t(
        "Save .clangd and run “clangd: Restart language server”: it then reads CUDA files as nvcc does.",
      ),
    );
  },
};

/** The folder of the file that is looked at; of several others the one that the user names. */
async function folderToWriteIn(): Promise<{ readonly uri?: string } | "none chosen"> {
  const looked = window.activeTextEditor?.document.uri;
  if (looked !== undefined && workspace.getWorkspaceFolder(looked) !== undefined)
    return { uri: looked.toString() };
  if ((workspace.workspaceFolders ?? []).length < 2) return {};
  const chosen = await window.showWorkspaceFolderPick();
  return chosen === undefined ? "none chosen" : { uri: Uri.joinPath(chosen.uri, ".clangd").toString() };
}

async function isThere(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

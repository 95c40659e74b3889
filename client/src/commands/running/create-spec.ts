import { l10n, Position, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { kernelFrom } from "../arguments";
import type { Command } from "../command";

export const createSpec: Command = {
  id: "kernelwright.createSpec",
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined) return;
    const spec = await parts.tasks.run(
      l10n.t("Setting up {0}", kernel.kernel),
      (token) => parts.connection.request("kernelwright/createSpec", kernel, token),
      "notification",
    );
    if (spec === undefined) return;
    const uri = Uri.parse(spec.uri);
    if (!spec.exists) {
      const edit = new WorkspaceEdit();
      edit.createFile(uri, { ignoreIfExists: false, overwrite: false });
      edit.insert(uri, new Position(0, 0), spec.text);
      if (!(await workspace.applyEdit(edit))) {
        void window.showErrorMessage(l10n.t("{0} could not be created.", workspace.asRelativePath(uri)));
        return;
      }
    }
    await window.showTextDocument(uri);
    if (spec.unknowns.length > 0)
      void window.showInformationMessage(
        l10n.t(
          "{0}: what is a guess or worth a look is underlined, with quick fixes. Check tries it.",
          workspace.asRelativePath(uri),
        ),
      );
  },
};

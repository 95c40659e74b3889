import { commands, l10n, Position, Uri, window, workspace, WorkspaceEdit } from "vscode";
import type { KernelParams } from "../../../../server/protocol/requests";
import { tellFailure } from "../../messages";
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
        tellFailure(l10n.t("{0} could not be created.", workspace.asRelativePath(uri)));
        return;
      }
    }
    await window.showTextDocument(uri);
    if (spec.unknowns.length > 0) void tellGuesses(kernel, workspace.asRelativePath(uri));
  },
};

/** Says that there are guesses, and tries them where the user wishes. */
async function tellGuesses(kernel: KernelParams, name: string): Promise<void> {
  const check = l10n.t("Check");
  const chosen = await window.showInformationMessage(
    l10n.t("{0}: what is a guess or worth a look is underlined, with quick fixes. Check tries it.", name),
    check,
  );
  if (chosen === check) await commands.executeCommand("kernelwright.check", kernel);
}

import { l10n, Uri, window, workspace } from "vscode";
import { sessionFrom } from "../arguments";
import { offerChoices } from "../choices";
import type { Command } from "../command";

export const exportTrajectory: Command = {
  id: "kernelwright.exportTrajectory",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which session?"),
      none: l10n.t("There is no session yet: optimize a kernel first."),
      fits: () => true,
    });
    if (sessionId === undefined) return;
    const chosen = await window.showQuickPick(offerChoices(parts.connection, "formats"), {
      placeHolder: l10n.t("Which format?"),
    });
    if (chosen === undefined) return;
    const { text, fileName } = await parts.connection.request("kernelwright/export", {
      sessionId,
      format: chosen.choice.id,
    });
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const target = await window.showSaveDialog({
      defaultUri: folder === undefined ? undefined : Uri.joinPath(folder, fileName),
      title: l10n.t("Export trajectory"),
    });
    if (target === undefined) return;
    await workspace.fs.writeFile(target, new TextEncoder().encode(text));
    const open = l10n.t("Open");
    const message = l10n.t("The trajectory was exported to {0}.", workspace.asRelativePath(target));
    void window
      .showInformationMessage(message, open)
      .then((answer) => (answer === open ? window.showTextDocument(target) : undefined));
  },
};

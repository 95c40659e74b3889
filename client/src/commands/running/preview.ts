import { l10n, Uri, window, workspace } from "vscode";
import { shortMessage } from "../../short-message";
import { complain } from "../arguments";
import type { Command } from "../command";

/** Runs the kernel of a spec once, with its smallest shape, and says what it does. */
export const preview: Command = {
  id: "kernelwright.preview",
  runsCode: true,
  async run(parts, argument) {
    const uri = specFrom(argument);
    if (uri === undefined) return;
    const name = workspace.asRelativePath(uri);
    const result = await parts.tasks.run(
      l10n.t("Running {0}", name),
      (token) => parts.connection.request("kernelwright/preview", { uri: uri.toString() }, token),
      "notification",
    );
    if (result === undefined) return;
    const details = l10n.t("Details");
    const message = shortMessage(result.summary);
    const shown = result.passed
      ? window.showInformationMessage(message, details)
      : window.showWarningMessage(message, details);
    void shown.then((chosen) =>
      chosen === details
        ? parts.reports.showPage(l10n.t("Preview of {0}", name.replaceAll("/", " ")), result.detail)
        : undefined,
    );
  },
};

/** The spec that a lens names, else the file in the editor. */
function specFrom(argument: unknown): Uri | undefined {
  if (typeof argument === "object" && argument !== null && "uri" in argument)
    return Uri.parse(String(argument.uri));
  const uri = window.activeTextEditor?.document.uri;
  if (uri?.path.endsWith(".kernel.json") === true) return uri;
  return complain(l10n.t("Open a kernel spec (NAME.kernel.json) first."));
}

import { commands, l10n, window } from "vscode";
import { kernelFrom } from "../arguments";
import { shortMessage } from "../../short-message";
import { tickStep } from "../../starting/walkthrough";
import type { Command } from "../command";
import { withCasesTold } from "./cases-told";
import { settleUnsaved } from "./unsaved";

export const check: Command = {
  id: "kernelwright.check",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const title = l10n.t("Checking {0}", kernel.kernel);
    const result = await withCasesTold(parts, title, { method: "kernelwright/check", kernel });
    if (result === undefined) return;
    tickStep("didCheck");
    const [details, createSpec] = [l10n.t("Details"), l10n.t("Set Up")];
    // A kernel that is wrong by a spec that we guessed may be right by its own.
    const choices = !result.passed && result.unknowns.length > 0 ? [createSpec, details] : [details];
    const message = shortMessage(result.summary);
    const shown =
      result.passed || result.isGuess
        ? window.showInformationMessage(message, ...choices)
        : window.showWarningMessage(message, ...choices);
    void shown.then((chosen) => {
      if (chosen === details)
        return parts.reports.showPage(l10n.t("Check of {0}", kernel.kernel), result.detail);
      return chosen === createSpec ? commands.executeCommand("kernelwright.createSpec", kernel) : undefined;
    });
  },
};

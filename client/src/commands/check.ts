import { l10n, window } from "vscode";
import { kernelFrom } from "./arguments";
import type { Command } from "./command";
import { settleUnsaved } from "./unsaved";

export const check: Command = {
  id: "kernelwright.check",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const result = await parts.tasks.run(l10n.t("Checking {0}", kernel.kernel), (token) => parts.connection.request("kernelwright/check", kernel, token));
    if (result === undefined) return;
    const details = l10n.t("Details");
    const shown = result.passed ? window.showInformationMessage(result.summary, details) : window.showWarningMessage(result.summary, details);
    void shown.then((chosen) => (chosen === details ? parts.reports.showPage(l10n.t("Check of {0}", kernel.kernel), result.detail) : undefined));
  },
};

import { l10n, window } from "vscode";
import { sessionFrom } from "../arguments";
import { offerChoices } from "../choices";
import type { Command } from "../command";
import { saveExport } from "../save-export";

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
    const format = chosen.choice.id;
    const exported = await parts.connection.request("kernelwright/export", { sessionId, format });
    await saveExport(l10n.t("Export trajectory"), exported);
  },
};

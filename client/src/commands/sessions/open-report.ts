import { l10n } from "vscode";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";

export const openReport: Command = {
  id: "kernelwright.openReport",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Whose report?"),
      none: l10n.t("There is no session yet: optimize a kernel first."),
      fits: () => true,
    });
    if (sessionId === undefined) return;
    await parts.reports.showSession(
      sessionId,
      l10n.t("{0} session", parts.sessions.get(sessionId)?.kernel ?? ""),
    );
  },
};

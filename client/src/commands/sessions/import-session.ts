import { l10n, Uri, window } from "vscode";
import type { Command } from "../command";

/** Takes in a session from elsewhere and shows its trajectory. An argument names the log itself. */
export const importSession: Command = {
  id: "kernelwright.importSession",
  async run(parts, argument) {
    const log = argument instanceof Uri ? argument : await askForLog();
    if (log === undefined) return;
    const { session, missingTexts } = await parts.connection.request("kernelwright/importSession", {
      path: log.fsPath,
    });
    await parts.feed.reload();
    parts.trajectories.open(session.sessionId);
    if (missingTexts > 0)
      void window.showWarningMessage(
        l10n.t("{0} texts of the session are not beside its log and cannot be shown.", missingTexts),
      );
  },
};

async function askForLog(): Promise<Uri | undefined> {
  const chosen = await window.showOpenDialog({
    title: l10n.t("Import Session"),
    openLabel: l10n.t("Import"),
    filters: { [l10n.t("Event logs")]: ["jsonl"] },
  });
  return chosen?.[0];
}

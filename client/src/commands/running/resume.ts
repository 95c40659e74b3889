import { l10n, window, workspace } from "vscode";
import { isResumable } from "../../sessions/session-store";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";
import { followRun } from "./follow-run";

export const resume: Command = {
  id: "kernelwright.resume",
  runsCode: true,
  async run(parts, argument) {
    const chosen = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which session should go on?"),
      none: l10n.t("No session was interrupted: there is nothing to resume."),
      fits: isResumable,
    });
    if (chosen === undefined) return;
    const view = parts.sessions.all().find(({ sessionId }) => sessionId === chosen);
    if (view?.status === "limit" && !(await isAgreed())) return;
    const { sessionId } = await parts.connection.request("kernelwright/resume", { sessionId: chosen });
    await followRun(parts, sessionId);
  },
};

/** Whether the user gives a session that ended at its limit as much again. */
async function isAgreed(): Promise<boolean> {
  const budget = workspace.getConfiguration("kernelwright.budget");
  const go = l10n.t("Resume");
  const sentence = l10n.t(
    "This session ended at its limit. It goes on with the budget of your settings on top of what it used: {0} candidates, {1} minutes, {2} US dollars.",
    ...["candidates", "minutes", "usd"].map((limit) => String(budget.get(limit))),
  );
  return (await window.showInformationMessage(sentence, { modal: true }, go)) === go;
}

import { l10n } from "vscode";
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
    const { sessionId } = await parts.connection.request("kernelwright/resume", { sessionId: chosen });
    await followRun(parts, sessionId);
  },
};

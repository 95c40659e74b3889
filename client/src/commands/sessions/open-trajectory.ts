import { l10n } from "vscode";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";

/** The timeline of a session, with everything that each of its events holds. */
export const openTrajectory: Command = {
  id: "kernelwright.openTrajectory",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Whose trajectory?"),
      none: l10n.t("There is no session yet: optimize a kernel first."),
      fits: () => true,
    });
    if (sessionId === undefined) return;
    parts.trajectories.open(sessionId);
  },
};

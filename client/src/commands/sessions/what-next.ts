import { commands, l10n, window } from "vscode";
import { isRunning } from "../../sessions/session-store";
import { nextActions } from "../../sessions/next-moves";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";

/** How a session went, and what can be done now: the user picks. */
export const whatNext: Command = {
  id: "kernelwright.whatNext",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which session?"),
      none: l10n.t("No session has ended yet."),
      fits: (session) => !isRunning(session),
    });
    if (sessionId === undefined) return;
    const view = await parts.feed.whole(sessionId);
    const items = nextActions(view).map((action) => ({
      label: action.title,
      detail: action.text,
      action,
    }));
    const { tried = "", headroom = "" } = view.next ?? {};
    const chosen = await window.showQuickPick(items, {
      title: [`${view.kernel}:`, tried, headroom].filter((text) => text !== "").join(" "),
      placeHolder: l10n.t("What next?"),
    });
    if (chosen) await commands.executeCommand(chosen.action.command, chosen.action.argument);
  },
};

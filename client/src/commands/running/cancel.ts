import { l10n, window } from "vscode";
import { isRunning } from "../../sessions/session-store";
import { complain } from "../arguments";
import type { Command } from "../command";

/** Ends what runs: the session or the tasks that the argument names, else what the user chooses of all. */
export const cancel: Command = {
  id: "kernelwright.cancel",
  async run(parts, argument) {
    const named = typeof argument === "object" && argument !== null ? argument : {};
    const isMeant = (sessionId: string): boolean =>
      !("tasks" in named) && (!("sessionId" in named) || named.sessionId === sessionId);
    const sessions = parts.sessions
      .all()
      .filter((session) => isRunning(session) && isMeant(session.sessionId));
    const end = async (sessionId: string): Promise<void> =>
      void (await parts.connection.request("kernelwright/cancel", { sessionId }));
    const items = [
      ...sessions.map((session) => ({
        label: l10n.t("Optimizing {0}", session.kernel),
        description: session.file,
        end: () => end(session.sessionId),
      })),
      ...("sessionId" in named ? [] : parts.tasks.titles()).map((title) => ({
        label: title,
        description: "",
        end: async () => parts.tasks.cancel(title),
      })),
    ];
    if (items.length === 0) return complain(l10n.t("Nothing is running."));
    const chosen =
      items.length === 1
        ? items[0]
        : await window.showQuickPick(items, { placeHolder: l10n.t("What should end?") });
    await chosen?.end();
  },
};

import { l10n, window } from "vscode";
import { isRunning } from "../../sessions/session-store";
import { sessionFrom } from "../arguments";
import type { Command, Parts } from "../command";

/** The session of a row, else the one that is chosen in the tree, else one that the user picks. */
function sessionOf(parts: Parts, argument: unknown, placeHolder: string): Promise<string | undefined> {
  return sessionFrom(parts, argument ?? parts.sessionTree.chosen(), {
    placeHolder,
    none: l10n.t("There is no session yet: optimize a kernel first."),
    fits: () => true,
  });
}

export const renameSession: Command = {
  id: "kernelwright.renameSession",
  async run(parts, argument) {
    const sessionId = await sessionOf(parts, argument, l10n.t("Which session gets a name?"));
    if (sessionId === undefined) return;
    const name = await window.showInputBox({
      title: l10n.t("Rename Session"),
      // A trajectory that is still being drawn takes the focus.
      ignoreFocusOut: true,
      prompt: l10n.t("Empty takes the name away: the session is then called by its kernel."),
      value: parts.sessions.get(sessionId)?.name ?? "",
      validateInput: (text) => (text.trim().length > 80 ? l10n.t("At most 80 letters.") : undefined),
    });
    if (name === undefined) return;
    await parts.connection.request("kernelwright/renameSession", { sessionId, name });
    await parts.feed.reload();
  },
};

export const deleteSession: Command = {
  id: "kernelwright.deleteSession",
  async run(parts, argument) {
    const sessionId = await sessionOf(parts, argument, l10n.t("Which session is to be deleted?"));
    if (sessionId === undefined) return;
    const session = parts.sessions.get(sessionId);
    if (session !== undefined && isRunning(session)) {
      void window.showInformationMessage(l10n.t("This session runs. Cancel it, then delete it."));
      return;
    }
    const started = session === undefined ? "" : new Date(session.started).toLocaleString();
    const remove = l10n.t("Delete");
    const answer = await window.showWarningMessage(
      l10n.t("Delete the session “{0}” of {1}?", session?.name ?? session?.kernel ?? sessionId, started),
      {
        modal: true,
        detail: l10n.t(
          "Its candidates, verdicts and decisions cannot be brought back. Your files stay as they are. Texts that several sessions share stay in the folder of sessions.",
        ),
      },
      remove,
    );
    if (answer !== remove) return;
    await parts.connection.request("kernelwright/deleteSession", { sessionId });
    // Nothing is known any more of a proposal whose session is gone.
    parts.reviews.detach(sessionId);
    await parts.feed.reload();
  },
};

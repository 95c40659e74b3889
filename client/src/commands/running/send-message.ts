import { l10n, window } from "vscode";
import { isRunning } from "../../sessions/session-store";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";

/** Tells the model of a run something: a constraint, a hint, a question. */
export const sendMessage: Command = {
  id: "kernelwright.sendMessage",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which run?"),
      none: l10n.t("Nothing is running."),
      fits: isRunning,
    });
    if (sessionId === undefined) return;
    const text = await window.showInputBox({
      title: l10n.t("Message to the model"),
      prompt: l10n.t("A constraint, a hint or a question. The model reads it before its next turn."),
      placeHolder: l10n.t("keep the signature · only this loop · no fp16 · try shared memory"),
      ignoreFocusOut: true,
    });
    if (text === undefined || text.trim() === "") return;
    await parts.connection.request("kernelwright/say", { sessionId, text });
    window.setStatusBarMessage(l10n.t("The model reads it before its next turn."), 5000);
  },
};

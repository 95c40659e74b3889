import { l10n, window } from "vscode";
import { hasBetter, isRunning } from "../../sessions/session-store";
import { sessionFrom } from "../arguments";
import type { Command, Parts } from "../command";

/** A run rests after its present step. */
export const pause: Command = {
  id: "kernelwright.pause",
  run: (parts, argument) => setPaused(parts, argument, true),
};

/** A run that was paused goes on. */
export const continueRun: Command = {
  id: "kernelwright.continue",
  run: (parts, argument) => setPaused(parts, argument, false),
};

/** Ends a run for the best version that it has found so far; its proposal comes with its end. */
export const takeBest: Command = {
  id: "kernelwright.takeBest",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which run?"),
      none: l10n.t("No run has found something better yet."),
      fits: hasBetter,
    });
    if (sessionId === undefined) return;
    const known = parts.sessions.get(sessionId);
    // The lens over a kernel may be older than the end of its run.
    if (known !== undefined && !isRunning(known)) await parts.desk.open(sessionId);
    else await parts.connection.request("kernelwright/takeBest", { sessionId });
  },
};

/** Tells the model of a run something: a constraint, a hint, a question. */
export const sendMessage: Command = {
  id: "kernelwright.sendMessage",
  async run(parts, argument) {
    const sessionId = await runFrom(parts, argument);
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

async function setPaused(parts: Parts, argument: unknown, paused: boolean): Promise<void> {
  const sessionId = await sessionFrom(parts, argument, {
    placeHolder: l10n.t("Which run?"),
    none: paused ? l10n.t("Nothing is running.") : l10n.t("No run is paused."),
    fits: (session) => isRunning(session) && session.paused !== paused,
  });
  if (sessionId !== undefined) await parts.connection.request("kernelwright/pause", { sessionId, paused });
}

/** The run of a row, else the only one, else one that the user picks. */
export function runFrom(parts: Parts, argument: unknown): Promise<string | undefined> {
  return sessionFrom(parts, argument, {
    placeHolder: l10n.t("Which run?"),
    none: l10n.t("Nothing is running."),
    fits: isRunning,
  });
}

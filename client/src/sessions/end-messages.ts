import { commands, type Disposable, l10n, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import { nextActions } from "./next-moves";
import type { SessionStore } from "./session-store";
import { sentences } from "./session-words";

/**
 * Says how a run of this window ended when it brought no proposal, and what can be done next; one that did
 * shows it in the editor instead.
 */
export function announceEnds(store: SessionStore): Disposable {
  return store.onDidFinish((view) => {
    const { kernel, reason, status } = view;
    if (status === "crashed")
      return tell(
        view,
        l10n.t("Optimizing {0} was interrupted. Nothing in the workspace has changed.", kernel),
      );
    if (view.hasProposal || status === "cancelled") return;
    if (status === "no_gain") return tell(view, noGainText(view), window.showInformationMessage);
    const ended =
      status === "limit"
        ? l10n.t("Optimizing {0} reached its limit: {1}", kernel, reason)
        : l10n.t("Optimizing {0} came to no result: {1}", kernel, reason);
    return tell(view, withMoves(ended, view));
  });
}

/** What was tried, the reason of the rule that came closest, and what could be done. */
function noGainText(view: SessionView): string {
  const { kernel, next, heldBack } = view;
  const [nearest] = heldBack;
  const parts = [
    l10n.t("{0}: nothing better was found.", kernel),
    next?.tried ?? "",
    nearest === undefined ? "" : l10n.t("A rule that is held back: {0}", nearest),
  ];
  return withMoves(sentences(parts), view);
}

function withMoves(sentence: string, { next }: SessionView): string {
  const [move] = next?.moves ?? [];
  return move === undefined ? sentence : sentences([sentence, move.text]);
}

/** Runs what the user chooses. */
function tell(
  view: SessionView,
  sentence: string,
  show: typeof window.showWarningMessage = window.showWarningMessage,
): void {
  const actions = nextActions(view);
  void show(sentence, ...actions.map(({ title }) => title)).then((chosen) => {
    const action = actions.find(({ title }) => title === chosen);
    return action && commands.executeCommand(action.command, action.argument);
  });
}

import { commands, type Disposable, l10n, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { SessionStore } from "./session-store";

interface Action {
  readonly title: string;
  readonly command: string;
}

/**
 * Says how a run of this window ended when it brought no proposal, and what can be done next; one that did
 * shows it in the editor instead.
 */
export function announceEnds(store: SessionStore): Disposable {
  const resume = { title: l10n.t("Resume"), command: "kernelwright.resume" };
  const report = { title: l10n.t("Open Report"), command: "kernelwright.openReport" };
  const strategy = { title: l10n.t("Select Strategy"), command: "kernelwright.selectStrategy" };
  return store.onDidFinish((view) => {
    const { kernel, reason, status } = view;
    if (status === "crashed")
      return warn(
        view,
        l10n.t("Optimizing {0} was interrupted. Nothing in the workspace has changed.", kernel),
        [resume],
      );
    if (view.hasProposal || status === "cancelled") return;
    if (status === "limit")
      return warn(view, l10n.t("Optimizing {0} reached its limit: {1}", kernel, reason), [resume, report]);
    if (status !== "no_gain")
      return warn(view, l10n.t("Optimizing {0} came to no result: {1}", kernel, reason), [report]);
    const isRulebook = view.strategy === "rulebook";
    const sentence = isRulebook ? `${noGainText(view)} ${modelText()}` : noGainText(view);
    const actions = isRulebook ? [report, strategy] : [report];
    void window.showInformationMessage(sentence, ...titlesOf(actions)).then(follow(view, actions));
  });
}

/** With the reason of the rule that came closest, if any; the others stand on the session's row. */
function noGainText({ kernel, heldBack: [closest] }: SessionView): string {
  return closest === undefined
    ? l10n.t("{0}: nothing better was found.", kernel)
    : l10n.t("{0}: nothing better was found. {1}", kernel, closest);
}

function modelText(): string {
  return l10n.t("A model may find more: choose the strategy refine or search.");
}

function warn(view: SessionView, sentence: string, actions: readonly Action[]): void {
  void window.showWarningMessage(sentence, ...titlesOf(actions)).then(follow(view, actions));
}

function titlesOf(actions: readonly Action[]): readonly string[] {
  return actions.map(({ title }) => title);
}

/** Runs what the user chose. */
function follow(view: SessionView, actions: readonly Action[]): (chosen: string | undefined) => unknown {
  return (chosen) => {
    const action = actions.find(({ title }) => title === chosen);
    return action && commands.executeCommand(action.command, { sessionId: view.sessionId });
  };
}

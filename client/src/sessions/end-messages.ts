import { commands, type Disposable, l10n, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { SessionStore } from "./session-store";

/** How long a sentence that need not be answered stays in the status bar, in milliseconds. */
const shownMilliseconds = 15_000;

/**
 * Says how a run of this window ended when it brought no proposal; one that did shows it in the editor
 * instead.
 */
export function announceEnds(store: SessionStore): Disposable {
  return store.onDidFinish((view) => {
    if (view.status === "crashed")
      return offer(
        view,
        l10n.t("Optimizing {0} was interrupted. Nothing in the workspace has changed.", view.kernel),
        { title: l10n.t("Resume"), command: "kernelwright.resume" },
      );
    if (view.hasProposal || view.status === "cancelled") return;
    if (view.status === "no_gain") window.setStatusBarMessage(noGainText(view), shownMilliseconds);
    else
      offer(view, l10n.t("Optimizing {0} came to no result: {1}", view.kernel, view.reason), {
        title: l10n.t("Open Report"),
        command: "kernelwright.openReport",
      });
  });
}

/** With the reason of the rule that came closest, if any; the others stand on the session's row. */
function noGainText({ kernel, heldBack: [closest] }: SessionView): string {
  return closest === undefined
    ? l10n.t("$(circle-large-outline) {0}: nothing better was found", kernel)
    : l10n.t("$(circle-large-outline) {0}: nothing better was found. {1}", kernel, closest);
}

function offer(
  view: SessionView,
  sentence: string,
  action: { readonly title: string; readonly command: string },
): void {
  void window
    .showWarningMessage(sentence, action.title)
    .then((chosen) =>
      chosen === action.title
        ? commands.executeCommand(action.command, { sessionId: view.sessionId })
        : undefined,
    );
}

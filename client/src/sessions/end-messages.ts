import { type Disposable, l10n, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { SessionStore } from "./session-store";

/** How long a sentence that need not be answered stays in the status bar, in milliseconds. */
const shownMilliseconds = 15_000;

/** Says how a run of this window ended when it brought no proposal; one that did shows it in the editor instead. */
export function announceEnds(store: SessionStore, openReport: (sessionId: string) => Promise<void>): Disposable {
  return store.onDidFinish((view) => {
    if (view.hasProposal || view.status === "cancelled") return;
    if (view.status === "no_gain") window.setStatusBarMessage(l10n.t("$(circle-large-outline) {0}: nothing better was found", view.kernel), shownMilliseconds);
    else offerReport(view, openReport);
  });
}

function offerReport(view: SessionView, openReport: (sessionId: string) => Promise<void>): void {
  const report = l10n.t("Open Report");
  void window.showWarningMessage(l10n.t("Optimizing {0} came to no result: {1}", view.kernel, view.reason), report).then((chosen) => (chosen === report ? openReport(view.sessionId) : undefined));
}

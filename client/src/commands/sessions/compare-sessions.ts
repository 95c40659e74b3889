import { l10n, type QuickPickItem, window } from "vscode";
import { sessionWord } from "../../sessions/session-words";
import { complain, sessionFrom } from "../arguments";
import type { Command } from "../command";

/** Two sessions side by side; those of the same kernel are offered first. */
export const compareSessions: Command = {
  id: "kernelwright.compareSessions",
  async run(parts, argument) {
    const first = await sessionFrom(parts, argument ?? parts.sessionTree.chosen(), {
      placeHolder: l10n.t("Which session is to be compared?"),
      none: l10n.t("There is no session yet: optimize a kernel first."),
      fits: () => true,
    });
    if (first === undefined) return;
    const { kernel } = parts.sessions.get(first) ?? {};
    const others = parts.sessions.all().filter(({ sessionId }) => sessionId !== first);
    if (others.length === 0) return complain(l10n.t("There is no other session to compare with."));
    const alike = others.filter((session) => session.kernel === kernel);
    const items = [...alike, ...others.filter((session) => session.kernel !== kernel)].map(
      (session): QuickPickItem & { readonly sessionId: string } => ({
        label: session.name ?? session.kernel,
        description: `${sessionWord(session)} · ${session.file}`,
        detail: `${new Date(session.started).toLocaleString()} · ${session.target} · ${session.strategy}`,
        sessionId: session.sessionId,
      }),
    );
    const second = await window.showQuickPick(items, {
      placeHolder: l10n.t("Compare with which session?"),
    });
    if (second !== undefined) parts.comparisons.show(first, second.sessionId);
  },
};

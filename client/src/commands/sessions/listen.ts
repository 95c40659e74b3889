import { l10n } from "vscode";
import { sessionFrom } from "../arguments";
import type { Command } from "../command";

/** What a run says as it comes, in an output channel of its own; of one that has ended what it said. */
export const listen: Command = {
  id: "kernelwright.listen",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Which session?"),
      none: l10n.t("There is no session yet."),
      fits: () => true,
    });
    if (sessionId === undefined) return;
    const known = parts.sessions.get(sessionId);
    await parts.channels.show(known ?? (await parts.feed.whole(sessionId)));
  },
};

import { FileType, l10n, Uri, window, workspace } from "vscode";
import { complain, sessionFrom } from "../arguments";
import type { Command } from "../command";

/** Opens the log itself, one event a line; where it has several segments the user picks one. */
export const openEventLog: Command = {
  id: "kernelwright.openEventLog",
  async run(parts, argument) {
    const sessionId = await sessionFrom(parts, argument, {
      placeHolder: l10n.t("Whose event log?"),
      none: l10n.t("There is no session yet: optimize a kernel first."),
      fits: () => true,
    });
    if (sessionId === undefined) return;
    const { folder } = await parts.connection.request("kernelwright/session", { sessionId });
    const segments = await logsBelow(Uri.file(folder));
    const chosen =
      segments.length > 1
        ? (
            await window.showQuickPick(
              segments.map((uri) => ({ label: uri.path.split("/").pop() ?? uri.path, uri })),
              { placeHolder: l10n.t("Which part of the log?") },
            )
          )?.uri
        : segments[0];
    if (segments.length === 0) return complain(l10n.t("No event log was found in {0}.", folder));
    if (chosen !== undefined) await window.showTextDocument(chosen);
  },
};

async function logsBelow(folder: Uri): Promise<readonly Uri[]> {
  const entries = await workspace.fs.readDirectory(folder);
  const found = await Promise.all(
    entries.map(async ([name, type]) => {
      const uri = Uri.joinPath(folder, name);
      if (type === FileType.File) return name.endsWith(".jsonl") ? [uri] : [];
      return name === "events" || name === "segments" ? logsBelow(uri) : [];
    }),
  );
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}

import { l10n, window } from "vscode";
import { complain } from "../arguments";
import type { Command } from "../command";
import { saveExport } from "../save-export";

/**
 * What was counted last of the lines of a file, as a CPU profile: of the file in the view Lines, else of the
 * one in the editor.
 */
export const exportCpuProfile: Command = {
  id: "kernelwright.exportCpuProfile",
  async run({ connection, lines }) {
    const file = lines.shown ?? window.activeTextEditor?.document.uri;
    if (file === undefined)
      return complain(
        l10n.t("Nothing is known of the lines of this file yet: profile a kernel of it first."),
      );
    const profile = await connection.request("kernelwright/cpuProfile", { uri: file.toString() });
    await saveExport(l10n.t("Export CPU profile"), profile);
  },
};

import { l10n, window } from "vscode";
import type { Command } from "../command";

export const setModelKey: Command = {
  id: "kernelwright.setModelKey",
  async run(parts) {
    const present = (await parts.modelKey.read()) !== null;
    const value = await window.showInputBox({
      title: l10n.t("Key of the model endpoint"),
      prompt: present
        ? l10n.t("A key is stored. Enter another one, or nothing to remove it.")
        : l10n.t("Kept in the editor's secret storage, never in settings or logs."),
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) return;
    await parts.modelKey.write(value.trim());
    window.setStatusBarMessage(
      value.trim() === "" ? l10n.t("The model key was removed") : l10n.t("The model key was stored"),
      5_000,
    );
  },
};

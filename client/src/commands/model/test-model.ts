import { commands, l10n, window } from "vscode";
import type { ModelMend } from "../../../../server/protocol/model-views";
import { buttonsFor } from "../../messages";
import { settingPage } from "../../setting-page";
import { readSettings } from "../../settings";
import type { Command, Parts } from "../command";
import { askForKey } from "./set-model-key";

export const testModel: Command = { id: "kernelwright.testModel", run: tryModel };

/** Asks the model of the settings for one word, and says what came of it. */
export async function tryModel(parts: Parts): Promise<void> {
  const tried = await parts.tasks.run(l10n.t("Asking the model for a word"), (token) =>
    parts.connection.request("kernelwright/tryModel", {}, token),
  );
  if (tried === undefined) return;
  const button = tried.mend === null ? undefined : buttons()[tried.mend];
  const titles = button === undefined ? [] : [button.title];
  const chosen = tried.answered
    ? await window.showInformationMessage(tried.text, ...buttonsFor(tried.text, titles))
    : await window.showErrorMessage(tried.text, ...buttonsFor(tried.text, titles));
  if (button === undefined || chosen !== button.title) return;
  const endpoint = readSettings()["model.endpoint"];
  if (tried.mend !== "key" || endpoint === "editor")
    return void (await commands.executeCommand(button.command, button.argument));
  // What the new key is good for is the next question.
  if (await askForKey(parts.modelKey, endpoint)) await tryModel(parts);
}

interface Button {
  readonly title: string;
  readonly command: string;
  readonly argument?: unknown;
}

/** Whatever would mend a model, with the command that does. */
function buttons(): Readonly<Record<ModelMend, Button>> {
  return {
    key: { title: l10n.t("Set Model Key"), command: "kernelwright.setModelKey" },
    name: { title: l10n.t("Select Model"), command: "kernelwright.selectModel" },
    endpoint: { title: l10n.t("Change Address"), ...settingPage("kernelwright.model.endpoint") },
    price: { title: l10n.t("Set Price"), ...settingPage("kernelwright.model.price") },
  };
}

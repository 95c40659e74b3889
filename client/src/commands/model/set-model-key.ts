import { l10n, window } from "vscode";
import { hostOf } from "../../models/services";
import type { ModelKey } from "../../server/model-key";
import { readSettings } from "../../settings";
import { complain } from "../arguments";
import type { Command } from "../command";

export const setModelKey: Command = {
  id: "kernelwright.setModelKey",
  async run({ modelKey }) {
    const endpoint = readSettings()["model.endpoint"];
    if (endpoint === "editor") {
      complain(l10n.t("The models of the editor need no key. Choose another one by Select Model first."));
      return;
    }
    await askForKey(modelKey, endpoint);
  },
};

/** Asks for the key of an endpoint's host and stores it; false where the user went away. */
export async function askForKey(modelKey: ModelKey, endpoint: string): Promise<boolean> {
  const present = (await modelKey.read(endpoint)) !== null;
  const host = hostOf(endpoint);
  const value = await window.showInputBox({
    title: l10n.t("Key of {0}", host),
    prompt: present
      ? l10n.t("A key is stored. Enter another one, or nothing to remove it.")
      : l10n.t(
          "Kept in the editor's secret storage, never in settings or logs. Leave it empty where the endpoint needs none.",
        ),
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined) return false;
  await modelKey.write(endpoint, value.trim());
  window.setStatusBarMessage(
    value.trim() === "" ? l10n.t("No key of {0} is stored", host) : l10n.t("The key of {0} was stored", host),
    5_000,
  );
  return true;
}

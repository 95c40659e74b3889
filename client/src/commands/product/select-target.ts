import { l10n, type QuickPickItem, window } from "vscode";
import { readSettings, writeSetting } from "../../settings";
import { type ChoiceItem, offerChoices } from "../choices";
import type { Command } from "../command";

/** A host may not begin with a dash: ssh would read it as an option. */
const hostPattern = /^[A-Za-z0-9_][A-Za-z0-9_.@:[\]-]*(?:\/sm_\d{2,3}[a-z]?)?$/;

export const selectTarget: Command = {
  id: "kernelwright.selectTarget",
  async run({ connection }) {
    const { target } = readSettings();
    const other: QuickPickItem = {
      label: l10n.t("$(remote) Another machine over ssh …"),
      description: target.startsWith("ssh:") ? target : "",
    };
    const items = offerChoices(connection, "targets", target).then((virtual) => [...virtual, other]);
    const chosen = await window.showQuickPick<QuickPickItem>(items, {
      placeHolder: l10n.t("What should kernels be judged on? Now: {0}", target),
      matchOnDescription: true,
    });
    if (chosen === undefined) return;
    const next = isChoice(chosen) ? chosen.choice.id : await askHost(target);
    if (next !== undefined) await writeSetting("target", next);
  },
};

function isChoice(item: QuickPickItem): item is ChoiceItem<"targets"> {
  return "choice" in item;
}

async function askHost(target: string): Promise<string | undefined> {
  const host = await window.showInputBox({
    title: l10n.t("Machine to compile on"),
    prompt: l10n.t(
      "A host of your own ssh configuration, with an architecture if it is not sm_80: gpu-box or me@gpu-box/sm_90",
    ),
    value: target.startsWith("ssh:") ? target.slice("ssh:".length) : "",
    validateInput: (value) =>
      hostPattern.test(value.trim()) ? undefined : l10n.t("Write HOST or HOST/sm_90."),
  });
  return host === undefined ? undefined : `ssh:${host.trim()}`;
}

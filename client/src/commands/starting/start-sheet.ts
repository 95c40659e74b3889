import { l10n, type QuickPickItem, window } from "vscode";
import type { KernelParams } from "../../../../server/protocol/requests";
import { settingsHere } from "../../settings";
import { settingOptions } from "../../starting/option-store";
import { startRows, toldMessages, type StartRowKind, type StartSheet } from "../../starting/start-rows";
import { hasTexts, kernelFrom, textsOf } from "../arguments";
import { offerChoices, pickFrom } from "../choices";
import type { Command, Parts } from "../command";
import { selectModel } from "../model/select-model";
import { askForTarget } from "../product/select-target";
import { askForAmounts } from "../running/raise-budget";
import { startRun } from "./optimize";

/** A sheet with how the run is made; each row can be changed, and what was changed is remembered. */
export const optimizeWithOptions: Command = {
  id: "kernelwright.optimizeWithOptions",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined) return;
    const messages = hasTexts(argument, "uri") ? (textsOf(argument, "messages") ?? []) : [];
    const [catalogue, files] = await Promise.all([
      parts.connection.request("kernelwright/catalogue", {}),
      parts.connection.request("kernelwright/editableFiles", kernel),
    ]);
    for (;;) {
      const sheet: StartSheet = {
        kernel: kernel.kernel,
        catalogue,
        model: settingsHere()["model.name"],
        settings: settingOptions(kernel.uri),
        chosen: parts.options.forFile(kernel.uri),
        files,
        messages,
      };
      const row = await window.showQuickPick([...startRows(sheet)], {
        title: l10n.t("Optimize {0}", kernel.kernel),
        placeHolder: l10n.t("Start, or choose what to change. Changes are remembered for this workspace."),
        ignoreFocusOut: true,
      });
      if (row === undefined) return;
      if (row.asks === "start")
        return void (await startRun(parts, kernel, { messages: toldMessages(sheet) }));
      await changes[row.asks](parts, kernel, sheet);
    }
  },
};

type Change = (parts: Parts, kernel: KernelParams, sheet: StartSheet) => Promise<void>;

/** What each row asks. Escape leaves things as they are. */
const changes: Readonly<Record<Exclude<StartRowKind, "start">, Change>> = {
  strategy: async ({ connection, options }, _kernel, { chosen, settings }) => {
    const now = chosen.strategy ?? settings.strategy;
    const picked = await pickFrom(await offerChoices(connection, "strategies", now), {
      placeHolder: l10n.t("How should candidates be found?"),
      isInUse: ({ choice }) => choice.id === now,
    });
    if (picked !== undefined) await options.choose("strategy", picked.choice.id);
  },
  model: (parts) => selectModel.run(parts, undefined),
  target: async ({ connection, options }, _kernel, { chosen, settings }) => {
    const target = await askForTarget(connection, chosen.target ?? settings.target);
    if (target !== undefined) await options.choose("target", target);
  },
  mayTouch: async ({ options }, kernel, { files, chosen }) => {
    const isOn = (path: string, bySpec: boolean): boolean => chosen.mayTouch?.includes(path) ?? bySpec;
    const items = files.others.map(({ path, bySpec }): QuickPickItem => ({
      label: path,
      description: bySpec ? l10n.t("named by the kernel's spec") : "",
      picked: isOn(path, bySpec),
    }));
    const picked = await window.showQuickPick(items, {
      canPickMany: true,
      placeHolder: l10n.t("Which files may be changed besides {0}?", files.file),
    });
    if (picked === undefined) return;
    const paths = picked.map(({ label }) => label);
    const isAsInSpec = files.others.every(({ path, bySpec }) => paths.includes(path) === bySpec);
    await options.chooseFiles(kernel.uri, isAsInSpec ? undefined : paths);
  },
  budget: async ({ options }, _kernel, { chosen, settings }) => {
    const budget = await askForAmounts(
      l10n.t("US dollars, minutes and candidates of a run"),
      chosen.budget ?? settings.budget,
    );
    if (budget !== undefined) await options.choose("budget", budget);
  },
};

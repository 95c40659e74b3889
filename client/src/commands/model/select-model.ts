import { l10n, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { editorModels, nameOf } from "../../models/editor-models";
import type { ServerConnection } from "../../server/connection";
import { settingsHere, writeSetting } from "../../settings";
import type { Command } from "../command";
import { askForEndpoint, askForModel, type NamedModel } from "./model-steps";
import { tryModel } from "./test-model";

interface ModelItem extends QuickPickItem {
  /** Left out for headings and for the row that asks for an address. */
  readonly named?: NamedModel;
}

export const selectModel: Command = {
  id: "kernelwright.selectModel",
  async run(parts) {
    const settings = settingsHere();
    const now = { endpoint: settings["model.endpoint"], name: settings["model.name"] };
    const chosen = await window.showQuickPick(itemsOf(parts.connection, now), {
      placeHolder:
        now.name === ""
          ? l10n.t("Which model should propose candidates? Now: none")
          : l10n.t("Which model should propose candidates? Now: {0}", now.name),
      matchOnDescription: true,
    });
    if (chosen === undefined) return;
    if (chosen.named !== undefined) return keep(chosen.named);
    const endpoint = await askForEndpoint(now.endpoint);
    const named = endpoint === undefined ? undefined : await askForModel(parts, endpoint);
    if (named === undefined) return;
    await keep(named);
    await tryModel(parts);
  },
};

async function keep({ endpoint, name, price }: NamedModel): Promise<void> {
  await writeSetting("model.endpoint", endpoint);
  await writeSetting("model.name", name);
  await writeSetting("model.price", price);
}

/** The editor's own models, those of servers on this machine, and the way to any other. */
async function itemsOf(
  connection: ServerConnection,
  now: Pick<NamedModel, "endpoint" | "name">,
): Promise<ModelItem[]> {
  const heading = (label: string): ModelItem => ({ label, kind: QuickPickItemKind.Separator });
  const itemOf = (named: NamedModel): ModelItem => ({
    label: named.name,
    description: named.endpoint === now.endpoint && named.name === now.name ? l10n.t("in use") : "",
    named,
  });
  const [own, servers] = await Promise.all([
    editorModels(),
    connection.request("kernelwright/localModels", {}),
  ]);
  return [
    ...(own.length === 0 ? [] : [heading(l10n.t("Models of the editor (no key needed)"))]),
    ...own.map((model) => itemOf({ endpoint: "editor", name: nameOf(model), price: "" })),
    ...servers.flatMap(({ name, endpoint, models }) => [
      heading(l10n.t("{0} on this machine, {1}", name, endpoint)),
      ...models.map((model) => itemOf({ endpoint, name: model, price: "" })),
    ]),
    heading(l10n.t("Elsewhere")),
    { label: l10n.t("$(globe) A service, or another endpoint …") },
  ];
}

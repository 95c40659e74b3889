import { l10n, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { editorModels, nameOf } from "../../models/editor-models";
import type { ServerConnection } from "../../server/connection";
import { readSettings, writeSetting } from "../../settings";
import type { Command } from "../command";

/** What the settings say of a model. */
interface Named {
  readonly endpoint: string;
  readonly name: string;
  /** Of an endpoint that the user typed; models of the editor and of this machine have none. */
  readonly price?: string;
}

interface ModelItem extends QuickPickItem {
  /** Left out for headings and for the row that asks for an address. */
  readonly named?: Named;
}

export const selectModel: Command = {
  id: "kernelwright.selectModel",
  async run({ connection }) {
    const settings = readSettings();
    const now: Named = { endpoint: settings["model.endpoint"], name: settings["model.name"] };
    const chosen = await window.showQuickPick(itemsOf(connection, now), {
      placeHolder:
        now.name === ""
          ? l10n.t("Which model should propose candidates? Now: none")
          : l10n.t("Which model should propose candidates? Now: {0}", now.name),
      matchOnDescription: true,
    });
    if (chosen === undefined) return;
    const named = chosen.named ?? (await askForModel(now));
    if (named === undefined) return;
    await writeSetting("model.endpoint", named.endpoint);
    await writeSetting("model.name", named.name);
    if (named.price !== undefined) await writeSetting("model.price", named.price);
  },
};

/** The editor's own models, those of servers on this machine, and the way to any other. */
async function itemsOf(connection: ServerConnection, now: Named): Promise<ModelItem[]> {
  const heading = (label: string): ModelItem => ({ label, kind: QuickPickItemKind.Separator });
  const itemOf = (named: Named): ModelItem => ({
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
    { label: l10n.t("$(globe) Another endpoint …") },
  ];
}

async function askForModel(now: Named): Promise<Named | undefined> {
  const endpoint = await window.showInputBox({
    title: l10n.t("Address of an OpenAI-compatible endpoint"),
    value: now.endpoint === "editor" ? "" : now.endpoint,
    placeHolder: "https://api.openai.com/v1",
    validateInput: (value) =>
      /^(https?:\/\/\S+)?$/.test(value.trim()) ? undefined : l10n.t("Write an address like https://host/v1."),
  });
  if (endpoint === undefined) return undefined;
  const name = await window.showInputBox({ title: l10n.t("Name of the model there"), value: now.name });
  if (name === undefined || name.trim() === "") return undefined;
  const price = await window.showInputBox({
    title: l10n.t("Price of {0}, for the budget in money", name.trim()),
    prompt: l10n.t(
      "INPUT,OUTPUT in US dollars for a million tokens, or free. Nothing: its list price, if known.",
    ),
    validateInput: (value) =>
      /^\s*(free|[\d.]+\s*,\s*[\d.]+)?\s*$/.test(value) ? undefined : l10n.t("Write 2.5,15 or free."),
  });
  return price === undefined
    ? undefined
    : { endpoint: endpoint.trim(), name: name.trim(), price: price.trim() };
}

import { l10n, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { ServedModelView } from "../../../../server/protocol/model-views";
import { hostOf, isConversational, modelServices } from "../../models/services";
import type { Parts } from "../command";
import { askForKey } from "./set-model-key";

/** What the settings say of a model. */
export interface NamedModel {
  readonly endpoint: string;
  readonly name: string;
  /** `INPUT,OUTPUT`, `free`, or nothing where the list price is known. */
  readonly price: string;
}

interface ServiceItem extends QuickPickItem {
  /** Left out for the row that asks for an address. */
  readonly endpoint?: string;
}

/** A service of the list, or an address that the user types. Undefined where the user went away. */
export async function askForEndpoint(now: string): Promise<string | undefined> {
  const items: readonly ServiceItem[] = [
    ...modelServices.map(({ title, endpoint }) => ({ label: title, description: endpoint, endpoint })),
    { label: "", kind: QuickPickItemKind.Separator },
    { label: l10n.t("$(globe) Another address …") },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Whose model?"),
    matchOnDescription: true,
  });
  return chosen === undefined ? undefined : (chosen.endpoint ?? (await askForAddress(now)));
}

async function askForAddress(now: string): Promise<string | undefined> {
  const address = await window.showInputBox({
    title: l10n.t("Address of an OpenAI-compatible endpoint"),
    value: now === "editor" ? "" : now,
    placeHolder: "https://host/v1",
    validateInput: (value) =>
      /^https?:\/\/\S+$/.test(value.trim()) ? undefined : l10n.t("Write an address like https://host/v1."),
  });
  return address?.trim();
}

/**
 * A model of an endpoint: one of those that it lists, and the price where it is not known. The address is
 * tried first: a key is asked for where it wants one. `hasAsked`: the user was asked for a key already.
 */
export async function askForModel(
  parts: Parts,
  endpoint: string,
  hasAsked = false,
): Promise<NamedModel | undefined> {
  const served = await parts.tasks.run(l10n.t("Asking {0} for its models", hostOf(endpoint)), (token) =>
    parts.connection.request("kernelwright/servedModels", { endpoint }, token),
  );
  if (served === undefined) return undefined;
  if (served.problem === null) return chooseModel(endpoint, served.models);
  const hasKey = (await parts.modelKey.read(endpoint)) !== null;
  if (served.mend === "key" && !hasKey && !hasAsked)
    return (await askForKey(parts.modelKey, endpoint)) ? askForModel(parts, endpoint, true) : undefined;
  const [again, key, type] = [l10n.t("Change Address"), l10n.t("Change Key"), l10n.t("Type a Name")];
  const answer = await window.showErrorMessage(
    served.problem,
    ...(served.mend === "key" ? [key, again, type] : [again, key, type]),
  );
  if (answer === type) return typeModel(endpoint);
  if (answer === key && (await askForKey(parts.modelKey, endpoint)))
    return askForModel(parts, endpoint, true);
  const other = answer === again ? await askForAddress(endpoint) : undefined;
  return other === undefined ? undefined : askForModel(parts, other);
}

interface ServedItem extends QuickPickItem {
  /** Left out for the row that asks for a name. */
  readonly served?: ServedModelView;
}

async function chooseModel(
  endpoint: string,
  models: readonly ServedModelView[],
): Promise<NamedModel | undefined> {
  const items: readonly ServedItem[] = [
    ...models
      .filter(({ name }) => isConversational(name))
      .map((served) => ({ label: served.name, description: priceWords(served.price), served })),
    { label: l10n.t("$(edit) Another name …") },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Which model of {0}?", hostOf(endpoint)),
    placeHolder: l10n.t("Prices are list prices, for a million tokens of input and output"),
  });
  if (chosen === undefined) return undefined;
  if (chosen.served === undefined) return typeModel(endpoint);
  const { name, price } = chosen.served;
  return price === null ? withPrice(endpoint, name) : { endpoint, name, price: "" };
}

function priceWords(price: string | null): string {
  if (price === null) return l10n.t("price not known");
  if (price === "0,0") return l10n.t("free");
  const [input = "", output = ""] = price.split(",");
  return `$${input} / $${output}`;
}

async function typeModel(endpoint: string): Promise<NamedModel | undefined> {
  const name = await window.showInputBox({ title: l10n.t("Name of the model at {0}", hostOf(endpoint)) });
  return name === undefined || name.trim() === "" ? undefined : withPrice(endpoint, name.trim());
}

async function withPrice(endpoint: string, name: string): Promise<NamedModel | undefined> {
  const price = await window.showInputBox({
    title: l10n.t("Price of {0}, for the budget in money", name),
    prompt: l10n.t(
      "INPUT,OUTPUT in US dollars for a million tokens, or free. Nothing: its list price, if known.",
    ),
    validateInput: (value) =>
      /^\s*(free|[\d.]+\s*,\s*[\d.]+)?\s*$/.test(value) ? undefined : l10n.t("Write 2.5,15 or free."),
  });
  return price === undefined ? undefined : { endpoint, name, price: price.trim() };
}

import { l10n, type QuickPickItem } from "vscode";
import type { CatalogueView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";

/** A row of a menu with the entry of the server's catalogue that it stands for. */
export interface ChoiceItem<List extends keyof CatalogueView> extends QuickPickItem {
  readonly choice: CatalogueView[List][number];
}

/** The rows of a menu over one list of the server's catalogue; the one in use is marked. */
export async function offerChoices<List extends keyof CatalogueView>(
  connection: ServerConnection,
  list: List,
  current?: string,
): Promise<ChoiceItem<List>[]> {
  const catalogue = await connection.request("kernelwright/catalogue", {});
  return catalogue[list].map((choice: CatalogueView[List][number]) => ({
    label: choice.title,
    description: choice.id === current ? l10n.t("{0} (in use)", choice.id) : choice.id,
    detail: choice.description,
    choice,
  }));
}

import { l10n, type QuickPickItem, window } from "vscode";
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

interface Menu<Item> {
  readonly placeHolder: string;
  /** Whether a row stands for what is in use: the menu opens on it. */
  readonly isInUse: (item: Item) => boolean;
  /** The same rows once more is known of them; the menu does not wait for that. */
  readonly later?: Promise<readonly Item[]>;
}

/** Asks by a menu that opens on the row in use. Gives undefined when the user steps back. */
export async function pickFrom<Item extends QuickPickItem>(
  items: readonly Item[],
  { placeHolder, isInUse, later }: Menu<Item>,
): Promise<Item | undefined> {
  const menu = window.createQuickPick<Item>();
  menu.placeholder = placeHolder;
  menu.matchOnDescription = true;
  menu.items = items;
  menu.activeItems = items.filter(isInUse);
  const show = (known: readonly Item[]): void => {
    const at = menu.items.indexOf(menu.activeItems[0] as Item);
    menu.items = known;
    menu.activeItems = known.slice(at, at + 1);
  };
  let isOpen = true;
  void later?.then((known) => (isOpen ? show(known) : undefined));
  try {
    return await new Promise((resolve) => {
      menu.onDidAccept(() => resolve(menu.activeItems[0]));
      menu.onDidHide(() => resolve(undefined));
      menu.show();
    });
  } finally {
    isOpen = false;
    menu.dispose();
  }
}

import type { Choice } from "../../../core/base/choice";
import { retold } from "../../../core/base/localized";
import { show } from "../handshake/user-language";
import type { Handler } from "./handler";

/** Formats, strategies and targets that can be chosen by name. */
export const catalogue: Handler<"kernelwright/catalogue"> = async (context) => {
  const { catalogue: offered } = (await context.workspaces.first()).services;
  const { formats, strategies, targets } = offered;
  return show(() => ({
    ...offered,
    formats: formats.map(inWords),
    strategies: strategies.map(inWords),
    targets: targets.map(inWords),
  }));
};

function inWords<Entry extends Choice>(entry: Entry): Entry {
  return { ...entry, title: retold(entry.title), description: retold(entry.description) };
}

import { CancellationTokenSource, type Disposable, l10n, type LogOutputChannel, workspace } from "vscode";
import type { ServerConnection } from "../server/connection";
import { readSettings } from "../settings";
import type { FactsStore } from "./facts-store";

/**
 * Profiles a kernel again when its file is saved, where the user wishes so: only one that was profiled or
 * checked in this window before. A save ends the profile of the save before.
 */
export function profileOnSave(
  connection: ServerConnection,
  store: FactsStore,
  log: LogOutputChannel,
): Disposable {
  let running: CancellationTokenSource | undefined;
  return workspace.onDidSaveTextDocument((document) => {
    const known = store.of(document.uri);
    if (known?.isStale !== true || !workspace.isTrusted || !readSettings(document.uri).profileOnSave) return;
    running?.cancel();
    const source = new CancellationTokenSource();
    running = source;
    const kernel = { uri: known.facts.uri, kernel: known.facts.kernel };
    connection
      .request("kernelwright/profile", kernel, source.token)
      .then(({ summary, refusal }) => {
        if (refusal !== null) log.info(l10n.t("Not profiled on saving: {0}", summary));
      })
      .catch((error: unknown) => log.info(l10n.t("Not profiled on saving: {0}", String(error))))
      .finally(() => source.dispose());
  });
}

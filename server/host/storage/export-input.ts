import { homedir, hostname, userInfo } from "node:os";
import type { Annotations } from "../../core/ports/run-store";
import type { Identity } from "../../core/ports/identity";
import { makeCleaner } from "../../core/trajectory/export/anonymize";
import type { ExportInput } from "../../core/trajectory/export/exporter";
import type { FileRunStore } from "./run-store";

/**
 * Reads a session for an exporter; every text of it will go through redaction and placeholders for this
 * machine's names.
 */
export async function readExportInput(
  { store, annotations }: { readonly store: FileRunStore; readonly annotations: Pick<Annotations, "of"> },
  sessionId: string,
  options: { readonly workspaceFolder: string; readonly productVersion: string; readonly identity: Identity },
): Promise<ExportInput> {
  const { logged, damaged, head } = await store.read(sessionId);
  return {
    sessionId,
    events: await logged.all(),
    head,
    annotations: await annotations.of(sessionId),
    ...(damaged === undefined ? {} : { damaged }),
    productVersion: options.productVersion,
    loadText: (stored) => store.loadText(stored),
    loadTree: (treeId) => store.loadTree(sessionId, treeId),
    clean: makeCleaner(store.redactor, {
      workspaceFolder: options.workspaceFolder,
      homeFolder: homedir(),
      userName: ownName(),
      hostName: hostname(),
    }),
    sha256: (text) => options.identity.sha256(text),
  };
}

/**
 * An account without an entry in the user database (a container run with a bare number) has no name to hide.
 */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

import { OperationalError } from "../../core/base/operational-error";
import type { SourceTree } from "../../core/kernel/candidate";
import { treeId, type WholeTree } from "../../core/trajectory/tree";
import type { StoragePorts } from "./storage-ports";

/** The texts of a tree, checked against its id and the digests of its files. Throws `session-damaged`. */
export async function loadSource(trees: ReadonlyMap<string, WholeTree>, id: string, ports: Pick<StoragePorts, "blobs" | "identity">): Promise<SourceTree> {
  const tree = trees.get(id);
  if (!tree) throw damaged(`it has no snapshot of tree ${id}`);
  if (treeId(tree, (text) => ports.identity.sha256(text)) !== id) throw damaged(`the snapshot of tree ${id} does not give that tree`);
  const texts: [string, string][] = [];
  for (const [path, file] of tree) texts.push([path, decodeBlob(await ports.blobs.get(file.blob))]);
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of a blob, with its byte order mark when it has one: a file must come back as it was. */
export function decodeBlob(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
}

function damaged(what: string): OperationalError {
  return new OperationalError("session-damaged", { forUser: `The session is damaged: ${what}.`, forModel: "An earlier version of the files cannot be rebuilt." });
}

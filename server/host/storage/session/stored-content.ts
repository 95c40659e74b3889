import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import { blobHex, inlineLimitBytes, makePreview } from "../../../core/trajectory/blobs";
import type { StoredText } from "../../../core/trajectory/events";
import { treeId, type TreeFile, type TreeIndex, type WholeTree } from "../../../core/trajectory/tree";
import type { BlobStore } from "../blob-store";
import type { StoragePorts } from "../storage-ports";

/** The texts of a tree, checked against its id and the digests of its files. Throws `session-damaged`. */
export async function loadSource(
  trees: Pick<TreeIndex, "whole">,
  id: string,
  ports: Pick<StoragePorts, "blobs" | "identity">,
): Promise<SourceTree> {
  const tree = trees.whole(id);
  if (!tree) throw damaged(`it has no snapshot of tree ${id}`);
  if (treeId(tree, (text) => ports.identity.sha256(text)) !== id)
    throw damaged(`the snapshot of tree ${id} does not give that tree`);
  const texts: [string, string][] = [];
  for (const [path, file] of tree) texts.push([path, decodeBlob(await ports.blobs.get(file.blob))]);
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes the files of a tree as blobs. Throws `file-unreadable` for a file that holds a secret. */
export async function storeSource(
  tree: SourceTree,
  ports: Pick<StoragePorts, "blobs" | "redactor">,
): Promise<WholeTree> {
  const files = new Map<string, TreeFile>();
  for (const [path, text] of Object.entries(tree)) {
    const secret = ports.redactor.find(text);
    if (secret) throw secretInSource(path, secret);
    const blob = await ports.blobs.put(new TextEncoder().encode(text));
    files.set(path, { blob, mode: "100644", eol: text.includes("\r\n") ? "crlf" : "lf" });
  }
  return files;
}

/**
 * A source file is kept byte for byte or not at all: a redacted copy would end up in the user's workspace.
 */
function secretInSource(
  path: string,
  secret: { readonly line: number; readonly kind: string },
): OperationalError {
  return new OperationalError("file-unreadable", {
    forUser: `${path}:${secret.line} holds what looks like a secret (${secret.kind}). Kernelwright never copies secrets into a session: move it out of the source, then try again.`,
    forModel: `${path}:${secret.line} holds what looks like a secret; it must not be in the source.`,
  });
}

/** Inline when short, a blob else; secrets are replaced first. */
export async function storeText(
  text: string,
  mediaType: string,
  ports: Pick<StoragePorts, "blobs" | "redactor">,
): Promise<StoredText> {
  const clean = ports.redactor.redact(text);
  const bytes = new TextEncoder().encode(clean);
  if (bytes.length <= inlineLimitBytes) return clean;
  const hex = await ports.blobs.put(bytes);
  return { $blob: `sha256:${hex}`, bytes: bytes.length, media_type: mediaType, preview: makePreview(clean) };
}

/** The text behind either form. */
export async function loadText(stored: StoredText, blobs: BlobStore): Promise<string> {
  return typeof stored === "string" ? stored : decodeBlob(await blobs.get(blobHex(stored)));
}

/** The text of a blob, with its byte order mark when it has one: a file must come back as it was. */
function decodeBlob(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
}

function damaged(what: string): OperationalError {
  return new OperationalError("session-damaged", {
    forUser: `The session is damaged: ${what}.`,
    forModel: "An earlier version of the files cannot be rebuilt.",
  });
}

import { createHash } from "node:crypto";
import type { TextDocument } from "vscode";

/** The text that something is known about. */
interface BoundText {
  /** sha256, with or without that word in front. */
  readonly textDigest: string;
  /** In UTF-16 units. */
  readonly textLength: number;
}

/** Digests of documents as they are now: cursors move more often than texts change. */
const digests = new WeakMap<TextDocument, { readonly version: number; readonly digest: string }>();

/**
 * Whether a document reads as the text that something is known about. Most edits change the length, which is
 * known without looking at the whole text.
 */
export function isBoundTo({ textDigest, textLength }: BoundText, document: TextDocument): boolean {
  const end = document.lineAt(document.lineCount - 1).range.end;
  if (document.offsetAt(end) !== textLength) return false;
  return digestOf(document) === textDigest.replace(/^sha256:/, "");
}

function digestOf(document: TextDocument): string {
  const known = digests.get(document);
  if (known?.version === document.version) return known.digest;
  const digest = createHash("sha256").update(document.getText()).digest("hex");
  digests.set(document, { version: document.version, digest });
  return digest;
}

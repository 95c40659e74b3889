import { isJsonObject } from "../base/json";
import type { BlobReference, StoredText } from "./events";

/** Texts above this many UTF-8 bytes are kept as blobs. */
export const inlineLimitBytes = 8 * 1024;

const previewCharacters = 512;
const hexPattern = /^[0-9a-f]{64}$/;

function isBlobReference(value: unknown): value is BlobReference {
  return isJsonObject(value) && typeof value.$blob === "string" && value.$blob.startsWith("sha256:");
}

/** The 64 hex digits that name a blob. */
export function blobHex(reference: BlobReference): string {
  return reference.$blob.slice("sha256:".length);
}

/** What can be shown of a text without opening its blob. */
export function previewOf(stored: StoredText): string {
  return typeof stored === "string" ? stored : (stored.preview ?? "");
}

/** The first 512 characters, never ending within a surrogate pair. */
export function makePreview(text: string): string {
  const cut = text.slice(0, previewCharacters);
  return /[\uD800-\uDBFF]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}

/**
 * Every blob that event data refers to, sorted and without repeats: references (`$blob`) anywhere, and the
 * files of a tree.
 */
export function blobsOf(type: string, data: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (isBlobReference(value)) found.add(blobHex(value));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  visit(data);
  if (type === "tree.snapshot" && isJsonObject(data) && isJsonObject(data.files)) {
    for (const file of Object.values(data.files))
      if (isJsonObject(file) && typeof file.blob === "string") found.add(file.blob);
  }
  return [...found].filter((hex) => hexPattern.test(hex)).sort();
}

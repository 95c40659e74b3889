import { readFile } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { decodedText } from "../../core/base/text";

/** Absolute path of a `file:` URI; undefined for documents that lie in no file (untitled, virtual). */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** The text of a file as it is on disk; undefined where there is none. */
export async function textOnDisk(uri: string): Promise<string | undefined> {
  const path = pathOfUri(uri);
  const bytes = path === undefined ? undefined : await readFile(path).catch(() => undefined);
  return bytes && decodedText(bytes);
}

export function uriOfPath(path: string): string {
  return pathToFileURL(path).toString();
}

/** POSIX path of a file below a folder; undefined when it lies elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return undefined;
  return inside.split(sep).join("/");
}

import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

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

export function uriOfPath(path: string): string {
  return pathToFileURL(path).toString();
}

/** POSIX path of a file below a folder; undefined when it lies elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return undefined;
  return inside.split(sep).join("/");
}

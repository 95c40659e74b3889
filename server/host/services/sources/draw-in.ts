import { OperationalError } from "../../../core/base/operational-error";
import { localReferences, type SearchPlaces } from "../../../core/language/local-files";
import type { FileReader } from "../../../core/ports/files";
import type { BuildSettings } from "../../../core/workload/build-settings";

/** The include folders that lie in the workspace: those outside hold no files of the tree. */
export function workspaceIncludeFolders({ includeFolders }: BuildSettings): readonly string[] {
  return includeFolders.map(({ folder }) => folder).filter((folder) => !folder.startsWith("/"));
}

/**
 * The sources and, from there, every local include and import, the nearest first. `mayGrow` is asked after
 * each file. Files that are only drawn in and may not be shown count as missing: the compiler says so at the
 * line that wants them.
 */
export async function drawIn(
  files: FileReader,
  sources: Readonly<Record<string, string>>,
  places: SearchPlaces,
  mayGrow: (tree: Readonly<Record<string, string>>) => boolean,
): Promise<Record<string, string>> {
  const tree: Record<string, string> = { ...sources };
  const pending = Object.entries(sources).flatMap(([path, text]) => localReferences(path, text, places));
  const asked = new Set(Object.keys(sources));
  for (let path = pending.shift(); path !== undefined && mayGrow(tree); path = pending.shift()) {
    if (asked.has(path)) continue;
    asked.add(path);
    const text = await readIfShown(files, path);
    if (text === undefined) continue;
    tree[path] = text;
    pending.push(...localReferences(path, text, places));
  }
  return tree;
}

/** The text, or undefined for what is not there, is a folder, or may not be shown. */
export async function readIfShown(files: FileReader, path: string): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof OperationalError && notShown.has(thrown.code)) return undefined;
    throw thrown;
  }
}

const notShown = new Set(["path-excluded", "path-outside-workspace", "file-unreadable"]);
/** The deepest folder that holds both files. */
export function commonFolder(a: string, b: string): string {
  const [first, second] = [a.split("/").slice(0, -1), b.split("/").slice(0, -1)];
  const differs = first.findIndex((part, index) => part !== second[index]);
  return first.slice(0, differs < 0 ? first.length : differs).join("/");
}

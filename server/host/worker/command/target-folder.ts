import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { PathRules } from "../../../core/base/path-rules";
import type { SourceTree } from "../../../core/judge/candidate";
import { makePrivateFolder, type PrivateFolder } from "../../process/private-folder";

/** What no command needs: the insides of repositories and what tools keep. */
const leftOut = new Set([".git", ".hg", ".svn", ".kernelwright", "__pycache__"]);
const mostFiles = 50_000;

/**
 * A copy of the workspace without what the rules hide. No candidate ever writes to it, nor to the original.
 * Links are copied as links.
 */
export async function copyWorkspace(root: string, rules: PathRules): Promise<PrivateFolder> {
  const copy = await makePrivateFolder(join(tmpdir(), "kernelwright-target-"));
  let files = 0;
  const isTaken = (path: string): boolean => {
    if (leftOut.has(basename(path)) || rules.hiding(relative(root, path)) !== undefined) return false;
    files += 1;
    if (files > mostFiles)
      throw new OperationalError("usage", {
        forUser: `the workspace has more than ${mostFiles} files: open the folder of the target alone, or leave folders out with --exclude`,
      });
    return true;
  };
  try {
    await cp(root, copy.path, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: isTaken,
    });
    await chmod(copy.path, 0o755);
    return copy;
  } catch (thrown) {
    await copy.remove();
    throw thrown;
  }
}

/** The files of a candidate in a folder of their own, which only we write to. */
export async function writeTree(tree: SourceTree): Promise<PrivateFolder> {
  const folder = await makePrivateFolder(join(tmpdir(), "kernelwright-tree-"));
  await chmod(folder.path, 0o755);
  for (const [path, text] of Object.entries(tree)) {
    const file = join(folder.path, ...path.split("/"));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** An empty folder that commands write to. */
export function workFolder(): Promise<PrivateFolder> {
  return makePrivateFolder(join(tmpdir(), "kernelwright-work-"));
}

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { workspacePath } from "./command-context";

/**
 * Writes a new spec file into the workspace and gives true; false when there is one already and `replace`
 * does not say that it may go. The folder is resolved and checked at the moment of the write.
 */
export async function writeSpec(
  workspaceFolder: string,
  file: { readonly specPath: string; readonly text: string },
  replace: boolean,
): Promise<boolean> {
  const root = await realpath(workspaceFolder);
  const path = workspacePath(root, file.specPath);
  await mkdir(dirname(path), { recursive: true });
  const folder = await realpath(dirname(path));
  if (relative(root, folder).startsWith(".."))
    throw new OperationalError("path-outside-workspace", {
      forUser: `${file.specPath} leads out of the workspace through a link: nothing was written.`,
    });
  try {
    await writeFile(join(folder, basename(path)), file.text, { flag: replace ? "w" : "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new OperationalError("disk-failed", {
      forUser: `${file.specPath} could not be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      cause: thrown,
    });
  }
}

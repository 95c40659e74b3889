import { copyFile, lstat, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files up to this size, all together, are copied: a program may write to those that it finds. */
const mostCopiedBytes = 16 * 1024 * 1024;
/** With more entries a program is run where it is. */
const mostEntries = 2000;

/**
 * Runs something in a folder that looks like another one, so that what it writes beside itself stays out of
 * that: small files are copied, folders and large files are links. Undefined where the folder has too many
 * entries.
 */
export async function inScratchFolder<Result>(
  folder: string,
  use: (scratch: string) => Promise<Result>,
): Promise<Result | undefined> {
  const names = await readdir(folder);
  if (names.length > mostEntries) return undefined;
  const scratch = await mkdtemp(join(tmpdir(), "kernelwright-scratch-"));
  try {
    let left = mostCopiedBytes;
    for (const name of names) {
      const [from, to] = [join(folder, name), join(scratch, name)];
      const found = await lstat(from);
      const isCopied = found.isFile() && found.size <= left;
      if (isCopied) left -= found.size;
      await (isCopied ? copyFile(from, to) : symlink(from, to));
    }
    return await use(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

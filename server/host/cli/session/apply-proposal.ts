import type { Stats } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { decodedText, encodingOf } from "../../../core/base/text";
import { OperationalError } from "../../../core/base/operational-error";
import { workspacePath } from "../command-context";

interface ProposalText {
  readonly file: string;
  readonly base: string;
  readonly proposed: string;
  /** The file is to be made. */
  readonly isNew?: boolean;
}

/** Some editors put it before the text. It is no part of the text that a session works on, and it is kept. */
const byteOrderMark = "\ufeff";

/** A text in the encoding that a file has, with its byte order mark if it has one. */
function encodedAs(bytes: Buffer, text: string): Buffer {
  switch (encodingOf(bytes)) {
    case "utf-16le":
      return Buffer.from(byteOrderMark + text, "utf16le");
    case "utf-16be":
      return Buffer.from(byteOrderMark + text, "utf16le").swap16();
    case "utf-8":
      return Buffer.from(bytes.toString("utf8").startsWith(byteOrderMark) ? byteOrderMark + text : text);
  }
}

/**
 * Writes a proposal into the workspace, each file by rename. Nothing at all is written when one of the files
 * is no longer what the session began with, or stands where a new one is to be made. The path is resolved and
 * checked against the folder at the moment of the write.
 */
export async function applyProposal(
  workspaceFolder: string,
  texts: readonly ProposalText[],
): Promise<readonly string[]> {
  const root = await realpath(workspaceFolder);
  for (const text of texts) {
    if (text.isNew === true) {
      await freePath(root, text.file);
      continue;
    }
    const path = await checkedPath(root, text.file);
    if (decodedText(await readFile(path)) !== text.base) {
      throw new OperationalError("disk-failed", {
        forUser: `${text.file} has changed since the session began: nothing was written. Review the proposal in the editor, or run optimize again.`,
      });
    }
  }
  for (const text of texts) {
    if (text.isNew === true) {
      const free = await freePath(root, text.file);
      await mkdir(dirname(free), { recursive: true });
      await writeFile(free, text.proposed, { flag: "wx" });
      continue;
    }
    const path = await checkedPath(root, text.file);
    const scratch = await mkdtemp(join(dirname(path), ".kernelwright-"));
    try {
      const fresh = join(scratch, basename(path));
      await writeFile(fresh, encodedAs(await readFile(path), text.proposed));
      await chmod(fresh, (await stat(path)).mode);
      await rename(fresh, path);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  return texts.map((text) => text.file);
}

/** The path of a file that is to be made: nothing is there, and no link leads there. */
async function freePath(root: string, file: string): Promise<string> {
  const path = workspacePath(root, file);
  const folders = file.split("/").slice(0, -1);
  for (const [index] of folders.entries()) {
    const folder = folders.slice(0, index + 1).join("/");
    const found = await entryAt(workspacePath(root, folder));
    if (found === undefined) return path;
    if (found.isDirectory()) continue;
    throw new OperationalError("path-outside-workspace", {
      forUser: `${file} cannot be made, for ${folder} is ${found.isSymbolicLink() ? "a link" : "no folder"}: nothing was written.`,
    });
  }
  if ((await entryAt(path)) === undefined) return path;
  throw new OperationalError("disk-failed", {
    forUser: `${file} is there since the session began: nothing was written. Review the proposal in the editor, or run optimize again.`,
  });
}

/** What stands at a path, links as links. */
function entryAt(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return undefined;
    throw thrown;
  });
}

async function checkedPath(root: string, file: string): Promise<string> {
  const path = await realpath(workspacePath(root, file));
  if (relative(root, path).startsWith("..")) {
    throw new OperationalError("path-outside-workspace", {
      forUser: `${file} leads out of the workspace through a link: nothing was written.`,
    });
  }
  return path;
}

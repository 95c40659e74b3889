import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { WorkspaceFolder } from "vscode-languageserver";
import { digestOf } from "../documents";
import { pathBelow, pathOfUri } from "../uris";

interface NamedFolder {
  /** Absolute, as the client names it. */
  readonly path: string;
  readonly name: string;
}

/** The folders of the workspace, as the client tells of them. */
export class FolderList {
  /** In the user's order. */
  private folders: readonly NamedFolder[] = [];
  /** A folder within another one comes before it. */
  private innermost: readonly NamedFolder[] = [];

  set(folders: readonly WorkspaceFolder[]): void {
    this.folders = folders.flatMap(({ uri, name }) => {
      const path = pathOfUri(uri);
      return path === undefined ? [] : [{ path, name: name === "" ? basename(path) : name }];
    });
    this.innermost = this.folders.toSorted((a, b) => b.path.length - a.path.length);
  }

  get paths(): readonly string[] {
    return this.folders.map(({ path }) => path);
  }

  /**
   * Folder and path of a file. A file that lies in no folder of the workspace has its own folder for one.
   * Undefined without a file.
   */
  locate(uri: string): { readonly folder: string; readonly file: string } | undefined {
    const path = pathOfUri(uri);
    if (path === undefined) return undefined;
    for (const { path: folder } of this.innermost) {
      const file = pathBelow(folder, path);
      if (file !== undefined) return { folder, file };
    }
    return { folder: dirname(path), file: pathBelow(dirname(path), path) ?? path };
  }

  /** What people call a file: with the name of its folder where several are open. */
  shownFile(folder: string | undefined, file: string): string {
    const own = this.folders.find(({ path }) => path === folder);
    return own === undefined || this.folders.length < 2 ? file : `${own.name}/${file}`;
  }
}

/** What sessions name a folder by. */
export function folderDigest(folder: string): string {
  return digestOf(realPath(folder));
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return folder;
    throw thrown;
  }
}

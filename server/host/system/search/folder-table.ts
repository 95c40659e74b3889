import { type Dirent, lstatSync, readdirSync } from "node:fs";
import type { PathRules } from "../../../core/base/path-rules";
import { ignoredFolders, searchLimits } from "../searched-places";
import { isCurrent, type Stamp, stampOf } from "./stamp";
import type { Share } from "./thread-messages";

/** A file, and what was learnt of it. */
export interface KnownFile {
  readonly name: string;
  /** Words that it did not hold when it was read, a bit each. */
  lacks: number;
  /** Before it was read, in milliseconds since 1970. */
  readAt: number;
  /** What it was then, once that was looked at: the first read of many files has no time for it. */
  stamp: Stamp | undefined;
}

/** A folder as it was listed. */
interface Listed {
  /** Relative to the root, with a slash at its end; empty for the root. */
  readonly path: string;
  readonly stamp: Stamp;
  /** Paths relative to the root. */
  readonly folders: readonly string[];
  /** Names of the plain files of the share, by their endings. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Those that were asked for and may be shown, by their endings. */
  readonly chosen: Map<string, readonly KnownFile[]>;
  /** What an earlier list knew of the files. */
  readonly earlier: ReadonlyMap<string, KnownFile>;
}

/** The wanted files of one folder. */
interface FolderFiles {
  /** Relative to the root, with a slash at its end; empty for the root. */
  readonly path: string;
  readonly files: readonly KnownFile[];
}

/**
 * The files below one root, which the rules let be shown. A folder is listed again only when it has changed.
 * Links are no folders and no files here, so what is found lies below the root.
 */
export class FolderTable {
  private known = new Map<string, Listed>();

  /** `root`: an absolute path without links. Of the files those of the share alone are listed. */
  constructor(
    private readonly root: string,
    private readonly rules: PathRules,
    private readonly share: Share,
  ) {}

  /** Folder by folder, the files that end in one of the suffixes (a dot and what follows the last one). */
  *walk(suffixes: readonly string[]): Generator<FolderFiles> {
    const seen = new Map<string, Listed>();
    const pending = [{ path: "", depth: 0 }];
    let left: number = searchLimits.files;
    for (
      let visited = 0;
      visited < pending.length && visited < searchLimits.folders && left > 0;
      visited += 1
    ) {
      const current = pending[visited];
      const listed = current && this.listed(current.path);
      if (current === undefined || listed === undefined) continue;
      seen.set(current.path, listed);
      if (current.depth < searchLimits.depth)
        for (const path of listed.folders) pending.push({ path, depth: current.depth + 1 });
      for (const suffix of suffixes) {
        const files = this.chosen(listed, suffix).slice(0, left);
        left -= files.length;
        if (files.length > 0) yield { path: listed.path, files };
      }
    }
    this.known = seen;
  }

  /** Calls back with every file that was ever asked for. */
  forEach(use: (file: KnownFile) => void): void {
    for (const { chosen } of this.known.values()) for (const files of chosen.values()) files.forEach(use);
  }

  /** What is in a folder; undefined when it is gone, may not be read, or is a link by now. */
  private listed(path: string): Listed | undefined {
    const absolute = path === "" ? this.root : `${this.root}/${path}`;
    try {
      const known = this.known.get(path);
      const readAt = Date.now();
      // The folders above were looked at just before.
      const stats = lstatSync(absolute);
      if (!stats.isDirectory()) return undefined;
      if (known && isCurrent(known.stamp, stats)) return known;
      const entries = readdirSync(absolute, { withFileTypes: true });
      return this.read(path, { stamp: stampOf(stats, readAt), entries, earlier: filesOf(known) });
    } catch {
      return undefined;
    }
  }

  private read(
    path: string,
    { entries, ...rest }: Pick<Listed, "stamp" | "earlier"> & { readonly entries: readonly Dirent[] },
  ): Listed {
    const within = path === "" ? "" : `${path}/`;
    const folders: string[] = [];
    const names = new Map<string, string[]>();
    for (const entry of entries) {
      const { name } = entry;
      if (entry.isFile()) {
        if (!this.isOurs(name)) continue;
        const ending = name.slice(name.lastIndexOf("."));
        const alike = names.get(ending);
        if (alike === undefined) names.set(ending, [name]);
        else alike.push(name);
      } else if (entry.isDirectory() && !ignoredFolders.has(name) && !this.rules.hidesEntry(path, name)) {
        folders.push(within + name);
      }
    }
    return { path: within, folders, names, chosen: new Map(), ...rest };
  }

  private chosen({ path, names, chosen, earlier }: Listed, suffix: string): readonly KnownFile[] {
    const known = chosen.get(suffix);
    if (known !== undefined) return known;
    const folder = path.slice(0, -1);
    const files: KnownFile[] = [];
    for (const name of names.get(suffix) ?? []) {
      if (!this.rules.hidesEntry(folder, name))
        files.push(earlier.get(name) ?? { name, lacks: 0, readAt: 0, stamp: undefined });
    }
    chosen.set(suffix, files);
    return files;
  }

  /** By the name alone: what becomes of other files of the folder gives no file to another share. */
  private isOurs(name: string): boolean {
    const { number, of } = this.share;
    if (of === 1) return true;
    let sum = 0;
    for (let at = 0; at < name.length; at += 1) sum += name.charCodeAt(at);
    return sum % of === number;
  }
}

function filesOf(listed: Listed | undefined): ReadonlyMap<string, KnownFile> {
  const files = [...(listed?.chosen.values() ?? [])].flat();
  return new Map(files.map((file) => [file.name, file]));
}

import type { PathRules } from "../../../core/base/path-rules";
import { searchLimits } from "../searched-places";
import { type ListedFolder, listFolder } from "./listed-folder";
import type { Stamp } from "./stamp";
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

/** A folder, and what was asked of it. */
interface Asked {
  readonly folder: ListedFolder;
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
 */
export class FolderTable {
  private known = new Map<string, Asked>();

  /** `root`: an absolute path without links. Of the files those of the share alone are listed. */
  constructor(
    private readonly root: string,
    private readonly rules: PathRules,
    private readonly share: Share,
  ) {}

  /** Folder by folder, the files that end in one of the suffixes (a dot and what follows the last one). */
  *walk(suffixes: readonly string[]): Generator<FolderFiles> {
    const seen = new Map<string, Asked>();
    const pending = [{ path: "", depth: 0 }];
    let left: number = searchLimits.files;
    for (
      let visited = 0;
      visited < pending.length && visited < searchLimits.folders && left > 0;
      visited += 1
    ) {
      const current = pending[visited];
      const asked = current && this.asked(current.path);
      if (current === undefined || asked === undefined) continue;
      seen.set(current.path, asked);
      if (current.depth < searchLimits.depth)
        for (const path of asked.folder.folders) pending.push({ path, depth: current.depth + 1 });
      for (const suffix of suffixes) {
        const files = this.chosen(asked, suffix).slice(0, left);
        left -= files.length;
        if (files.length > 0) yield { path: asked.folder.path, files };
      }
    }
    this.known = seen;
  }

  /** Calls back with every file that was ever asked for. */
  forEach(use: (file: KnownFile) => void): void {
    for (const { chosen } of this.known.values()) for (const files of chosen.values()) files.forEach(use);
  }

  private asked(path: string): Asked | undefined {
    const known = this.known.get(path);
    const folder = listFolder({
      root: this.root,
      path,
      rules: this.rules,
      known: known?.folder,
      keeps: (name) => this.isOurs(name),
    });
    if (folder === undefined || folder === known?.folder) return folder && known;
    const names = new Map<string, string[]>();
    for (const name of folder.names) {
      const ending = name.slice(name.lastIndexOf("."));
      const alike = names.get(ending);
      if (alike === undefined) names.set(ending, [name]);
      else alike.push(name);
    }
    return { folder, names, chosen: new Map(), earlier: filesOf(known) };
  }

  private chosen({ folder, names, chosen, earlier }: Asked, suffix: string): readonly KnownFile[] {
    const known = chosen.get(suffix);
    if (known !== undefined) return known;
    const path = folder.path.slice(0, -1);
    const files: KnownFile[] = [];
    for (const name of names.get(suffix) ?? []) {
      if (!this.rules.hidesEntry(path, name))
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

function filesOf(asked: Asked | undefined): ReadonlyMap<string, KnownFile> {
  const files = [...(asked?.chosen.values() ?? [])].flat();
  return new Map(files.map((file) => [file.name, file]));
}

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { PathRules } from "../../../core/base/path-rules";
import { ignoredFolders, searchLimits } from "../searched-places";
import { isCurrent, type Stamp, stampOf } from "./stamp";
import type { Share } from "./thread-messages";

interface Listed {
  readonly stamp: Stamp;
  readonly folders: readonly string[];
  readonly files: readonly string[];
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

  /** Paths relative to the root that end in one of the suffixes, sorted. */
  list(suffixes: readonly string[]): readonly string[] {
    const found: string[] = [];
    const seen = new Map<string, Listed>();
    const pending = [{ path: "", depth: 0 }];
    for (
      let visited = 0;
      visited < pending.length && visited < searchLimits.folders && found.length < searchLimits.files;
      visited += 1
    ) {
      const current = pending[visited];
      const listed = current && this.listed(current.path);
      if (current === undefined || listed === undefined) continue;
      seen.set(current.path, listed);
      for (const file of listed.files) if (suffixes.some((suffix) => file.endsWith(suffix))) found.push(file);
      if (current.depth < searchLimits.depth)
        pending.push(...listed.folders.map((path) => ({ path, depth: current.depth + 1 })));
    }
    this.known = seen;
    return found.sort().slice(0, searchLimits.files);
  }

  /** What is in a folder; undefined when it is gone, may not be read, or is another behind a link. */
  private listed(path: string): Listed | undefined {
    const absolute = join(this.root, path);
    try {
      if (realpathSync.native(absolute) !== absolute) return undefined;
      const known = this.known.get(path);
      const readAt = Date.now();
      const stats = lstatSync(absolute);
      return known && isCurrent(known.stamp, stats) ? known : this.read(path, stampOf(stats, readAt));
    } catch {
      return undefined;
    }
  }

  private read(path: string, stamp: Stamp): Listed {
    const folders: string[] = [];
    const files: string[] = [];
    for (const entry of readdirSync(join(this.root, path), { withFileTypes: true })) {
      const isFile = entry.isFile();
      const isWanted = isFile
        ? this.isOurs(entry.name)
        : entry.isDirectory() && !ignoredFolders.has(entry.name);
      if (!isWanted || this.rules.hidesEntry(path, entry.name)) continue;
      (isFile ? files : folders).push(path === "" ? entry.name : `${path}/${entry.name}`);
    }
    return { stamp, folders, files };
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

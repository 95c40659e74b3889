import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { PathRules } from "../../../core/base/path-rules";
import { ignoredFolders, searchLimits } from "../searched-places";
import { isCurrent, type Stamp, stampOf } from "./stamp";

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

  /** `root`: an absolute path without links. */
  constructor(
    private readonly root: string,
    private readonly rules: PathRules,
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
      if (this.rules.hidesEntry(path, entry.name)) continue;
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && !ignoredFolders.has(entry.name)) folders.push(inside);
    }
    return { stamp, folders, files };
  }
}

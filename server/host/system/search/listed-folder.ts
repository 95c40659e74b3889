import { lstatSync, readdirSync } from "node:fs";
import type { PathRules } from "../../../core/base/path-rules";
import { ignoredFolders } from "../searched-places";
import { isCurrent, type Stamp, stampOf } from "./stamp";

/** A folder as it was listed. */
export interface ListedFolder {
  /** Relative to the root, with a slash at its end; empty for the root. */
  readonly path: string;
  readonly stamp: Stamp;
  /** Paths relative to the root: those that hold what somebody wrote and may be shown. */
  readonly folders: readonly string[];
  /** Names of the plain files that are kept, hidden ones among them. */
  readonly names: readonly string[];
}

/** Which folder, and how. */
interface Listing {
  /** An absolute path without links. */
  readonly root: string;
  /** Relative to the root; empty for the root itself. The folders above were looked at just before. */
  readonly path: string;
  readonly rules: PathRules;
  /** The same folder as it was listed before. */
  readonly known: ListedFolder | undefined;
  /** Which files are kept, by their names alone. */
  readonly keeps: (name: string) => boolean;
}

/**
 * What is in a folder; undefined when it is gone, may not be read, or is a link by now. The listing that is
 * known already where nothing has changed. Links are no folders and no files here, so what is found lies
 * below the root.
 */
export function listFolder({ root, path, rules, known, keeps }: Listing): ListedFolder | undefined {
  const absolute = path === "" ? root : `${root}/${path}`;
  try {
    const readAt = Date.now();
    const stats = lstatSync(absolute);
    if (!stats.isDirectory()) return undefined;
    if (known && isCurrent(known.stamp, stats)) return known;
    const within = path === "" ? "" : `${path}/`;
    const folders: string[] = [];
    const names: string[] = [];
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isFile()) {
        if (keeps(name)) names.push(name);
      } else if (entry.isDirectory() && !ignoredFolders.has(name) && !rules.hidesEntry(path, name)) {
        folders.push(within + name);
      }
    }
    return { path: within, stamp: stampOf(stats, readAt), folders, names };
  } catch {
    return undefined;
  }
}

import canonicalize from "canonicalize";
import { invariant } from "../base/assert";
import type { EventData, TreeFiles } from "./events";

export type TreeFile = NonNullable<TreeFiles[string]>;

/** All files of one tree, none left out. */
export type WholeTree = ReadonlyMap<string, TreeFile>;

/**
 * sha256 of the canonical JSON (RFC 8785) of `{path: {blob, mode, eol}}`. Equal trees have equal ids on every
 * machine.
 */
export function treeId(tree: WholeTree, sha256: (text: string) => string): string {
  const canonical = canonicalize(Object.fromEntries(tree));
  invariant(canonical !== undefined, "a tree has a canonical form");
  return sha256(canonical);
}

/** What the snapshot event holds: paths that differ from the parent; `null` for a path that is gone. */
export function changedFiles(parent: WholeTree, tree: WholeTree): TreeFiles {
  const changed: [string, TreeFile | null][] = [];
  for (const [path, file] of tree) {
    const before = parent.get(path);
    if (!before || before.blob !== file.blob || before.mode !== file.mode || before.eol !== file.eol)
      changed.push([path, file]);
  }
  for (const path of parent.keys()) if (!tree.has(path)) changed.push([path, null]);
  return Object.fromEntries(changed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The parent with the changes applied. */
export function applyFiles(parent: WholeTree, changes: TreeFiles): WholeTree {
  const tree = new Map(parent);
  for (const [path, file] of Object.entries(changes)) {
    if (file === null) tree.delete(path);
    else tree.set(path, file);
  }
  return tree;
}

interface Snapshot {
  readonly id: string;
  /** What the files are changes of; undefined for a tree that is told whole. */
  readonly from: Snapshot | undefined;
  readonly files: TreeFiles;
}

/**
 * The trees that a log describes, each as what it changes of its parent. A snapshot whose parent is not in
 * the log is left out: nothing can be said about it.
 */
export class TreeIndex {
  private readonly snapshots = new Map<string, Snapshot>();

  take({ tree, parent, files }: EventData["tree.snapshot"]): void {
    const from = parent === null ? undefined : this.snapshots.get(parent);
    // The first one stands: a later one of that name cannot make a tree its own ancestor.
    if (this.snapshots.has(tree) || (parent !== null && from === undefined)) return;
    this.snapshots.set(tree, { id: tree, from, files });
  }

  has(id: string): boolean {
    return this.snapshots.has(id);
  }

  /** The same id, as the text that is kept of it here. */
  own(id: string): string {
    return this.snapshots.get(id)?.id ?? id;
  }

  /** All files of a tree; undefined where the log has no snapshot of it. */
  whole(id: string): WholeTree | undefined {
    if (!this.snapshots.has(id)) return undefined;
    const changes: TreeFiles[] = [];
    for (let at = this.snapshots.get(id); at !== undefined; at = at.from) changes.push(at.files);
    return changes.reduceRight<WholeTree>(applyFiles, new Map());
  }
}

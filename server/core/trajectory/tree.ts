import canonicalize from "canonicalize";
import { invariant } from "../base/assert";
import type { SessionEvent, TreeFiles } from "./events";

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

/**
 * Rebuilds every tree that the events describe. A snapshot whose parent is not in the log is left out:
 * nothing can be said about it.
 */
export function treesOf(events: Iterable<SessionEvent>): ReadonlyMap<string, WholeTree> {
  const trees = new Map<string, WholeTree>();
  for (const event of events) {
    if (event.type !== "tree.snapshot") continue;
    const { tree, parent, files } = event.data;
    const base = parent === null ? new Map<string, TreeFile>() : trees.get(parent);
    if (base) trees.set(tree, applyFiles(base, files));
  }
  return trees;
}

import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { normalizePath } from "../../base/path-rules";
import type { Span } from "./marks";

/** Texts of a spec that begin with a file; `*` stands for each entry of a list. */
const places: readonly JSONPath[] = [
  ["kernel"],
  ["entry", "call"],
  ["entry", "sources", "*"],
  ["launch", "includedBy"],
  ["reference"],
  ["editable", "*"],
  ["program", "file"],
  // Options among them are no files: only what names a moved file is touched.
  ["program", "compileOptions", "*"],
];

/** Where a spec stands and will stand, and where files go; paths are relative to the workspace. */
interface SpecMove {
  readonly fromFolder: string;
  readonly toFolder: string;
  /** Where a file will be; the path itself for one that stays. */
  readonly moved: (path: string) => string;
}

/** A text of a spec, without its quotes, as it has to be from now on. */
export interface MovedPath {
  readonly span: Span;
  readonly text: string;
}

/**
 * What has to change in a spec's text when it or files that it names move. Undefined where a file would no
 * longer lie below the spec's folder, which a spec cannot say.
 */
export function movedPaths(text: string, move: SpecMove): readonly MovedPath[] | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  const changes: MovedPath[] = [];
  for (const node of places.flatMap((place) => nodesAt(root, place))) {
    if (node.type !== "string") continue;
    const written = String(node.value);
    const path = fileOf(written, node);
    if (path === undefined) continue;
    const now = rewritten(path, move);
    if (now === undefined) return undefined;
    if (now === path) continue;
    const inside = { start: node.offset + 1, end: node.offset + node.length - 1 };
    changes.push({
      span: inside,
      text: JSON.stringify(now + written.slice(path.length)).slice(1, -1),
    });
  }
  return changes;
}

function nodesAt(node: Node, place: JSONPath): readonly Node[] {
  const star = place.indexOf("*");
  if (star < 0) return [findNodeAtLocation(node, place)].filter((found) => found !== undefined);
  return findNodeAtLocation(node, place.slice(0, star))?.children ?? [];
}

/** The file that a text begins with; undefined for words of the format and for options. */
function fileOf(written: string, node: Node): string | undefined {
  const at = written.indexOf("::");
  if (at > 0) return written.slice(0, at);
  const isWord = written === "baseline" || written.startsWith("-") || node.value === "";
  return isWord ? undefined : written;
}

/** The same file from the spec's new folder; undefined where it would not lie below it. */
function rewritten(path: string, { fromFolder, toFolder, moved }: SpecMove): string | undefined {
  const before = normalizePath(`${fromFolder}/${path}`);
  if (before === undefined) return path;
  const now = moved(before);
  if (now === before && fromFolder === toFolder) return path;
  if (toFolder === "") return now;
  return now.startsWith(`${toFolder}/`) ? now.slice(toFolder.length + 1) : undefined;
}

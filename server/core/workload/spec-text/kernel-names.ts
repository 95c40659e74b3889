import { findNodeAtLocation, parseTree } from "jsonc-parser";
import type { Span } from "./marks";

/** Where a spec's text names its kernel, behind file and namespaces; undefined where it names another one. */
export function kernelNameSpan(text: string, name: string): Span | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, ["kernel"]);
  if (node?.type !== "string") return undefined;
  const found = /^"(?:[^"]*::)?([\w$]+)/.exec(text.slice(node.offset, node.offset + node.length));
  if (found?.[1] !== name) return undefined;
  const end = node.offset + found[0].length;
  return { start: end - name.length, end };
}

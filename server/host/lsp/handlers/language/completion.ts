import { shown } from "../../handshake/user-language";
import type { CompletionItem, Position } from "vscode-languageserver";
import { nameAt } from "../../../../core/reference/call-site";
import type { ReferenceEntry } from "../../../../core/reference/entry";
import { referenceEntries } from "../../../../core/reference/tables";
import { tritonNames } from "../../../../core/language/triton/names";
import type { ServerContext } from "../../context";
import { bodyMarkdown, completionKind } from "../../views/reference-text";
import { explained, type ExplainedDocument, inCode } from "./known-name";

/** Names of CUDA, or members of `triton` and `triton.language`, that may stand at a place. */
export const nameCompletion = shown(
  (context: ServerContext, uri: string, position: Position): CompletionItem[] => {
    const source = explained(context, uri);
    if (source === undefined) return [];
    const offset = source.document.offsetAt(position);
    if (!inCode(source, offset)) return [];
    const typed = typedBefore(source.document.text, offset);
    return source.language === "cuda" ? cudaItems(typed) : tritonItems(source, typed);
  },
);

/** The dotted name before a place: `tl.`, `threadIdx.x`, `__sh`. */
function typedBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - 200), offset);
  if (before.endsWith(".")) return /(?:[A-Za-z_]\w*\.)+$/.exec(before)?.[0] ?? "";
  return nameAt(before, before.length)?.name ?? "";
}

const extents = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]);

function cudaItems(typed: string): CompletionItem[] {
  const [object, member] = typed.split(".");
  if (object === undefined || typed === "") return [];
  if (member === undefined) return referenceEntries("cuda").map((entry) => itemOf(entry, entry.name));
  if (!extents.has(object)) return [];
  return ["x", "y", "z"].map((label) => ({
    label,
    kind: completionKind({ name: label, kind: "variable", about: "" }),
  }));
}

function tritonItems({ document }: ExplainedDocument, typed: string): CompletionItem[] {
  const root = document.parsed()?.tree.root;
  const dot = typed.lastIndexOf(".");
  if (root === undefined || dot < 0) return [];
  const home = tritonNames(root)
    .canonical(`${typed.slice(0, dot)}.x`)
    ?.replace(/x$/, "");
  if (home === undefined) return [];
  return referenceEntries("triton")
    .filter(({ name }) => name.startsWith(home))
    .map((entry) => itemOf(entry, entry.name.slice(home.length)));
}

function itemOf(entry: ReferenceEntry, label: string): CompletionItem {
  return {
    label,
    kind: completionKind(entry),
    ...(entry.signatures?.[0] === undefined ? {} : { detail: entry.signatures[0] }),
    documentation: { kind: "markdown", value: bodyMarkdown(entry) },
  };
}

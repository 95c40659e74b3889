import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type CopiedView, methodCall } from "./copied-view";

/** The tensor whose elements repeat as a whole: `bias` of `bias[None, :].expand(n, -1)`. */
export function repeatedWhole({ viewed }: CopiedView): SyntaxNode | undefined {
  const call = methodCall(viewed);
  if (call === undefined) return undefined;
  const { object, method } = call;
  if (method === "repeat" || method === "tile") return isPlain(object) ? object : undefined;
  if (!/^(?:expand|expand_as|broadcast_to)$/.test(method)) return undefined;
  const inner = methodCall(object);
  const leading = inner?.method === "unsqueeze" && compact(inner.given[0]) === "0" ? inner.object : undefined;
  const base = leading ?? withoutLeadingNone(object) ?? object;
  return isPlain(base) ? base : undefined;
}

/** `bias` of `bias[None]` and of `bias[None, :]`. */
function withoutLeadingNone(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "subscript") return undefined;
  const written = node.childrenForFieldName("subscript").map(({ text }) => text);
  const kept = written.findIndex((text) => text !== "None");
  const rest = kept < 0 ? [] : written.slice(kept);
  return kept !== 0 && rest.every((text) => text === ":")
    ? (node.childForFieldName("value") ?? undefined)
    : undefined;
}

/** Dimensions along which the text shows that all elements are the same: those that `None` has made. */
export function repeatedDimensions({ viewed }: CopiedView): ReadonlySet<number> {
  const call = methodCall(viewed);
  const object = call && /^(?:expand|expand_as|broadcast_to)$/.test(call.method) ? call.object : undefined;
  if (object?.type !== "subscript") return new Set();
  const parts = object.childrenForFieldName("subscript");
  if (parts.some(({ text }) => text !== "None" && text !== ":")) return new Set();
  return new Set(parts.flatMap(({ text }, place) => (text === "None" ? [place] : [])));
}

/** A name, or a member of one. */
function isPlain(node: SyntaxNode): boolean {
  return /^[A-Za-z_][\w.]*$/.test(node.text);
}

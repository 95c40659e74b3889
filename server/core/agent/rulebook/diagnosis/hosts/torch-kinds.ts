import type { SyntaxNode } from "../../../../language/tree";
import table from "./torch-kinds.json";

/** An operation of torch around a launch, which reads and writes whole tensors. */
export interface TorchCall {
  readonly kind: "copies" | "casts" | "others";
  readonly node: SyntaxNode;
  /** True where it is part of what was run; its callers and extensions are read alone. */
  readonly measured: boolean;
}

const names = Object.entries(table).map(([group, list]) => [group, new Set(list)] as const);

/** The group of torch-kinds.json that a function or method of torch is in. */
export function groupOf(method: string): string | undefined {
  return names.find(([, list]) => list.has(method))?.[0];
}

/** What a method does with a tensor; undefined where it moves nothing through memory. */
export function kindOfMethod(
  method: string,
  asks: { readonly moved: () => boolean; readonly converts: () => boolean },
): TorchCall["kind"] | undefined {
  const group = groupOf(method);
  if (group === "moves") return asks.moved() ? "copies" : undefined;
  if (group === "conversions") return asks.converts() ? "casts" : undefined;
  return group === "copies" || group === "casts" || group === undefined ? group : "others";
}

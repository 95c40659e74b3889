import { compact, fieldText } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type CopiedView, methodCall } from "./copied-view";

/** `k.repeat_interleave(groups, dim=1)`: each part along a dimension several times, one after the other. */
export interface Interleaved {
  readonly base: SyntaxNode;
  readonly times: string;
  /** Counted from the front, or from behind where it is less than 0; undefined for single elements. */
  readonly dimension: number | undefined;
}

/** Reads a copy as such a repetition. */
export function interleavedOf({ viewed }: CopiedView): Interleaved | undefined {
  const call = methodCall(viewed);
  if (call?.method !== "repeat_interleave") return undefined;
  const named = (name: string): string | undefined => {
    const found = call.given.find((node) => fieldText(node, "name") === name);
    return found && fieldText(found, "value");
  };
  const [first, second] = call.given.filter(({ type }) => type !== "keyword_argument");
  const times = named("repeats") ?? first?.text;
  const dimension = named("dim") ?? (named("repeats") === undefined ? second : first)?.text;
  if (times === undefined || (dimension !== undefined && !/^-?\d+$/.test(dimension))) return undefined;
  return {
    base: call.object,
    times,
    dimension: dimension === undefined ? undefined : Number(dimension),
  };
}

/** How many elements of the tensor lie behind each other for each part that is repeated. */
export function partLength(name: string, { dimension }: Interleaved): string {
  if (dimension === undefined || dimension === -1) return "1";
  return dimension === -2 ? `${name}.shape[-1]` : `${name}.shape[${dimension + 1}:].numel()`;
}

/** `NAME.stride(0)` of the repetition, by the shape of what is repeated; undefined where it is not known. */
export function strideOf(name: string, call: SyntaxNode, of: Interleaved): string | undefined {
  const { dimension = -1, times } = of;
  const asked = compact(call.childForFieldName("arguments")).slice(1, -1);
  if (asked === "-1") return "1";
  const place = Number(asked);
  if (!/^-?\d+$/.test(asked) || place < 0 !== dimension < 0) return undefined;
  const length = `${name}.shape[${place + 1}:].numel()`;
  return place < dimension ? `${length} * (${times})` : length;
}

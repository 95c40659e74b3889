import { compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** `x.reshape(-1, n).to(torch.float32).contiguous()`: a copy in single precision. */
export interface Widening {
  /** `.to(torch.float32)` with what it is called on. */
  readonly call: SyntaxNode;
  /** What is converted. */
  readonly converted: SyntaxNode;
  /** The tensor that the chain begins with; undefined where that is more than a name. */
  readonly root: string | undefined;
  /** True where another call of the chain makes the elements lie in their order. */
  readonly ordered: boolean;
}

const shapes = new Set([
  ...["reshape", "view", "flatten", "contiguous", "squeeze", "unsqueeze", "detach"],
  ...["t", "transpose", "permute", "movedim", "swapaxes"],
]);

/** The only conversion to float32 in a chain of methods that change no values; undefined for other values. */
export function wideningIn(value: SyntaxNode): Widening | undefined {
  let at: SyntaxNode = value;
  let found: Omit<Widening, "root"> | undefined;
  let ordered = false;
  while (at.type === "call") {
    const callee: SyntaxNode | null = at.childForFieldName("function");
    const object: SyntaxNode | null =
      callee?.type === "attribute" ? callee.childForFieldName("object") : null;
    const name = callee?.childForFieldName("attribute")?.text ?? "";
    if (object === null) return undefined;
    if (isSingle(name, at)) {
      if (found !== undefined) return undefined;
      found = { call: at, converted: object, ordered: ordered || isOrdered(object) };
    } else if (!shapes.has(name)) return undefined;
    else ordered ||= name === "contiguous";
    at = object;
  }
  return found && { ...found, root: at.type === "identifier" ? at.text : undefined };
}

/** True for `x.transpose(1, 2).contiguous()`. */
function isOrdered(node: SyntaxNode): boolean {
  return /\.contiguous\(\)$/.test(compact(node));
}

/** `.float()`, `.to(torch.float32)`, `.to(dtype=torch.float32)`, `.type(torch.float32)`. */
function isSingle(name: string, call: SyntaxNode): boolean {
  const given = compact(call.childForFieldName("arguments"));
  if (name === "float") return given === "()";
  return (name === "to" || name === "type") && /^\((?:dtype=)?torch\.float(?:32)?\)$/.test(given);
}

/** The type that `name.to(TYPE)` asks for, where a use is what it is called on; undefined for another use. */
export function typeAskedOf(use: SyntaxNode): SyntaxNode | undefined {
  const attribute = use.parent?.type === "attribute" ? use.parent : undefined;
  const call = attribute?.parent;
  if (attribute?.childForFieldName("object")?.id !== use.id || call?.type !== "call") return undefined;
  if (attribute.childForFieldName("attribute")?.text !== "to") return undefined;
  const [only, ...more] = partsOf(call.childForFieldName("arguments"));
  if (only === undefined || more.length > 0) return undefined;
  return only.type === "keyword_argument" ? (only.childForFieldName("value") ?? undefined) : only;
}

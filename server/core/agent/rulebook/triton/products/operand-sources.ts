import { compact, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, positional, type TritonView } from "../kernel";

/** What an operand of a product is made of. */
interface OperandSources {
  /** Loads that it is computed from. */
  readonly loads: readonly SyntaxNode[];
  /** True where it is made, or computed with, in single precision. */
  readonly wide: boolean;
}

/** Names that are followed into each other at most. */
const DEPTH = 10;

/**
 * Follows an operand through names, calls and arithmetic to what it is loaded from. A conversion to anything
 * but float32 ends it: such an operand has the type that was asked for.
 */
export function operandSources(view: TritonView, operand: SyntaxNode): OperandSources {
  const loads = new Map<number, SyntaxNode>();
  let wide = false;
  const seen = new Set<number>();
  const follow = (given: SyntaxNode, depth: number): void => {
    const node = unwrapped(given);
    if (depth > DEPTH || seen.has(node.id)) return;
    seen.add(node.id);
    if (isCallOf(view, node, "load")) {
      loads.set(node.id, node);
      return;
    }
    const asked = conversionIn(node);
    if (asked !== undefined) {
      if (!/(?:^|\.)float32$/.test(compact(asked.type))) return;
      wide = true;
      follow(asked.of, depth + 1);
      return;
    }
    if (isMade(view, node)) wide = true;
    for (const part of followedFrom(view, node)) follow(part, depth + 1);
  };
  follow(operand, 0);
  return { loads: [...loads.values()], wide };
}

/** Functions whose results are float32, whatever they are made of. */
const single = ["exp", "exp2", "log", "log2", "sigmoid", "softmax", "sqrt", "rsqrt", "sin", "cos", "div_rn"];

function isMade(view: TritonView, node: SyntaxNode): boolean {
  return single.some((name) => isCallOf(view, node, name));
}

/** What a node's value comes from: all that a name is given, arguments, both sides of an operator. */
function followedFrom(view: TritonView, node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "identifier")
    return view.body
      .descendantsOfType(["assignment", "augmented_assignment"])
      .filter((act) => act.childForFieldName("left")?.text === node.text)
      .flatMap((act) => act.childForFieldName("right") ?? []);
  if (node.type === "call") return isCallOf(view, node, "dot") ? [] : positional(node);
  if (node.type === "subscript") return partsOf(node).slice(0, 1);
  return /operator$|^conditional_expression$/.test(node.type) ? partsOf(node) : [];
}

/** `x.to(TYPE)`, `tl.cast(x, TYPE)`. */
export function conversionIn(
  node: SyntaxNode,
): { readonly of: SyntaxNode; readonly type: SyntaxNode } | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  if (callee?.type !== "attribute") return undefined;
  const name = callee.childForFieldName("attribute")?.text;
  const [first, second] = positional(node);
  const object = callee.childForFieldName("object");
  if (name === "to" && object && first) return { of: object, type: first };
  return name === "cast" && first && second ? { of: first, type: second } : undefined;
}

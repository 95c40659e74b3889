import { compact, fieldText, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** A condition that leaves every other thread without work. */
export interface WantedParity {
  readonly node: SyntaxNode;
  /** What is added up before it is asked whether it is odd; the signs do not matter. */
  readonly addends: readonly SyntaxNode[];
  /** What the sum leaves when it is divided by two, for threads with work; one more where `isOther`. */
  readonly wanted: SyntaxNode | 0 | 1;
  readonly isOther: boolean;
}

/** `if (((x + y) & 1) != colour) return;`, and all that a kernel does last under the opposite condition. */
export function wantedParity(view: KernelView): WantedParity | undefined {
  const statements = partsOf(view.body);
  for (const node of statements.filter(({ type }) => type === "if_statement")) {
    if (node.childForFieldName("alternative") !== null) continue;
    const leaves = /^\{?return;\}?$/.test(compact(node.childForFieldName("consequence")));
    if (!leaves && node.id !== statements.at(-1)?.id) continue;
    const clause = node.childForFieldName("condition");
    const condition = clause?.childForFieldName("value") ?? clause;
    if (!condition) continue;
    for (const part of operands(condition, leaves ? "||" : "&&")) {
      const found = parityAsked(view, part, leaves);
      if (found !== undefined) return { node, ...found };
    }
  }
  return undefined;
}

type Asked = Omit<WantedParity, "node">;

/** `leaves`: threads for which the condition holds have no work. */
function parityAsked(view: KernelView, part: SyntaxNode, leaves: boolean): Asked | undefined {
  const inner = unwrapped(meant(view, unwrapped(part)));
  const operator = fieldText(inner, "operator");
  const bare = addendsOf(view, inner);
  if (bare !== undefined) return { addends: bare, wanted: leaves ? 0 : 1, isOther: false };
  if (inner.type === "unary_expression" && operator === "!") {
    const turned = parityAsked(view, inner.childForFieldName("argument") ?? inner, leaves);
    return turned && { ...turned, isOther: !turned.isOther };
  }
  if (operator !== "==" && operator !== "!=") return undefined;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (left === null || right === null) return undefined;
  const isOther = (operator === "==") === leaves;
  const [one, other] = [addendsOf(view, left), addendsOf(view, right)];
  if (one !== undefined) return { addends: one, wanted: right, isOther };
  return other && { addends: other, wanted: left, isOther };
}

/** What is added up in `(x + y) & 1` or `(x + y) % 2`. */
function addendsOf(view: KernelView, node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const inner = unwrapped(meant(view, unwrapped(node)));
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const base = { "&": "1", "%": "2" }[fieldText(inner, "operator")];
  const isDigit = base !== undefined && right?.text.replace(/[uUlL]+$/, "") === base;
  return isDigit && left !== null ? sumOf(left) : undefined;
}

function sumOf(node: SyntaxNode): readonly SyntaxNode[] {
  const inner = unwrapped(node);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const isSum = inner.type === "binary_expression" && /^[-+]$/.test(fieldText(inner, "operator"));
  return isSum && left !== null && right !== null ? [...sumOf(left), ...sumOf(right)] : [inner];
}

/** What a local stands for. */
function meant(view: KernelView, node: SyntaxNode): SyntaxNode {
  const meaning = node.type === "identifier" ? view.scope.meaning(node.text) : undefined;
  return typeof meaning === "object" ? meaning : node;
}

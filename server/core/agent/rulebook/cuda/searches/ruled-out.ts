import { compact, enclosing, fieldText, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** A comparison that decides whether a loop goes on: of an element with a value. */
export interface ElementComparison {
  readonly comparison: SyntaxNode;
  readonly element: SyntaxNode;
  /** The loop ends where it holds, else it goes on there. */
  readonly ends: boolean;
}

/**
 * The number of elements of an array whose last one a value is known to lie below where the loop stands:
 * `if (x >= a[n - 1]) … else` around it, or a way out in front of it. Undefined where nothing says so.
 */
export function countBelowLast(loop: SyntaxNode, compared: ElementComparison): string | undefined {
  for (const condition of conditionsThatFailed(loop)) {
    const count = countIn(condition, compared);
    if (count !== undefined) return count;
  }
  return undefined;
}

/** Conditions that do not hold where a node stands. */
function conditionsThatFailed(node: SyntaxNode): readonly SyntaxNode[] {
  const failed: SyntaxNode[] = [];
  for (
    let inner = node;
    inner.parent !== null && inner.type !== "function_definition";
    inner = inner.parent
  ) {
    const { parent } = inner;
    const branch = parent.type === "else_clause" ? enclosing(parent, "if_statement") : parent;
    const other = branch?.type === "if_statement" ? branch.childForFieldName("alternative") : null;
    if (branch !== undefined && other !== null && isInside(inner, other)) failed.push(...conditionOf(branch));
    if (parent.type !== "compound_statement") continue;
    const before = partsOf(parent).filter(({ endIndex }) => endIndex <= inner.startIndex);
    failed.push(...before.filter(leaves).flatMap(conditionOf));
  }
  return failed;
}

function conditionOf(branch: SyntaxNode): readonly SyntaxNode[] {
  const condition = branch.childForFieldName("condition");
  return condition === null ? [] : [unwrapped(condition.childForFieldName("value") ?? condition)];
}

/** An `if` without an `else` that ends with a return. */
function leaves(node: SyntaxNode): boolean {
  if (node.type !== "if_statement" || node.childForFieldName("alternative") !== null) return false;
  const done = node.childForFieldName("consequence");
  const last = done?.type === "compound_statement" ? partsOf(done).at(-1) : done;
  return last?.type === "return_statement";
}

function countIn(condition: SyntaxNode, compared: ElementComparison): string | undefined {
  const [asked, own] = [sidesOf(condition), sidesOf(compared.comparison)];
  if (asked === undefined || own === undefined) return undefined;
  const isOwnLeft = isInside(compared.element, own.left);
  const [element, value] = isOwnLeft ? [own.left, own.right] : [own.right, own.left];
  const isValueLeft = compact(asked.left) === compact(value);
  if (!isValueLeft && compact(asked.right) !== compact(value)) return undefined;
  if (asked.operator.startsWith(">") !== isValueLeft) return undefined;
  // Where equal elements are passed, the last one has to be greater.
  const passesEqual = own.operator.endsWith("=") !== compared.ends;
  if (passesEqual && !asked.operator.endsWith("=")) return undefined;
  const place = compact(compared.element.childForFieldName("indices"));
  return countOfLast(compact(element).split(place), compact(isValueLeft ? asked.right : asked.left));
}

/** Both sides of a comparison. */
interface Sides {
  readonly operator: string;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

/** The sides of a comparison by size; undefined of anything else. */
export function sidesOf(comparison: SyntaxNode): Sides | undefined {
  return sidesBy(comparison, /^[<>]=?$/);
}

/** The sides of `==`. */
export function equalSides(comparison: SyntaxNode): Sides | undefined {
  return sidesBy(comparison, /^==$/);
}

function sidesBy(comparison: SyntaxNode, operators: RegExp): Sides | undefined {
  const [left, right] = ["left", "right"].map((side) => comparison.childForFieldName(side));
  const operator = fieldText(comparison, "operator");
  return left && right && operators.test(operator) ? { operator, left, right } : undefined;
}

/** `n` of `rows[n-1].heat` where the loop reads `rows[…].heat`. */
function countOfLast([before, behind, ...more]: readonly string[], last: string): string | undefined {
  if (before === undefined || behind === undefined || more.length > 0) return undefined;
  if (!last.startsWith(`${before}[`) || !last.endsWith(`]${behind}`)) return undefined;
  const index = last.slice(before.length + 1, last.length - behind.length - 1);
  return /^(.+)-1$/.exec(index)?.[1];
}

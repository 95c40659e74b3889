import { operands, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/**
 * Tells which expressions of straight code have the same value: each name stands for what it was last given,
 * sums and products are told whatever their order.
 */
export class Numbering {
  private readonly values = new Map<string, string>();
  private changes = 0;

  /** `positions` are worth 0. */
  constructor(private readonly positions: readonly SyntaxNode[]) {}

  /** The value of an expression, the same text for the same value. */
  of(node: SyntaxNode): string {
    if (this.positions.some(({ id }) => id === node.id)) return "";
    if (node.type === "identifier") return this.values.get(node.text) ?? node.text;
    if (node.type === "parenthesized_expression") return this.of(partsOf(node)[0] ?? node);
    const operator = node.type === "binary_operator" ? node.childForFieldName("operator")?.text : undefined;
    if (operator === "+" || operator === "*") return this.ofTerms(node, operator);
    if (node.type === "attribute" || node.type === "keyword_argument") return this.ofNamed(node);
    if (node.children.length === 0 || node.type === "string") return node.text;
    return node.children.map((child) => (child.isNamed ? this.of(child) : child.text)).join(" ");
  }

  private ofTerms(node: SyntaxNode, operator: string): string {
    const terms = operands(node, operator).flatMap((term) => this.termsOf(term, operator));
    return `(${terms
      .filter((term) => term !== "")
      .sort()
      .join(operator)})`;
  }

  /** `x.to`, `mask=x`: the name of a member or an argument is no name of a value. */
  private ofNamed(node: SyntaxNode): string {
    const [first, second] = partsOf(node);
    if (first === undefined || second === undefined) return node.text;
    return node.type === "attribute"
      ? `${this.of(first)}.${second.text}`
      : `${first.text}=${this.of(second)}`;
  }

  /** The terms behind a name that is a sum itself. */
  private termsOf(term: SyntaxNode, operator: string): readonly string[] {
    const value = this.of(term);
    const inner = /^\((.*)\)$/.exec(value)?.[1];
    return operator === "+" && inner !== undefined && !/[()]/.test(inner) && !inner.includes("*")
      ? inner.split("+")
      : [value];
  }

  /** A name is given the value of an expression. */
  give(name: string, value: string): void {
    this.values.set(name, value);
  }

  /** What a name is worth is not known any more. */
  forget(name: string): void {
    this.changes += 1;
    this.values.set(name, `${name}#${this.changes}`);
  }

  valueOf(name: string): string | undefined {
    return this.values.get(name);
  }
}

import type { KernelFacts, SourceSymbol } from "../facts";
import { fieldText, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";

/**
 * Outline of a Python file that holds Triton kernels: the kernels and the constants they may use; Python
 * itself is another server's work.
 */
export function findSymbols(root: SyntaxNode, kernels: readonly KernelFacts[]): readonly SourceSymbol[] {
  if (kernels.length === 0) return [];
  const symbols: SourceSymbol[] = kernels.map((kernel) => ({
    name: kernel.name,
    detail: `@triton.jit (${kernel.parameters.map((parameter) => parameter.name).join(", ")})`,
    kind: "kernel",
    range: kernel.range,
    nameRange: kernel.nameRange,
  }));
  for (const statement of root.namedChildren) {
    const assignment = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : undefined;
    const type = fieldText(assignment, "type");
    if (
      assignment === undefined ||
      left?.type !== "identifier" ||
      !/constexpr/.test(`${type} ${fieldText(assignment, "right")}`)
    )
      continue;
    symbols.push({
      name: left.text,
      detail: "constexpr",
      kind: "constant",
      range: rangeOf(statement),
      nameRange: rangeOf(left),
    });
  }
  return symbols.sort((a, b) => a.range.start.line - b.range.start.line);
}

import type { KernelFacts, SourceSymbol } from "../facts";
import { collapse, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { outerNodes } from "./definitions";
import { functionDeclarator } from "./kernels";

/** Outline of a CUDA text: kernels, other functions, types and namespaces, in source order. */
export function findSymbols(root: SyntaxNode, kernels: readonly KernelFacts[]): readonly SourceSymbol[] {
  const symbols: SourceSymbol[] = kernels.map((kernel) => ({
    name: kernel.name,
    detail: `__global__ (${kernel.parameters.map((parameter) => `${parameter.type} ${parameter.name}`).join(", ")})`,
    kind: "kernel",
    range: kernel.range,
    nameRange: kernel.nameRange,
  }));
  const taken = new Set(
    kernels.map((kernel) => `${kernel.nameRange.start.line}:${kernel.nameRange.start.character}`),
  );
  for (const { node } of outerNodes(root)) {
    const symbol = symbolTypes.has(node.type) ? symbolOf(node) : undefined;
    if (
      symbol !== undefined &&
      !taken.has(`${symbol.nameRange.start.line}:${symbol.nameRange.start.character}`)
    )
      symbols.push(symbol);
  }
  return symbols.sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}

const symbolTypes = new Set([
  "function_definition",
  "struct_specifier",
  "class_specifier",
  "namespace_definition",
]);

function symbolOf(node: SyntaxNode): SourceSymbol | undefined {
  if (node.childForFieldName("body") === null) return undefined;
  if (node.type === "function_definition") {
    const declarator = functionDeclarator(node);
    const name = declarator?.childForFieldName("declarator");
    if (declarator === undefined || !name) return undefined;
    const qualifier = node.children.find((child) => child.type === "__device__" || child.type === "__host__");
    return {
      name: collapse(name.text),
      detail: qualifier?.type ?? "",
      kind: "function",
      range: rangeOf(node),
      nameRange: rangeOf(name),
    };
  }
  const name = node.childForFieldName("name");
  if (name === null) return undefined;
  return {
    name: collapse(name.text),
    detail: "",
    kind: node.type === "namespace_definition" ? "namespace" : "type",
    range: rangeOf(node),
    nameRange: rangeOf(name),
  };
}

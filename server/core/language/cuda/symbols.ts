import { movedDown, type Position } from "../../base/text";
import type { KernelFacts, SourceSymbol } from "../facts";
import { collapse, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { type FileMemory, ofParts, outerNodes } from "./definitions";
import { functionDeclarator } from "./kernels";

/** Outline of a CUDA text: kernels, other functions, types and namespaces, in source order. */
export function findSymbols(
  root: SyntaxNode,
  kernels: readonly KernelFacts[],
  memory?: SymbolMemory,
): readonly SourceSymbol[] {
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
  for (const symbol of symbolsOf(root, memory)) {
    if (!taken.has(`${symbol.nameRange.start.line}:${symbol.nameRange.start.character}`))
      symbols.push(symbol);
  }
  return symbols.sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}

/** What each part of a file is in its outline, for the next version. */
export type SymbolMemory = FileMemory<readonly SourceSymbol[]>;

/** Functions (kernels among them), types and namespaces. */
function symbolsOf(root: SyntaxNode, memory: SymbolMemory | undefined): readonly SourceSymbol[] {
  const nodes = outerNodes(root).flatMap(({ node }) => (symbolTypes.has(node.type) ? [node] : []));
  const all = ofParts(nodes, { memory, context: "" }, (node) => [symbolOf(node) ?? []].flat());
  return all.flatMap(({ found, lines }) =>
    found.map((symbol) => ({
      ...symbol,
      range: movedDown(symbol.range, lines),
      nameRange: movedDown(symbol.nameRange, lines),
    })),
  );
}

/** The function of a name that is no kernel. */
export function findFunction(
  root: SyntaxNode,
  name: string,
  kernels: readonly KernelFacts[],
): SourceSymbol | undefined {
  const named = outerNodes(root).filter(
    ({ node }) => node.type === "function_definition" && node.text.includes(name),
  );
  return named
    .flatMap(({ node }) => symbolOf(node) ?? [])
    .find(
      (symbol) =>
        symbol.name === name &&
        !kernels.some(({ nameRange: { start } }) => isSame(start, symbol.nameRange.start)),
    );
}

function isSame(one: Position, other: Position): boolean {
  return one.line === other.line && one.character === other.character;
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

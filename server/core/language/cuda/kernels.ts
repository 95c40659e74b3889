import type { KernelFacts, LaunchBounds, ParameterFacts } from "../facts";
import { collapse, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { outerNodes, type PlacedNode } from "./definitions";

/**
 * Kernels of a CUDA text in source order: definitions marked `__global__`, directly or by a macro that stands
 * for it. Prototypes do not count.
 */
export function findKernels(root: SyntaxNode): readonly KernelFacts[] {
  return kernelsAmong(outerNodes(root));
}

/** The same from the nodes of a file when these are at hand already. */
function kernelsAmong(nodes: readonly PlacedNode[]): readonly KernelFacts[] {
  const macros = nodes
    .filter(({ node }) => node.type === "preproc_def")
    .filter(({ node }) => /\b__global__\b/.test(node.childForFieldName("value")?.text ?? ""))
    .map(({ node }) => node.childForFieldName("name")?.text ?? "");
  const kernels = nodes.flatMap((placed) => kernelsOf(placed, macros));
  return kernels.filter((kernel, index) => kernels.findIndex((other) => sameStart(other, kernel)) === index);
}

function sameStart(a: KernelFacts, b: KernelFacts): boolean {
  return (
    a.nameRange.start.line === b.nameRange.start.line &&
    a.nameRange.start.character === b.nameRange.start.character
  );
}

function kernelsOf(placed: PlacedNode, macros: readonly string[]): readonly KernelFacts[] {
  const { node } = placed;
  if (node.type === "__global__") return salvagedKernel(node);
  if (node.type !== "function_definition") return node.hasError ? kernelsInside(node) : [];
  const marked =
    node.children.some((child) => child.type === "__global__") ||
    macros.includes(node.childForFieldName("type")?.text ?? "");
  return [...(marked ? kernelOf(placed) : []), ...(node.hasError ? kernelsInside(node) : [])];
}

/** Kernels that a region which does not parse has swallowed. */
function kernelsInside(region: SyntaxNode): readonly KernelFacts[] {
  return region.descendantsOfType("__global__").flatMap((mark) => {
    const holder = mark.parent;
    if (holder === null || holder.id === region.id) return [];
    return holder.type === "function_definition"
      ? kernelOf({ node: holder, scopes: [], externC: false, template: undefined })
      : holder.isError
        ? salvagedKernel(mark)
        : [];
  });
}

/** A region that does not parse may put anything where a name should stand. */
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function kernelOf({ node: definition, scopes, externC, template }: PlacedNode): readonly KernelFacts[] {
  const declarator = functionDeclarator(definition);
  const body = definition.childForFieldName("body");
  const nameNode = declarator?.childForFieldName("declarator");
  if (declarator === undefined || body === null || !nameNode) return [];
  const name = lastName(nameNode);
  if (!identifier.test(name)) return [];
  return [
    {
      name,
      qualifiedName: [...scopes, collapse(nameNode.text).replace(/<.*$/, "")].join("::"),
      dialect: "cuda",
      nameRange: rangeOf(nameNode),
      range: rangeOf(template ?? definition),
      bodyRange: rangeOf(body),
      parameters: parametersOf(declarator),
      templateParameters: template === undefined ? [] : templateParametersOf(template),
      launchBounds: launchBoundsOf(definition),
      externC,
      autotune: [],
      heuristics: {},
      damaged: definition.hasError,
    },
  ];
}

/** `__global__ … name(` as text: what stands before the parameters of a kernel. */
const headOfKernel = /^__global__\b(?:[^;{}()]|__launch_bounds__\s*\([^()]*\))*?([A-Za-z_]\w*)\s*\(/;

/**
 * A kernel in a region that does not parse: found by its head alone, so that the lens stays while the user
 * types.
 */
function salvagedKernel(mark: SyntaxNode): readonly KernelFacts[] {
  const holder = mark.parent;
  const rest = holder?.text.slice(mark.startIndex - holder.startIndex) ?? "";
  const match = headOfKernel.exec(rest);
  const name = match?.[1];
  if (match === null || name === undefined) return [];
  const before = rest.slice(0, match[0].lastIndexOf(name)).split("\n");
  const last = before.at(-1) ?? "";
  const line = mark.startPosition.row + before.length - 1;
  const character = before.length === 1 ? mark.startPosition.column + last.length : last.length;
  const nameRange = { start: { line, character }, end: { line, character: character + name.length } };
  const range = { start: rangeOf(mark).start, end: nameRange.end };
  return [
    {
      name,
      qualifiedName: name,
      dialect: "cuda",
      nameRange,
      range,
      bodyRange: range,
      parameters: [],
      templateParameters: [],
      externC: false,
      autotune: [],
      heuristics: {},
      damaged: true,
    },
  ];
}

/** The declarator with the parameters, behind pointers and references of the return type. */
export function functionDeclarator(definition: SyntaxNode): SyntaxNode | undefined {
  let innermost: SyntaxNode | undefined;
  for (
    let node = definition.childForFieldName("declarator");
    node !== null;
    node = node.childForFieldName("declarator")
  ) {
    if (node.type === "function_declarator") innermost = node;
  }
  return innermost;
}

/** `a::b<T>::name` → `name`. */
export function lastName(node: SyntaxNode): string {
  let current = node;
  for (let next = current.childForFieldName("name"); next !== null; next = current.childForFieldName("name"))
    current = next;
  return collapse(current.text).replace(/<.*$/, "");
}

const parameterTypes = new Set([
  "parameter_declaration",
  "optional_parameter_declaration",
  "variadic_parameter_declaration",
]);

/** Parameters of a function declarator. */
export function parametersOf(declarator: SyntaxNode): readonly ParameterFacts[] {
  const list = declarator.childForFieldName("parameters");
  return (list?.namedChildren ?? []).filter((child) => parameterTypes.has(child.type)).map(parameterOf);
}

function parameterOf(parameter: SyntaxNode): ParameterFacts {
  const declarator = parameter.childForFieldName("declarator");
  const chain = declarator === null ? [] : declaratorChain(declarator);
  const nameNode = chain.find((node) => node.type === "identifier");
  const defaultValue =
    parameter.type === "optional_parameter_declaration" ? parameter.childForFieldName("default_value") : null;
  const start = parameter.startIndex;
  const full = parameter.text
    .slice(0, defaultValue === null ? undefined : defaultValue.startIndex - start)
    .replace(/=\s*$/, "");
  const name = nameNode?.text ?? "";
  const nameAt = nameNode === undefined ? full.length : nameNode.startIndex - start;
  const type = collapse(`${full.slice(0, nameAt)}${full.slice(nameAt + name.length)}`);
  const pointer =
    chain.some((node) => /pointer_declarator$|array_declarator$/.test(node.type)) &&
    !chain.some((node) => node.type.endsWith("function_declarator"));
  return {
    name,
    type,
    pointer,
    readOnly: pointer && pointsToConst(type),
    constexpr: false,
    ...(defaultValue === null ? {} : { defaultValue: collapse(defaultValue.text) }),
  };
}

/** A declarator with those inside of it, down to the name. */
function declaratorChain(declarator: SyntaxNode): readonly SyntaxNode[] {
  const chain = [declarator];
  for (let current = declarator; current.type !== "identifier"; chain.push(current)) {
    const inner =
      current.childForFieldName("declarator") ??
      current.namedChildren.find((child) => /declarator$|^identifier$/.test(child.type));
    if (!inner) break;
    current = inner;
  }
  return chain;
}

/** `const float*` and `float const*` are read-only, `float* const` is not. */
function pointsToConst(type: string): boolean {
  const pointed = type.split(/[*[]/)[0] ?? "";
  return /\bconst\b/.test(pointed);
}

function templateParametersOf(template: SyntaxNode): KernelFacts["templateParameters"] {
  const list = template.childForFieldName("parameters");
  return (list?.namedChildren ?? [])
    .filter((child) => /parameter_declaration$/.test(child.type))
    .map((child) => {
      const ofType =
        /type_parameter_declaration$/.test(child.type) ||
        child.type === "template_template_parameter_declaration";
      const name = ofType
        ? child.descendantsOfType("type_identifier")[0]?.text
        : child.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
      return { name: name ?? "", kind: ofType ? "type" : "value", text: collapse(child.text) };
    });
}

function launchBoundsOf(definition: SyntaxNode): LaunchBounds | undefined {
  const [maxThreads, minBlocks] =
    definition.children.find((child) => child.type === "launch_bounds")?.namedChildren ?? [];
  if (maxThreads === undefined) return undefined;
  return {
    maxThreads: collapse(maxThreads.text),
    ...(minBlocks === undefined ? {} : { minBlocks: collapse(minBlocks.text) }),
  };
}

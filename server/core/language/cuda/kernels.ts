import type { KernelFacts, LaunchBounds, ParameterFacts } from "../facts";
import { collapse, enclosing, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";

/** Kernels of a CUDA text in source order: definitions marked `__global__`, directly or by a macro that stands for it. Prototypes do not count. */
export function findKernels(root: SyntaxNode): readonly KernelFacts[] {
  const definitions = new Map<number, SyntaxNode>();
  for (const mark of root.descendantsOfType("__global__")) {
    const holder = mark.parent;
    if (holder === null) continue;
    if (holder.type === "function_definition") definitions.set(holder.id, holder);
    else if (holder.isError) definitions.set(mark.id, mark);
  }
  for (const definition of markedByMacro(root)) definitions.set(definition.id, definition);
  const kernels = [...definitions.values()].map((node) => (node.type === "function_definition" ? kernelOf(node) : salvagedKernel(node)));
  return kernels.filter((kernel) => kernel !== undefined).sort((a, b) => a.nameRange.start.line - b.nameRange.start.line || a.nameRange.start.character - b.nameRange.start.character);
}

/** Function definitions whose type is an object-like macro with `__global__` in its value. */
function markedByMacro(root: SyntaxNode): readonly SyntaxNode[] {
  const macros = root
    .descendantsOfType("preproc_def")
    .filter((macro) => /\b__global__\b/.test(macro.childForFieldName("value")?.text ?? ""))
    .map((macro) => macro.childForFieldName("name")?.text ?? "");
  if (macros.length === 0) return [];
  return root
    .descendantsOfType("type_identifier")
    .filter((name) => macros.includes(name.text) && name.parent?.type === "function_definition")
    .flatMap((name) => name.parent ?? []);
}

function kernelOf(definition: SyntaxNode): KernelFacts | undefined {
  const declarator = functionDeclarator(definition);
  const body = definition.childForFieldName("body");
  if (declarator === undefined || body === null) return undefined;
  const nameNode = declarator.childForFieldName("declarator");
  if (nameNode === null) return undefined;
  const template = definition.parent?.type === "template_declaration" ? definition.parent : undefined;
  const name = lastName(nameNode);
  return {
    name,
    qualifiedName: [...namespacesOf(definition), collapse(nameNode.text).replace(/<.*$/, "")].join("::"),
    dialect: "cuda",
    nameRange: rangeOf(nameNode),
    range: rangeOf(template ?? definition),
    bodyRange: rangeOf(body),
    parameters: parametersOf(declarator),
    templateParameters: template === undefined ? [] : templateParametersOf(template),
    launchBounds: launchBoundsOf(definition),
    externC: enclosing(definition, "linkage_specification") !== undefined,
    autotune: [],
    heuristics: {},
    damaged: definition.hasError,
  };
}

/** `__global__ … name(` as text: what stands before the parameters of a kernel. */
const headOfKernel = /^__global__\b(?:[^;{}()]|__launch_bounds__\s*\([^()]*\))*?([A-Za-z_]\w*)\s*\(/;

/** A kernel in a region that does not parse: found by its head alone, so that the lens stays while the user types. */
function salvagedKernel(mark: SyntaxNode): KernelFacts | undefined {
  const holder = mark.parent;
  const rest = holder?.text.slice(mark.startIndex - holder.startIndex) ?? "";
  const match = headOfKernel.exec(rest);
  const name = match?.[1];
  if (match === null || name === undefined) return undefined;
  const before = rest.slice(0, match[0].lastIndexOf(name)).split("\n");
  const last = before.at(-1) ?? "";
  const line = mark.startPosition.row + before.length - 1;
  const character = before.length === 1 ? mark.startPosition.column + last.length : last.length;
  const nameRange = { start: { line, character }, end: { line, character: character + name.length } };
  const range = { start: rangeOf(mark).start, end: nameRange.end };
  return {
    name, qualifiedName: name, dialect: "cuda", nameRange, range, bodyRange: range,
    parameters: [], templateParameters: [], externC: false, autotune: [], heuristics: {}, damaged: true,
  };
}

function functionDeclarator(definition: SyntaxNode): SyntaxNode | undefined {
  let node = definition.childForFieldName("declarator");
  while (node !== null && node.type !== "function_declarator") node = node.childForFieldName("declarator");
  return node ?? undefined;
}

/** `a::b<T>::name` → `name`. */
export function lastName(node: SyntaxNode): string {
  let current = node;
  for (let next = current.childForFieldName("name"); next !== null; next = current.childForFieldName("name")) current = next;
  return collapse(current.text).replace(/<.*$/, "");
}

function namespacesOf(node: SyntaxNode): readonly string[] {
  const names: string[] = [];
  for (let current = node.parent; current !== null; current = current.parent) {
    if (current.type === "namespace_definition" || current.type === "struct_specifier" || current.type === "class_specifier") {
      const name = current.childForFieldName("name");
      if (name !== null) names.unshift(collapse(name.text));
    }
  }
  return names;
}

const parameterTypes = new Set(["parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"]);

/** Parameters of a function declarator. */
export function parametersOf(declarator: SyntaxNode): readonly ParameterFacts[] {
  const list = declarator.childForFieldName("parameters");
  return (list?.namedChildren ?? []).filter((child) => parameterTypes.has(child.type)).map(parameterOf);
}

function parameterOf(parameter: SyntaxNode): ParameterFacts {
  const declarator = parameter.childForFieldName("declarator");
  const nameNode = declarator === null ? undefined : innermost(declarator);
  const defaultValue = parameter.childForFieldName("default_value");
  const start = parameter.startIndex;
  const full = parameter.text.slice(0, defaultValue === null ? undefined : defaultValue.startIndex - start).replace(/=\s*$/, "");
  const name = nameNode?.text ?? "";
  const nameAt = nameNode === undefined ? full.length : nameNode.startIndex - start;
  const type = collapse(`${full.slice(0, nameAt)}${full.slice(nameAt + name.length)}`);
  const pointer = declarator !== null && declarator.descendantsOfType(["pointer_declarator", "abstract_pointer_declarator", "array_declarator", "abstract_array_declarator"]).length > 0
    && !declarator.text.includes("(");
  return {
    name, type, pointer, readOnly: pointer && pointsToConst(type), constexpr: false,
    ...(defaultValue === null ? {} : { defaultValue: collapse(defaultValue.text) }),
  };
}

/** `const float*` and `float const*` are read-only, `float* const` is not. */
function pointsToConst(type: string): boolean {
  const pointed = type.split(/[*[]/)[0] ?? "";
  return /\bconst\b/.test(pointed);
}

function innermost(declarator: SyntaxNode): SyntaxNode | undefined {
  return declarator.type === "identifier" ? declarator : declarator.descendantsOfType("identifier")[0];
}

function templateParametersOf(template: SyntaxNode): KernelFacts["templateParameters"] {
  const list = template.childForFieldName("parameters");
  return (list?.namedChildren ?? []).filter((child) => /parameter_declaration$/.test(child.type)).map((child) => {
    const ofType = /type_parameter_declaration$/.test(child.type) || child.type === "template_template_parameter_declaration";
    const name = ofType ? child.descendantsOfType("type_identifier")[0]?.text : child.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
    return { name: name ?? "", kind: ofType ? "type" : "value", text: collapse(child.text) };
  });
}

function launchBoundsOf(definition: SyntaxNode): LaunchBounds | undefined {
  const [maxThreads, minBlocks] = definition.children.find((child) => child.type === "launch_bounds")?.namedChildren ?? [];
  if (maxThreads === undefined) return undefined;
  return { maxThreads: collapse(maxThreads.text), ...(minBlocks === undefined ? {} : { minBlocks: collapse(minBlocks.text) }) };
}

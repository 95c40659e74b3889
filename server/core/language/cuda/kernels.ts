import { at, last } from "../../base/known";
import { movedDown, type Position } from "../../base/text";
import type { KernelFacts, LaunchBounds, ParameterFacts } from "../facts";
import type { PartMemory } from "../part-memory";
import { collapse, fieldText, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { isMacroMark, mayHoldKernel } from "./kernel-text";
import { hasPlacedMembers, outerNodes, partKey, type PlacedNode } from "./definitions";

/** A kernel with the nodes behind its facts. */
export interface CudaKernel {
  readonly facts: KernelFacts;
  readonly definition: SyntaxNode;
  readonly body: SyntaxNode;
  /** Parameters of its template, one for each entry of `facts.templateParameters`. */
  readonly templateParameters: readonly SyntaxNode[];
}

/**
 * A kernel of which only the head could be read, because its region does not parse: it has facts, but no
 * nodes.
 */
type SalvagedKernel = Pick<CudaKernel, "facts">;

/**
 * Kernels of a CUDA text in source order: definitions marked `__global__`, directly or by a macro that stands
 * for it. Prototypes do not count.
 */
export function cudaKernels(root: SyntaxNode): readonly (CudaKernel | SalvagedKernel)[] {
  return askKernels(root, undefined, "", (kernel) => kernel).map(({ answer }) => answer);
}

/** Facts of the kernels alone; those of definitions that are as they were are taken from the memory. */
export function findKernels(root: SyntaxNode, memory?: KernelMemory<KernelFacts>): readonly KernelFacts[] {
  return askKernels(root, memory, "", ({ facts }) => facts).map(({ answer, lines }) =>
    lines === 0 ? answer : factsMoved(answer, lines),
  );
}

/** What was asked about a kernel, and where its name stood then. */
interface Answered<Answer> {
  readonly name: Position;
  readonly answer: Answer;
}

/** What was asked about the kernels of one definition, on which line it stood then. */
interface AnsweredPart<Answer> {
  readonly line: number;
  readonly kernels: readonly Answered<Answer>[];
}

/** What was found out about the kernels of a file, for its next version. */
export type KernelMemory<Answer> = PartMemory<AnsweredPart<Answer>>;

/**
 * Asks about each kernel of a file, in source order. With a memory an answer may depend on the kernel's own
 * text and on the context alone; `lines` is by how many lines the kernel has moved down since it was given.
 */
export function askKernels<Answer>(
  root: SyntaxNode,
  memory: KernelMemory<Answer> | undefined,
  context: string,
  ask: (kernel: CudaKernel | SalvagedKernel) => Answer,
): readonly { readonly answer: Answer; readonly lines: number }[] {
  const { places, macros } = kernelPlaces(root);
  const find = (place: PlacedNode): AnsweredPart<Answer> => ({
    line: wholeOf(place).startPosition.row,
    kernels: kernelsOf(place, macros).map((kernel) => ({
      name: kernel.facts.nameRange.start,
      answer: ask(kernel),
    })),
  });
  const parts =
    memory?.of(places, `${macros.join()}\n${context}`, { keyOf: placeKey, find }) ?? places.map(find);
  const seen = new Set<string>();
  return places.flatMap((place, index) => {
    const { line, kernels } = at(parts, index);
    const lines = wholeOf(place).startPosition.row - line;
    // What does not parse may be met twice.
    return kernels.flatMap(({ name, answer }) => {
      const start = `${name.line + lines}:${name.character}`;
      if (seen.has(start)) return [];
      seen.add(start);
      return [{ answer, lines }];
    });
  });
}

/** Where kernels may be, and the macros that stand for their mark. */
function kernelPlaces(root: SyntaxNode): {
  readonly places: readonly PlacedNode[];
  readonly macros: readonly string[];
} {
  const nodes = outerNodes(root);
  const text = root.text;
  const mayHold = ({ startIndex, endIndex }: SyntaxNode): boolean =>
    mayHoldKernel(text.slice(startIndex - root.startIndex, endIndex - root.startIndex));
  const macros = nodes
    .filter(({ node }) => node.type === "preproc_def")
    .filter(({ node }) => /\b__global__\b/.test(fieldText(node, "value")))
    .map(({ node }) => fieldText(node, "name"));
  // To look into every function costs three times as much in a file of many.
  const places = nodes.filter(
    ({ node }) => macros.length > 0 || node.type !== "function_definition" || mayHold(node),
  );
  return { places, macros };
}

/** With the head of its template. */
function wholeOf({ node, template }: PlacedNode): SyntaxNode {
  return template ?? node;
}

/** What the facts of a definition depend on, wherever in the file it stands. */
function placeKey(place: PlacedNode): string | undefined {
  const key = place.node.type === "function_definition" ? partKey(wholeOf(place)) : undefined;
  const { scopes, externC } = place;
  // Most stand in no scope: their long keys are not copied.
  if (key === undefined || (scopes.length === 0 && !externC)) return key;
  return `${scopes.join("::")} ${String(externC)} ${key}`;
}

function factsMoved(facts: KernelFacts, lines: number): KernelFacts {
  const { nameRange, range, bodyRange } = facts;
  return {
    ...facts,
    nameRange: movedDown(nameRange, lines),
    range: movedDown(range, lines),
    bodyRange: movedDown(bodyRange, lines),
  };
}

type Found = readonly (CudaKernel | SalvagedKernel)[];

function kernelsOf(placed: PlacedNode, macros: readonly string[]): Found {
  const { node } = placed;
  if (node.type === "__global__") return salvagedKernel(node);
  if (node.type !== "function_definition")
    return node.hasError && !hasPlacedMembers(node) ? kernelsInside(node) : [];
  const marked =
    node.children.some((child) => child.type === "__global__") ||
    macros.includes(fieldText(node, "type")) ||
    isMacroMark(fieldText(node, "type"));
  return [...(marked ? kernelOf(placed) : []), ...(node.hasError ? kernelsInside(node) : [])];
}

/** Kernels that a region which does not parse has swallowed. */
function kernelsInside(region: SyntaxNode): Found {
  return region.descendantsOfType("__global__").flatMap((mark): Found => {
    const holder = mark.parent;
    if (holder === null || holder.id === region.id) return [];
    if (holder.type === "function_definition")
      return kernelOf({ node: holder, scopes: [], externC: false, template: undefined });
    return holder.isError ? salvagedKernel(mark) : [];
  });
}

/** A region that does not parse may put anything where a name should stand. */
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function kernelOf({ node: definition, scopes, externC, template }: PlacedNode): readonly CudaKernel[] {
  const declarator = functionDeclarator(definition);
  const body = definition.childForFieldName("body");
  const nameNode = declarator?.childForFieldName("declarator");
  if (declarator === undefined || body === null || !nameNode) return [];
  const name = lastName(nameNode);
  if (!identifier.test(name)) return [];
  const templateNodes = template === undefined ? [] : templateParameterNodes(template);
  const facts: KernelFacts = {
    name,
    qualifiedName: [...scopes, collapse(nameNode.text).replace(/<.*$/, "")].join("::"),
    dialect: "cuda",
    nameRange: rangeOf(nameNode),
    range: rangeOf(template ?? definition),
    bodyRange: rangeOf(body),
    parameters: parametersOf(declarator),
    templateParameters: templateNodes.map(templateParameterOf),
    launchBounds: launchBoundsOf(definition),
    externC,
    autotune: [],
    heuristics: {},
    damaged: definition.hasError,
  };
  return [{ facts, definition, body, templateParameters: templateNodes }];
}

/** `__global__ … name(` as text: what stands before the parameters of a kernel. */
const headOfKernel = /^__global__\b(?:[^;{}()]|__launch_bounds__\s*\([^()]*\))*?([A-Za-z_]\w*)\s*\(/;

/**
 * A kernel in a region that does not parse: found by its head alone, so that the lens stays while the user
 * types.
 */
function salvagedKernel(mark: SyntaxNode): readonly SalvagedKernel[] {
  const holder = mark.parent;
  const rest = holder?.text.slice(mark.startIndex - holder.startIndex) ?? "";
  const match = headOfKernel.exec(rest);
  const name = match?.[1];
  if (match === null || name === undefined) return [];
  const before = rest.slice(0, match[0].lastIndexOf(name)).split("\n");
  const lastLine = last(before);
  const line = mark.startPosition.row + before.length - 1;
  const character = before.length === 1 ? mark.startPosition.column + lastLine.length : lastLine.length;
  const nameRange = { start: { line, character }, end: { line, character: character + name.length } };
  const range = { start: rangeOf(mark).start, end: nameRange.end };
  const facts: KernelFacts = {
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
  };
  return [{ facts }];
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
  const pointed = at(type.split(/[*[]/), 0);
  return /\bconst\b/.test(pointed);
}

function templateParameterNodes(template: SyntaxNode): readonly SyntaxNode[] {
  const list = template.childForFieldName("parameters");
  return (list?.namedChildren ?? []).filter((child) => /parameter_declaration$/.test(child.type));
}

function templateParameterOf(node: SyntaxNode): KernelFacts["templateParameters"][number] {
  const ofType =
    /type_parameter_declaration$/.test(node.type) || node.type === "template_template_parameter_declaration";
  const name = ofType
    ? node.descendantsOfType("type_identifier")[0]?.text
    : node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
  return { name: name ?? "", kind: ofType ? "type" : "value", text: collapse(node.text) };
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

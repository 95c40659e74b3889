import { fieldText } from "../../query";
import { outerNodes, type PlacedNode } from "../definitions";
import { functionDeclarator } from "../kernels";
import type { SyntaxNode } from "../../tree";

/** What marks code that the device compiler needs. */
const deviceMark = /\b(?:__global__|__device__|__constant__|__shared__|__managed__|constexpr|consteval)\b/;
/** Macros of that meaning, by the names that libraries give them: C10_HOST_DEVICE, CUTLASS_GLOBAL. */
const deviceMacro = /\b[A-Z][A-Z0-9_]*(?:DEVICE|GLOBAL|KERNEL|_HD\b|CUDA)[A-Z0-9_]*\b/;
/** Types that host code alone has. */
const hostType = /\b(?:torch|at|c10|std|py|pybind11)::/;

/**
 * The text with its host code blanked, line for line: functions, prototypes and variables without a mark of
 * the device, bodies that belong to macros, instances of host templates. Directives stay, wherever they
 * stand. `codeOfMacros`: names of macros that are used with arguments and stand for code of the device.
 */
export function deviceText(root: SyntaxNode, text: string, codeOfMacros: readonly string[] = []): string {
  const outer = outerNodes(root);
  const own = outer
    .filter(({ node }) => node.type === "preproc_def" && deviceMark.test(fieldText(node, "value")))
    .map(({ node }) => fieldText(node, "name"));
  const macros = [...own, ...codeOfMacros];
  const isMarked = (head: string): boolean =>
    deviceMark.test(head) ||
    deviceMacro.test(head) ||
    macros.some((name) => new RegExp(`\\b${name}\\b`).test(head));
  let result = text;
  for (const placed of outer)
    if (isHostCode(placed, isMarked)) result = blanked(result, startOf(placed), placed.node.endIndex);
  return result;
}

/**
 * The text without what is declared on a line: the smallest declaration there, a member of a structure
 * alone. The same text where that is code of the device, or a directive.
 */
export function withoutDeclaration(root: SyntaxNode, text: string, line: number): string {
  const row = line - 1;
  const there = outerNodes(root)
    .filter(({ node }) => node.startPosition.row <= row && row <= node.endPosition.row)
    .filter(({ node }) => node.isNamed && !/^(?:preproc|comment)/.test(node.type))
    .sort((a, b) => a.node.endIndex - a.node.startIndex - (b.node.endIndex - b.node.startIndex));
  const [smallest] = there;
  if (smallest === undefined || deviceMark.test(smallest.node.text)) return text;
  return blanked(text, startOf(smallest), smallest.node.endIndex);
}

/** Where a part begins, with its template's head and its `extern "C"`. */
function startOf({ node, template }: PlacedNode): number {
  const whole = template !== undefined && template.endIndex === node.endIndex ? template : node;
  const { parent } = whole;
  const isLinkage = parent?.type === "linkage_specification" && parent.endIndex === whole.endIndex;
  return isLinkage ? parent.startIndex : whole.startIndex;
}

function isHostCode(placed: PlacedNode, isMarked: (head: string) => boolean): boolean {
  const { node, scopes } = placed;
  switch (node.type) {
    case "function_definition": {
      const body = node.childForFieldName("body");
      if (body === null || isMarked(node.text.slice(0, body.startIndex - node.startIndex))) return false;
      // Members of a class may be what device code is made of, unless they need the host's libraries.
      return !isMember(node) || hostType.test(node.text);
    }
    case "declaration":
      if (isMarked(node.text)) return false;
      return isPrototype(node) || hostType.test(node.text);
    case "template_instantiation":
      return !isMarked(node.text);
    case "compound_statement":
      return true;
    case "expression_statement":
      if (isMarked(node.text)) return false;
      return scopes.length === 0 || /^(?:TORCH|PYBIND11|STABLE_TORCH)_/.test(node.text);
    default:
      return false;
  }
}

function isMember(node: SyntaxNode): boolean {
  for (let around = node.parent; around !== null; around = around.parent)
    if (around.type === "field_declaration_list") return true;
  return false;
}

function isPrototype(node: SyntaxNode): boolean {
  return functionDeclarator(node) !== undefined;
}

/** Blanks a range, but for directives and what continues them. */
function blanked(text: string, start: number, end: number): string {
  let continued = false;
  const lines = text.slice(start, end).split("\n");
  const kept = lines.map((line) => {
    const directive = continued || /^\s*#/.test(line);
    continued = directive && /\\\s*$/.test(line);
    return directive ? line : " ".repeat(line.length);
  });
  return text.slice(0, start) + kept.join("\n") + text.slice(end);
}

import type { KernelFacts } from "../facts";
import { guardsOf, type Access } from "../index-shapes";
import { collapse, fieldText } from "../query";
import type { SyntaxNode } from "../tree";

interface TritonAccesses {
  readonly accesses: readonly Access[];
  readonly definitions: ReadonlyMap<string, string>;
}

/**
 * Every `tl.load` and `tl.store` of a kernel with its index and its mask; locals are replaced by what they
 * were first given.
 */
export function tritonAccesses(root: SyntaxNode, kernel: KernelFacts): TritonAccesses {
  const body = root
    .descendantsOfType("block")
    .find(
      (node) =>
        node.startPosition.row === kernel.bodyRange.start.line &&
        node.startPosition.column === kernel.bodyRange.start.character,
    );
  if (body === undefined) return { accesses: [], definitions: new Map() };
  const definitions = new Map<string, string>();
  for (const assignment of body.descendantsOfType("assignment")) {
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right");
    if (left?.type === "identifier" && right && !definitions.has(left.text))
      definitions.set(left.text, collapse(right.text));
  }
  const pointers = kernel.parameters
    .filter((parameter) => parameter.pointer)
    .map((parameter) => parameter.name);
  const accesses = body.descendantsOfType("call").flatMap((call) => accessOf(call, pointers, definitions));
  return { accesses, definitions };
}

function accessOf(
  call: SyntaxNode,
  pointers: readonly string[],
  definitions: ReadonlyMap<string, string>,
): readonly Access[] {
  if (!/\.(load|store)$/.test(fieldText(call, "function"))) return [];
  const given =
    call.childForFieldName("arguments")?.namedChildren.filter((child) => child.type !== "comment") ?? [];
  const address = given[0] === undefined ? "" : collapse(given[0].text);
  const mask = given
    .find((child) => child.type === "keyword_argument" && child.childForFieldName("name")?.text === "mask")
    ?.childForFieldName("value");
  const maskText = collapse(mask?.text ?? "");
  const terms = expandedTerms(address, pointers, definitions);
  const parameter = terms.find((term) => pointers.includes(term));
  if (parameter === undefined) return [];
  const index = terms.filter((term) => term !== parameter).join(" + ");
  return [
    { parameter, index: index === "" ? "0" : index, guards: guardsOf(definitions.get(maskText) ?? maskText) },
  ];
}

/** Terms of a sum, locals that hold a pointer taken apart as well. */
function expandedTerms(
  address: string,
  pointers: readonly string[],
  definitions: ReadonlyMap<string, string>,
  depth = 0,
): readonly string[] {
  return splitSum(address).flatMap((term) => {
    const definition = definitions.get(term);
    const holdsPointer =
      definition !== undefined && pointers.some((pointer) => new RegExp(`\\b${pointer}\\b`).test(definition));
    return holdsPointer && depth < 6 && !/\btl\./.test(definition)
      ? expandedTerms(definition, pointers, definitions, depth + 1)
      : [term];
  });
}

/** Splits at plus signs that stand in no bracket; a bracket around the whole is taken off. */
function splitSum(text: string): readonly string[] {
  const terms = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (character === "+" && depth === 0) terms.push("");
    else terms[terms.length - 1] += character;
  }
  const trimmed = terms.map((term) => term.trim()).filter((term) => term !== "");
  const [only = ""] = trimmed;
  return trimmed.length === 1 && /^\(.*\)$/.test(only) && !/^\([^()]*\).*\(/.test(only)
    ? splitSum(only.slice(1, -1))
    : trimmed;
}

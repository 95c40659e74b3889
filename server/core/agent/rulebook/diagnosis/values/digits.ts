import { compact, enclosing, fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type Influences, influencesOf, type Sources } from "./influences";

/** A part of a thread's or a program's number: `i % width`, `i / width`. */
export interface Digit {
  readonly node: SyntaxNode;
  /** As written, without blanks. */
  readonly text: string;
  /** The indices that make the number. */
  readonly bases: readonly string[];
}

const integer = /\b(?:int|unsigned|long|short|size_t|u?int(?:8|16|32|64)_t)\b/;

/**
 * The digits that a kernel takes its threads' numbers apart into, without those of which others are made:
 * what depends on some of them alone is the same for many threads.
 */
export function digitsOf(body: SyntaxNode, sources: Sources): readonly Digit[] {
  const of = influencesOf(sources);
  const all = body
    .descendantsOfType(["binary_expression", "binary_operator"])
    .filter((node) => isWhole(node) && indicesOf(of, node.childForFieldName("left")).length > 0)
    .map((node) => ({ node, text: compact(node), bases: indicesOf(of, node.childForFieldName("left")) }));
  const names = new Map(
    sources.given.flatMap(({ name, from }) =>
      all
        .filter(({ node }) => from[0] !== undefined && compact(from[0]) === compact(node))
        .map(({ text }) => [name, text]),
    ),
  );
  const inner = new Set(
    all.flatMap(({ node }) => {
      const left = node.childForFieldName("left") ?? node;
      const named = left.descendantsOfType("identifier").flatMap(({ text }) => names.get(text) ?? []);
      return [...named, ...all.filter((each) => isInside(each.node, left)).map(({ text }) => text)];
    }),
  );
  const outer = all.filter(({ text }) => !inner.has(text));
  return outer.filter(({ text }, place) => outer.findIndex((each) => each.text === text) === place);
}

/** The influences with digits as sources of their own. */
export function influencesByDigits(sources: Sources, digits: readonly Digit[]): Influences {
  const texts = new Set(digits.map(({ text }) => text));
  return influencesOf({
    given: sources.given,
    own: (node) => {
      const isBinary = node.type === "binary_expression" || node.type === "binary_operator";
      const text = isBinary ? compact(node) : "";
      return texts.has(text) ? `digit:${text}` : sources.own(node);
    },
  });
}

/** True for a division or remainder of whole numbers. */
function isWhole(node: SyntaxNode): boolean {
  const operator = fieldText(node, "operator");
  if (operator === "%" || operator === "//") return true;
  if (operator !== "/" || node.type !== "binary_expression") return false;
  const declaration = enclosing(node, "declaration");
  const index = enclosing(node, "subscript_argument_list") !== undefined;
  const inner = declaration !== undefined && enclosing(node, "call_expression", "compound_statement")?.type;
  return index || (inner === "compound_statement" && integer.test(fieldText(declaration, "type")));
}

function indicesOf(of: Influences, node: SyntaxNode | null): readonly string[] {
  if (node === null) return [];
  return [...of(node)].filter((source) => /^(?:threadIdx|blockIdx|program|elements)/.test(source));
}

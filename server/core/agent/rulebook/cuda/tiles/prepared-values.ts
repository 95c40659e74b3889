import { isPure, localValues } from "../../../../language/cuda/body/scope";
import { isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";
import type { KernelView } from "../kernel";
import { accessesIn, elementTypeOf, type PointSpace } from "../points/point-space";

/** What a point looks up in front of its loop: the same for all points of one row or of one column. */
export interface PreparedValue {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly declaration: SyntaxNode;
}

/** The floats that a declaration looks up by one number of the point; undefined for any other one. */
export function preparedIn(
  view: KernelView,
  space: PointSpace,
  declaration: SyntaxNode,
): readonly PreparedValue[] | undefined {
  const own = localValues(declaration);
  const isWhole = own.length > 0 && own.length === declaration.childrenForFieldName("declarator").length;
  if (!isWhole || declaration.childForFieldName("type")?.text !== "float") return undefined;
  const loads = accessesIn(view, [declaration]);
  const isKnown = declaration
    .descendantsOfType(["subscript_expression", "pointer_expression", "call_expression"])
    .every(({ id }) => loads.some(({ node }) => node.id === id));
  const isSingle = loads.every(({ parameter }) => elementTypeOf(view, parameter) === "float");
  const isShared = own.every(
    ({ value }) => isPure(value) && isFloatArithmetic(value) && axesOf(space, value).length === 1,
  );
  return isKnown && isSingle && isShared
    ? own.map(({ name, value }) => ({ name, value, declaration }))
    : undefined;
}

/**
 * True for a declaration of what no turn of the loop asks for, looked up in memory or made of `known` values:
 * it may as well stand behind the loop.
 */
export function mayWait(
  view: KernelView,
  declaration: SyntaxNode,
  { body, known }: { readonly body: SyntaxNode; readonly known: readonly string[] },
): boolean {
  const own = localValues(declaration);
  const isWhole = own.length > 0 && own.length === declaration.childrenForFieldName("declarator").length;
  const loads = accessesIn(view, [declaration]);
  const others = declaration
    .descendantsOfType(["subscript_expression", "pointer_expression", "call_expression"])
    .some(({ id }) => !loads.some(({ node }) => node.id === id));
  const isNeeded = loads.length > 0 || known.some((name) => usesOf(declaration, name).length > 0);
  const isAsked = own.some(({ name, value }) => !isPure(value) || usesOf(body, name).length > 0);
  return isWhole && isNeeded && !others && !isAsked;
}

/** Declarations in front of the loop that the statements behind it read. */
export function readLater(
  statements: readonly SyntaxNode[],
  waiting: readonly PreparedValue[],
): readonly string[] {
  const read = waiting.filter(
    ({ name, declaration }) =>
      statements.some((statement) => usesOf(statement, name).length > 0) ||
      waiting.some(
        (other) =>
          other.name !== name &&
          usesOf(other.declaration, name).length > 0 &&
          other.declaration.id !== declaration.id,
      ),
  );
  const declarations = new Map(read.map(({ declaration }) => [declaration.startIndex, declaration.text]));
  return [...declarations].sort(([a], [b]) => a - b).map(([, text]) => text);
}

/**
 * The largest part of a sum or product around a load that all points of its row or column share, where a
 * prepared value has a place in it; else the load itself.
 */
export function withPrepared(
  space: PointSpace,
  load: SyntaxNode,
  { prepared, states }: { readonly prepared: readonly PreparedValue[]; readonly states: readonly string[] },
): SyntaxNode {
  const names = new Set(prepared.map(({ name }) => name));
  const axes = axesOf(space, load).join();
  let found = load;
  for (let at = load.parent; at !== null && isFloatArithmetic(at); at = at.parent) {
    const used = at.descendantsOfType("identifier").map(({ text }) => text);
    if (used.some((name) => states.includes(name)) || axesOf(space, at).join() !== axes) break;
    if (used.some((name) => names.has(name))) found = at;
  }
  return found;
}

/** The text of an operand with what was prepared in the place of its names. */
export function withoutNames(
  { source }: KernelView,
  node: SyntaxNode,
  prepared: readonly PreparedValue[],
): string {
  const uses = node
    .descendantsOfType("identifier")
    .flatMap((use) =>
      prepared.flatMap(({ name, value }) => (name === use.text ? [replaceNode(use, `(${value.text})`)] : [])),
    );
  return editedText(source, { start: node.startIndex, end: node.endIndex }, uses);
}

/** The first use of a prepared value other than within operands. */
export function usedElsewhere(
  statements: readonly SyntaxNode[],
  prepared: readonly PreparedValue[],
  operands: readonly SyntaxNode[],
): SyntaxNode | undefined {
  return statements
    .flatMap((statement) => statement.descendantsOfType("identifier"))
    .find(
      (use) =>
        prepared.some(({ name }) => name === use.text) && !operands.some((node) => isInside(use, node)),
    );
}

function axesOf(space: PointSpace, node: SyntaxNode): readonly string[] {
  return space.axes.flatMap(({ name }) => (space.dependsOn(node, name) ? [name] : []));
}

/** Sums, differences, products and quotients without anything of double precision. */
function isFloatArithmetic(node: SyntaxNode): boolean {
  if (/\bdouble\b/.test(node.text)) return false;
  const literals = node.descendantsOfType("number_literal").map(({ text }) => text);
  if (literals.some((text) => /[.eE]/.test(text) && !/[fF]$/.test(text) && !/^0x/.test(text))) return false;
  if (node.type === "binary_expression")
    return /^[-+*/]$/.test(node.childForFieldName("operator")?.text ?? "");
  return /^(?:parenthesized_expression|unary_expression|subscript_expression|identifier)$/.test(node.type);
}

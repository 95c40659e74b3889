import type { KernelArray } from "../../../../language/cuda/body/arrays";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";

/** An access to the element of a list that an index of run time names, and the statement that makes it. */
export interface Picked {
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  readonly statement: SyntaxNode;
  /** How many elements the list has, as written. */
  readonly size: string;
}

/** The statement around such an access; a guard's answer where it is no plain one. */
export function pickedIn(
  { body }: KernelView,
  array: KernelArray,
  { node, index }: Pick<Picked, "node" | "index">,
): Picked | RuleHold {
  const statement = enclosing(node, "expression_statement", "declaration");
  const [size] = array.sizes;
  const around = enclosing(
    node,
    "condition_clause",
    "for_statement",
    "return_statement",
    "compound_statement",
  );
  if (statement === undefined || size === undefined || !isInside(statement, body) || isHead(statement))
    return not("no-rewrite", `${compact(node)} stands in the head of a statement`, node);
  if (around !== undefined && isInside(around, statement))
    return not("no-rewrite", `${compact(node)} stands in the head of a statement`, node);
  if (!isPure(index)) return not("dependence", `${compact(index)} changes what it picks by`, index);
  const names = index.descendantsOfType("identifier").map(({ text }) => text);
  const changed = changes(statement).find(({ target }) => names.includes(target.text));
  if (changed !== undefined)
    return not("dependence", `${changed.target.text} changes beside it`, changed.act);
  if (statement.type === "declaration") {
    const declarators = statement.childrenForFieldName("declarator");
    const isPlain =
      declarators.length === 1 && declarators[0]?.childForFieldName("declarator")?.type === "identifier";
    if (!isPlain) return not("no-rewrite", `${compact(node)} stands beside other declarations`, node);
  }
  return { node, index, statement, size: size.text };
}

/** True for a declaration in the head of a loop or of a condition. */
function isHead({ id, parent }: SyntaxNode): boolean {
  if (parent === null || !/^(?:compound|if|for|while)_statement$|^else_clause$/.test(parent.type))
    return true;
  return parent.childForFieldName("initializer")?.id === id;
}

/**
 * Each such statement in an unrolled loop over the list, for the one element that is meant; those side by
 * side that mean the same place share one.
 */
export function pickedEdits(view: KernelView, picked: readonly Picked[]): readonly TextEdit[] {
  const statements = [...new Map(picked.map(({ statement }) => [statement.id, statement])).values()].sort(
    (a, b) => a.startIndex - b.startIndex,
  );
  const groups: Picked[][] = [];
  for (const statement of statements) {
    const own = picked.filter((each) => each.statement.id === statement.id);
    const last = groups.at(-1);
    if (last !== undefined && goesOn(last, own)) last.push(...own);
    else groups.push([...own]);
  }
  return groups.map((group) => {
    const [first, end] = [group[0]?.statement, group.at(-1)?.statement];
    const range = { start: first?.startIndex ?? 0, end: end?.endIndex ?? 0 };
    return { ...range, text: pickedText(view, group, range) };
  });
}

/** True where a statement stands right behind others that pick by the same index. */
function goesOn(before: readonly Picked[], own: readonly Picked[]): boolean {
  const [last, next] = [before.at(-1), own[0]];
  if (last === undefined || next === undefined) return false;
  const areActs = [last, next].every(({ statement }) => statement.type === "expression_statement");
  const isNext = last.statement.nextNamedSibling?.id === next.statement.id;
  return areActs && isNext && compact(last.index) === compact(next.index) && last.size === next.size;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function pickedText({ source }: KernelView, group: readonly Picked[], range: Range): string {
  const [first] = group;
  if (first === undefined) return "";
  const { statement, size, index } = first;
  const place = freshName(source, "which");
  const indent = indentOf(source, statement);
  const at = (name: string, part: Range): string => {
    const inside = group.filter(
      (each) => each.index.startIndex >= part.start && each.index.endIndex <= part.end,
    );
    return editedText(
      source,
      part,
      inside.map((each) => replaceNode(each.index, name)),
    );
  };
  const head = (from: number): string =>
    `#pragma unroll\n${indent}  for (int ${place} = ${from}; ${place} < ${size}; ++${place})`;
  const asked = `if (${place} == (${index.text}))`;
  if (statement.type !== "declaration") {
    const several = group.some((each) => each.statement.id !== statement.id);
    const acts = several ? `{\n${indent}      ${at(place, range)}\n${indent}    }` : at(place, range);
    return `{\n${indent}  ${head(0)}\n${indent}    ${asked} ${acts}\n${indent}}`;
  }
  const [declarator] = statement.childrenForFieldName("declarator");
  const value = declarator?.childForFieldName("value");
  const name = fieldText(declarator, "declarator");
  if (!value) return statement.text;
  const type = source
    .slice(statement.startIndex, declarator?.startIndex)
    .replace(/\bconst(?:expr)?\b\s*/g, "")
    .trim();
  const made = (element: string): string => at(element, { start: value.startIndex, end: value.endIndex });
  return [
    `${type} ${name} = ${made("0")};`,
    head(1).replace(/\n {2}/, "\n"),
    `  ${asked} ${name} = ${made(place)};`,
  ].join(`\n${indent}`);
}

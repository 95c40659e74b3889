import { compact, enclosing, fieldText, isInside, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { insertBefore, replaceNode, type TextEdit } from "../../../edits";
import { not, type RuleHold } from "../../../rule";
import { estimatedValue, type KernelView } from "../../kernel";

const warp = 32;

/**
 * Warps of `32 / columns` threads for each of `columns` columns, which share a warp: all that says the size
 * of a warp says the smaller one, and lanes of a column lie as many lanes apart as there are columns.
 */
export function cutWarps(view: KernelView, columns: number): readonly TextEdit[] | RuleHold {
  const lanes = warp / columns;
  const edits: TextEdit[] = [];
  for (const call of view.body.descendantsOfType("call_expression")) {
    const name = compact(call.childForFieldName("function"));
    if (!/^(?:__shfl|__ballot|__any|__all|__reduce|__match|__activemask|cg::|cooperative)/.test(name))
      continue;
    const given = partsOf(call.childForFieldName("arguments"));
    const [, , distance] = given;
    if (!/^__shfl(?:_down|_up|_xor)?_sync$/.test(name) || distance === undefined || given.length > 3)
      return not("cooperation", `${name} depends on which threads share a warp`, call);
    const far = estimatedValue(view, distance) ?? 0;
    const statement = enclosing(call, "expression_statement");
    if (far >= lanes) {
      if (statement === undefined || name === "__shfl_sync")
        return not("cooperation", `${name} reaches further than a column's lanes`, call);
      edits.push(replaceNode(statement, ";"));
      continue;
    }
    const own = name === "__shfl_sync" ? " + threadIdx.x" : "";
    edits.push(insertBefore(distance, "("));
    edits.push({ start: distance.endIndex, end: distance.endIndex, text: `) * ${columns}${own}` });
  }
  return [...edits, ...warpSizes(view, lanes, edits)];
}

/** Numbers that say how large a warp is, and half of that where a loop of shuffles begins. */
function warpSizes({ body }: KernelView, lanes: number, gone: readonly TextEdit[]): readonly TextEdit[] {
  const numbers = body.descendantsOfType(["number_literal", "identifier"]).flatMap((node) => {
    const inside = gone.some(({ start, end }) => node.startIndex >= start && node.endIndex <= end);
    const size = inside || isLength(node) ? undefined : smaller(node, lanes);
    return size === undefined ? [] : [replaceNode(node, String(size))];
  });
  return numbers;
}

/** The length of an array stays. */
function isLength(node: SyntaxNode): boolean {
  return enclosing(node, "array_declarator") !== undefined;
}

function smaller(node: SyntaxNode, lanes: number): number | undefined {
  const number = node.text.replace(/[uUlL]+$/, "");
  if (number === "warpSize" || number === "32") return lanes;
  if (number === "31") return lanes - 1;
  const isShift = node.parent?.type === "binary_expression" && fieldText(node.parent, "operator") === ">>";
  if (number === "5" && isShift) return Math.log2(lanes);
  const loop = enclosing(node, "for_statement");
  const head = loop?.childForFieldName("initializer");
  const shuffles = loop?.descendantsOfType("call_expression").some((call) => call.text.startsWith("__shfl"));
  return number === "16" && head && shuffles === true && isInside(node, head) ? lanes / 2 : undefined;
}

import {
  collapse,
  compact,
  enclosing,
  isInside,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { asksForAxis } from "../batches/batch-loop";
import { dependencesOf } from "../spread/dependence";
import { pointerOf } from "../fusing/access-places";
import { isCallOf, languageCalls, maskOf, onlyAssignment, type TritonView } from "../kernel";

/** Where a kernel loads a row of a tensor: at once, or block by block in a loop. */
export interface RowLoad {
  readonly load: SyntaxNode;
  /** The statement of the kernel's own level that loads, or walks over the row. */
  readonly statement: SyntaxNode;
  /** The loop over the row; undefined where all of it is loaded at once. */
  readonly loop: SyntaxNode | undefined;
  readonly mask: string;
  /** How many elements a row has, in the kernel's words. */
  readonly length: string;
  /** Statements that the load's address and mask need, in their order. */
  readonly needed: readonly string[];
}

/** The load of whole rows of the tensor that is passed for a parameter; a guard's answer for any other. */
export function rowLoad(view: TritonView, parameter: string): RowLoad | RuleHold {
  const found = languageCalls(view, ["load"]).find((load) => pointerOf(view, load) === parameter);
  if (found === undefined) return not("no-pattern", `the kernel does not load ${parameter}`, view.line);
  const around = enclosing(found, "for_statement", "while_statement");
  const loop = around?.parent?.id === view.body.id && around.type === "for_statement" ? around : undefined;
  const statement = loop ?? enclosing(found, "expression_statement");
  const mask = maskOf(view, found);
  if (statement?.parent?.id !== view.body.id || mask === undefined)
    return not("no-rewrite", `${parameter} is not loaded by whole rows with a mask`, found);
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "program_id") ? { programs: true, lanes: false } : undefined,
  );
  const [other] = [1, 2].filter((axis) => asksForAxis(view, axis));
  if (other !== undefined || of(mask).programs)
    return not("cooperation", "several programs share a row", found);
  const length = lengthIn(view, mask);
  if (length === undefined) return not("no-rewrite", "the mask does not tell the length of a row", mask);
  const block = loop === undefined ? [] : neededInTurn(loop, found);
  return { load: found, statement, loop, mask: collapse(mask.text), length, needed: block };
}

/** The end in `columns < n`, also behind a name. */
function lengthIn({ body }: TritonView, mask: SyntaxNode): string | undefined {
  const named = mask.type === "identifier" ? onlyAssignment(body, mask.text) : undefined;
  return /^\w+<(\w+)$/.exec(compact(unwrapped(named?.childForFieldName("right") ?? mask)))?.[1];
}

function neededInTurn(loop: SyntaxNode, load: SyntaxNode): readonly string[] {
  const own = partsOf(loop.childForFieldName("body"));
  const last = own.find((statement) => isInside(load, statement));
  return last === undefined ? [] : neededOf(own, last).map(({ text }) => text);
}

/** Those of some statements in a row that the last one needs, without itself. */
export function neededOf(statements: readonly SyntaxNode[], last: SyntaxNode): readonly SyntaxNode[] {
  const needed = [last];
  for (const statement of [...statements].reverse()) {
    if (statement.startIndex >= last.startIndex) continue;
    const name = partsOf(statement)[0]?.childForFieldName("left")?.text ?? "";
    if (name !== "" && needed.some((each) => usesOf(each, name).length > 0)) needed.unshift(statement);
  }
  return needed.filter(({ id }) => id !== last.id);
}

/** True for a load of one value for each row: of a parameter at the number of the program. */
export function isRowValueLoad(view: TritonView, call: SyntaxNode): boolean {
  if (!isCallOf(view, call, "load")) return false;
  const [address] = partsOf(call.childForFieldName("arguments"));
  const [pointer, row, ...more] = address?.type === "binary_operator" ? partsOf(address) : [];
  if (pointer === undefined || row === undefined || more.length > 0) return false;
  const value =
    row.type === "identifier" ? onlyAssignment(view.body, row.text)?.childForFieldName("right") : row;
  return /^(?:\w+\.)?program_id\((?:axis=)?0\)(?:\.to\(\w+\.int64\))?$/.test(compact(value));
}

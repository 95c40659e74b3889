import { constantOf, type Form } from "../../../../language/cuda/body/forms";
import { comparisonOf, type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { threadAxes } from "../../../../language/cuda/body/threads";
import { constantValue } from "../../../../language/cuda/constants";
import { compact, enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import {
  isFlatGridStride,
  isFlatThreadIndex,
  isGlobalThreadIndex,
  isGridStride,
} from "../elements/item-loops";
import { formIn, type KernelView, templateEstimates } from "../kernel";

/** Where the number of a thread in the grid becomes the number of a row. */
export interface RowNumber {
  readonly name: string;
  /** The declaration, or the loop over rows whose head it stands in. */
  readonly statement: SyntaxNode;
  /** Expressions that count threads and have to count warps. */
  readonly counts: readonly SyntaxNode[];
  /** The rows are those of one block, dealt out to its threads: the grid stays as it is. */
  readonly ofBlock?: true;
  /** Where a name for the thread's number is declared that is read nowhere else. */
  readonly declared?: SyntaxNode;
}

/** Threads of a block in x, y and z; undefined where it is not known. */
type Block = readonly [number, number, number] | undefined;

/** The number of the row: made of the thread's number, and the only place where that is read. */
export function rowNumber(view: KernelView, block: Block): RowNumber | RuleHold {
  const found = declaredRow(view, block) ?? strideOverRows(view, block);
  if (found === undefined)
    return not("no-pattern", "no variable is the number of the thread in the grid", view.line);
  const { axes, whole } = threadAxes(view.body);
  const own = [...found.counts, ...(found.declared ? [found.declared] : [])];
  const other = axes.find((axis) => !own.some((node) => isInside(axis, node))) ?? whole;
  return other === undefined
    ? found
    : not("dependence", "the thread's number is used for more than the number of the row", other);
}

/** True for the number of a thread in the grid, lanes of a warp one after the other. */
function isThread(form: Form, block: Block): boolean {
  if (block === undefined || isRow(block)) return isGlobalThreadIndex(form, block?.[0]);
  return block[0] % 32 === 0 && block[2] === 1 && isFlatThreadIndex(form, block);
}

function isThreads(form: Form, block: Block): boolean {
  if (block === undefined || isRow(block)) return isGridStride(form, block?.[0]);
  return isFlatGridStride(form, block);
}

function isRow([, high, deep]: readonly [number, number, number]): boolean {
  return high * deep === 1;
}

function declaredRow(view: KernelView, block: Block): RowNumber | undefined {
  const found = localValues(view.body).find(
    ({ value, declaration }) =>
      declaration.parent?.type !== "for_statement" && isThread(formIn(view, value), block),
  );
  if (found === undefined || isAssigned(view.body, found.name)) return undefined;
  return { name: found.name, statement: found.declaration, counts: [found.value] };
}

/** `for (int row = (number of the thread); row < rows; row += (threads of the grid))`. */
function strideOverRows(view: KernelView, block: Block): RowNumber | undefined {
  for (const counted of countedLoops(view.body)) {
    const { loop, variable, start, step } = counted;
    const { amount, operator } = step;
    if (amount === undefined || operator !== "+") continue;
    if (isThread(formIn(view, start), block) && isThreads(formIn(view, amount), block))
      return { name: variable, statement: loop, counts: [start, amount] };
    const ofBlock = block && isRow(block) ? rowsOfBlock(view, counted, block[0]) : undefined;
    if (ofBlock !== undefined) return ofBlock;
  }
  return undefined;
}

/** `for (int row = first + threadIdx.x; row < rows; row += blockDim.x)`: rows that one block has. */
function rowsOfBlock(
  view: KernelView,
  { loop, variable, start, step: { amount } }: CountedLoop,
  threads: number,
): RowNumber | undefined {
  if (amount === undefined || formIn(view, start).get("threadIdx.x") !== 1) return undefined;
  const stride = formIn(view, amount);
  const steps = stride.get("blockDim.x") === 1 && stride.size === 1;
  const passed = templateEstimates(view).values.get(amount.text)?.text ?? "";
  if (!steps && constantOf(stride) !== threads && constantValue(passed, view.model.constants) !== threads)
    return undefined;
  const common = { name: variable, statement: loop, ofBlock: true } as const;
  const [axis, ...others] = threadAxes(start).axes.flatMap(({ parent }) => parent ?? []);
  if (axis !== undefined) return others.length > 0 ? undefined : { ...common, counts: [axis, amount] };
  const named = localValues(view.body).find(({ name }) => name === start.text);
  if (named === undefined) return undefined;
  const own = [start, named.declaration];
  const isRead = usesOf(view.body, named.name).some((use) => !own.some((node) => isInside(use, node)));
  if (isRead) return undefined;
  return { ...common, counts: [start, amount], declared: named.declaration };
}

/**
 * Lets each warp take several rows, a grid apart, where the grid cannot grow: `if (row < rows) …` becomes a
 * loop over rows, and what left the thread goes on to the next row.
 */
export function rowWalk(view: KernelView, row: RowNumber, lanes: number): readonly TextEdit[] | RuleHold {
  const all = partsOf(view.body);
  const place = all.findIndex(({ id }) => id === row.statement.id);
  const guard = all.slice(place + 1).find(({ type }) => type === "if_statement");
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  if (place < 0 || guard === undefined || !condition)
    return not("no-pattern", "no condition keeps the rows inside", row.statement);
  const exits = /^\{?return;\}?$/.test(compact(guard.childForFieldName("consequence")));
  const compared = comparisonOf(condition, row.name);
  if (compared?.comparison !== (exits ? ">=" : "<") || !isPure(compared.bound))
    return not("no-pattern", "the condition on the row is not its end alone", guard);
  const last = all.at(-1) ?? guard;
  if (!exits && last.id !== guard.id)
    return not("no-pattern", "something follows the condition on the row", last);
  const indent = indentOf(view.source, row.statement);
  const stride = `gridDim.x * blockDim.x / ${lanes}`;
  const head = `for (; ${row.name} < ${compared.bound.text}; ${row.name} += ${stride}) {`;
  return [
    ...constTaken(row.statement),
    insertBefore(guard, `${head}\n${indent}`),
    ...leaving(view.body, guard).map((node) => replaceNode(node, "continue;")),
    { start: last.endIndex, end: last.endIndex, text: `\n${indent}}` },
  ];
}

/** The declaration without `const`, so that the loop may change the row. */
function constTaken(declaration: SyntaxNode): readonly TextEdit[] {
  return declaration.children
    .filter(({ type, text }) => type === "type_qualifier" && text === "const")
    .map((node) => ({ start: node.startIndex, end: node.endIndex + 1, text: "" }));
}

/** Returns behind the guard, itself included; those in a loop of their own are never reached by this rule. */
function leaving(body: SyntaxNode, guard: SyntaxNode): readonly SyntaxNode[] {
  return body
    .descendantsOfType("return_statement")
    .filter((node) => node.startIndex >= guard.startIndex && isOutermost(node, body));
}

function isOutermost(node: SyntaxNode, body: SyntaxNode): boolean {
  const loop = enclosing(node, "for_statement", "while_statement", "do_statement");
  return loop === undefined || !isInside(loop, body);
}

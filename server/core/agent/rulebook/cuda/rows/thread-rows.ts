import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { constantOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { countsOf, wasteOf } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { runOf } from "../elements/runs";
import { formIn, type KernelView } from "../kernel";
import { type RunningSum, runningSum } from "../scans/running-sum";
import { type CarriedValue, carriedValues } from "./carried-values";
import type { RowNumber } from "./row-number";
import { type Stop, stopIn, type SummedArray, summedArrays } from "./row-turns";

/** A loop in which one thread walks over elements that its neighbours do not touch. */
export interface RowLoop {
  readonly loop: CountedLoop;
  readonly carried: readonly CarriedValue[];
  /** Arrays of the thread of which each element is a sum. */
  readonly arrays: readonly SummedArray[];
  /** Where the walk may end early; undefined where it goes on to its end. */
  readonly stop: Stop | undefined;
  /** The one sum that the loop carries, where turns use what it is by then. */
  readonly scan?: RunningSum;
  readonly sectors: number;
  readonly sectorsIdeal: number;
}

/**
 * Loops over a row that load or store, outermost ones only. Of those that may end early only uneven ones are
 * worth it.
 */
export function rowLoops(
  input: RuleInput,
  view: KernelView,
  { row, uneven = false }: { readonly row: RowNumber; readonly uneven?: boolean },
): readonly RowLoop[] | RuleHold {
  const all = countedLoops(view.body).filter(({ loop }) => isOfRow(loop, row));
  const outer = all.filter(
    ({ loop }) => !all.some((each) => each.loop.id !== loop.id && isInside(loop, each.loop)),
  );
  const found: RowLoop[] = [];
  for (const loop of outer.flatMap((each) => alongRow(view, each, all))) {
    const counts = countsOf(input, loop.loop);
    const sectors = counts.globalLoadSectors + counts.globalStoreSectors;
    if (sectors === 0) continue;
    const sectorsIdeal = counts.globalLoadSectorsIdeal + counts.globalStoreSectorsIdeal;
    const dealt = dealtOut(view, loop, uneven);
    if (isNot(dealt)) return dealt;
    found.push({ loop, ...dealt, sectors, sectorsIdeal });
  }
  return found.length > 0 ? found : not("no-pattern", "no thread walks over elements in a loop", view.line);
}

/** Loops of what follows the number of a row; of those around a loop over rows, and beside it, none is. */
function isOfRow(loop: SyntaxNode, { statement, ofBlock }: RowNumber): boolean {
  if (loop.id === statement.id) return false;
  return ofBlock !== true || isInside(loop, statement);
}

/** The loops inside of a loop whose turns take neighbouring elements, where there are any; else itself. */
function alongRow(view: KernelView, loop: CountedLoop, all: readonly CountedLoop[]): readonly CountedLoop[] {
  const inner = all.filter((each) => each.loop.id !== loop.loop.id && isInside(each.loop, loop.body));
  const along = inner.filter(({ body, variable }) =>
    elementsOf(view).some(
      ({ node, indexNode }) =>
        isInside(node, body) && indexNode !== undefined && formIn(view, indexNode).get(variable) === 1,
    ),
  );
  return along.length === 0 ? [loop] : along;
}

/** A few elements in a row for each thread: dealt out in turn they serve a warp better than as a row. */
export function shortRun(view: KernelView, threads: number | undefined): RuleHold | undefined {
  const run = runOf(view, threads);
  return run !== undefined && !isNot(run) && run.length < 32
    ? not("no-pattern", `a thread's ${run.length} elements are no row`, run.loop.loop)
    : undefined;
}

/** Sectors that the loops of a row move for each that they need. */
export function wasteOfRows(
  input: RuleInput,
  view: KernelView,
): { readonly ratio: number; readonly worst: SyntaxNode | undefined } {
  const loops = countedLoops(view.body).map(({ loop }) => ({ loop, counts: countsOf(input, loop) }));
  const measured = loops.map(({ loop, counts }) => ({
    loop,
    ratio: wasteOf(
      counts.globalLoadSectors + counts.globalStoreSectors,
      counts.globalLoadSectorsIdeal + counts.globalStoreSectorsIdeal,
    ),
  }));
  const [worst] = measured.sort((a, b) => b.ratio - a.ratio);
  return { ratio: worst?.ratio ?? 1, worst: worst?.loop };
}

type Dealt = Pick<RowLoop, "carried" | "arrays" | "stop" | "scan">;

/** What a loop carries when lanes take its iterations in turn; a guard's answer when they may not. */
function dealtOut(view: KernelView, loop: CountedLoop, mayStop: boolean): Dealt | RuleHold {
  const { step, comparison, bound, body, variable } = loop;
  const byOne =
    step.operator === "+" && (step.amount === undefined || constantOf(formIn(view, step.amount)) === 1);
  if (!byOne || (comparison !== "<" && comparison !== "<=" && comparison !== "!="))
    return not("no-pattern", `${variable} does not count up by one`, loop.loop);
  if (comparison === "!=")
    return not("no-pattern", `the loop ends only where ${variable} meets its end`, loop.loop);
  if (!isPure(bound) || isAssigned(body, variable))
    return not("dependence", `the end or ${variable} may change inside the loop`, loop.loop);
  const stop = mayStop ? stopIn(body) : undefined;
  const leaving = stop === undefined ? leavingOf(body) : undefined;
  if (leaving !== undefined)
    return not("dependence", `the walk holds a ${leaving.type.replace("_statement", "")}`, leaving);
  return carriedIn(view, loop, stop);
}

/** The values that a loop carries, in any order or in theirs. */
function carriedIn(view: KernelView, loop: CountedLoop, stop: Stop | undefined): Dealt | RuleHold {
  const { body, variable } = loop;
  const arrays = summedArrays(view, body);
  if (isNot(arrays)) return arrays;
  const carried = carriedValues(body, variable, { members: true });
  if (!isNot(carried)) return { carried, arrays, stop };
  const scan = runningSum(view, loop);
  return isNot(scan) ? carried : { carried: [], arrays: [], stop: undefined, scan };
}

/** A statement that ends the walk, or more than that. */
function leavingOf(body: SyntaxNode): SyntaxNode | undefined {
  const kinds = ["break_statement", "return_statement", "goto_statement"];
  return body.descendantsOfType(kinds).find((node) => {
    const around = enclosing(node, ...INNER);
    return node.type !== "break_statement" || around === undefined || !isInside(around, body);
  });
}

/** What a `break` may leave. */
const INNER = ["for_statement", "while_statement", "do_statement", "switch_statement"];

/** Elements that are read or written; not those of which only the address is taken. */
export function elementsOf(view: KernelView): readonly CudaAccess[] {
  const { accesses } = cudaAccesses(view.kernel);
  return accesses.filter(
    ({ node }) => node.parent?.type !== "pointer_expression" || !node.parent.text.startsWith("&"),
  );
}

/** Statements outside of the loops that store to global memory: one lane has to do so. */
export function storesOutside(view: KernelView, loops: readonly RowLoop[]): readonly SyntaxNode[] | RuleHold {
  const accesses = elementsOf(view);
  const { atomics } = cudaAccesses(view.kernel);
  const isOutside = ({ node }: CudaAccess): boolean => !loops.some(({ loop }) => isInside(node, loop.loop));
  const statements = new Map<number, SyntaxNode>();
  for (const access of accesses.filter((each) => each.stores && isOutside(each))) {
    const statement = enclosing(access.node, "expression_statement");
    if (statement === undefined)
      return not("unreadable", "a store is part of another statement", access.node);
    // What the statement itself reads of its own element is read by the lane that stores.
    const isOwn = ({ node }: CudaAccess): boolean =>
      isInside(node, statement) && compact(node) === compact(access.node);
    const read = accesses.find(
      (each) =>
        each.loads && each.parameter === access.parameter && each.node.id !== access.node.id && !isOwn(each),
    );
    if (read !== undefined) return not("dependence", `${access.base} is read as well as stored`, read.node);
    statements.set(statement.id, statement);
  }
  for (const { node } of atomics.filter(isOutside)) {
    if (node.parent?.type !== "expression_statement")
      return not("dependence", "what the atomic returns is used", node);
    statements.set(node.parent.id, node.parent);
  }
  return [...statements.values()];
}

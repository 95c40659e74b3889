import { at, mustGet } from "../../base/known";
import type { Form } from "./form";

/**
 * The simplex method for weights of rows, none negative and together at most 1, under which every monomial
 * cancels and the constants add up to as little as possible. A line for each monomial, one for the sum of the
 * weights; a column for each weight, one for what the sum is below 1, and the right-hand side.
 */
export interface Tableau {
  readonly lines: readonly Float64Array[];
  readonly costs: Float64Array;
  /** The column that each line is solved for. */
  readonly basis: number[];
}

const nothing = 1e-9;
const mostSteps = 400;

/** A tableau at weights of zero, where each line of a monomial is solved for some weight. */
export function startTableau(rows: readonly Form[], columns: readonly string[]): Tableau | undefined {
  const width = rows.length + 2;
  const place = new Map(columns.map((key, index) => [key, index]));
  const open = columns.map(() => new Float64Array(width));
  const costs = new Float64Array(width);
  for (const [index, { constant, terms }] of rows.entries()) {
    costs[index] = constant;
    for (const [key, coefficient] of terms) at(open, mustGet(place, key))[index] = coefficient;
  }
  const sum = new Float64Array(width).fill(1);
  const lines: Float64Array[] = [];
  const basis: number[] = [];
  const tableau = { lines, costs, basis };
  for (const line of open) {
    const column = largest(line, rows.length);
    if (column === undefined) continue;
    const others = [...lines, ...open.filter((each) => each !== line), sum];
    solveFor(line, column, [...others, costs]);
    lines.push(line);
    basis.push(column);
  }
  lines.push(sum);
  basis.push(rows.length);
  return tableau;
}

/** The column of the greatest magnitude; undefined in a line of nothing. */
function largest(line: Float64Array, width: number): number | undefined {
  let best: number | undefined;
  for (let column = 0; column < width; column += 1) {
    const size = Math.abs(at(line, column));
    if (size > nothing && (best === undefined || size > Math.abs(at(line, best)))) best = column;
  }
  return best;
}

/** Solves a line for a column, and takes the column out of the others. */
function solveFor(line: Float64Array, column: number, others: readonly Float64Array[]): void {
  const pivot = at(line, column);
  for (let index = 0; index < line.length; index += 1) line[index] = at(line, index) / pivot;
  for (const other of others) {
    const times = at(other, column);
    if (other === line || times === 0) continue;
    for (let index = 0; index < line.length; index += 1)
      other[index] = at(other, index) - times * at(line, index);
    other[column] = 0;
  }
}

/** Weights whose constants add up to less than zero; undefined where there are none, or it takes too long. */
export function weightsOf(tableau: Tableau, count: number): readonly number[] | undefined {
  const { lines, costs, basis } = tableau;
  const end = costs.length - 1;
  for (let step = 0; step < mostSteps; step += 1) {
    // The right-hand side of the costs is the sum that was reached, with its sign turned.
    if (at(costs, end) > 1e-7) return readWeights(tableau, count);
    const column = entering(costs, end, step);
    const leaving = column === undefined ? undefined : leavingLine(tableau, column);
    if (column === undefined || leaving === undefined) return undefined;
    solveFor(at(lines, leaving), column, [...lines, costs]);
    basis[leaving] = column;
  }
  return undefined;
}

/** A column that makes the sum less: the best one, and after a while the first, which ends all circles. */
function entering(costs: Float64Array, end: number, step: number): number | undefined {
  let best: number | undefined;
  for (let column = 0; column < end; column += 1) {
    const cost = at(costs, column);
    if (cost >= -1e-7) continue;
    if (step > mostSteps / 4) return column;
    if (best === undefined || cost < at(costs, best)) best = column;
  }
  return best;
}

/** The line that allows a column the least. */
function leavingLine({ lines, basis }: Tableau, column: number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (const [index, line] of lines.entries()) {
    const coefficient = at(line, column);
    if (coefficient <= nothing) continue;
    const allowed = Math.max(0, at(line, line.length - 1)) / coefficient;
    const isFirst = best === undefined || at(basis, index) < at(basis, best);
    if (allowed < least - nothing || (allowed < least + nothing && isFirst))
      [best, least] = [index, Math.min(allowed, least)];
  }
  return best;
}

function readWeights({ lines, basis }: Tableau, count: number): readonly number[] {
  const weights = new Array<number>(count).fill(0);
  for (const [index, column] of basis.entries())
    if (column < count) weights[column] = Math.max(0, at(at(lines, index), at(lines, index).length - 1));
  return weights;
}

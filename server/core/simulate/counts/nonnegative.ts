import { at } from "../../base/known";

/** One linear statement about unknowns: the sum of coefficient × unknown should be `value`. */
export interface Equation {
  readonly terms: readonly (readonly [unknown: number, coefficient: number])[];
  readonly value: number;
  /** How much a deviation counts, beside those of other equations. */
  readonly weight: number;
}

/** Exchanges of many unknowns at once that may bring no progress, before one is exchanged at a time. */
const patience = 3;
const exchangesAtMost = 200;
/** Deviations below this share of the largest right-hand side are rounding. */
const rounding = 1e-9;
/** Added to the diagonal of scaled equations, so that what nothing is said about stays small. */
const stiffness = 1e-10;

/**
 * Unknowns of at least zero that fulfil the equations best in the weighted sum of squares, plus a cost for
 * each unit of an unknown. By exchanging unknowns that are zero with those that are not, many at once (L.
 * Portugal, J. Júdice and L. Vicente, "A comparison of block pivoting and interior-point algorithms for
 * linear least squares problems with nonnegative variables", 1994).
 */
export function leastSquares(
  equations: readonly Equation[],
  count: number,
  costs: ArrayLike<number>,
): Float64Array {
  const { matrix, right } = normalEquations(equations, count, costs);
  const scale = Float64Array.from(
    { length: count },
    (_, n) => 1 / Math.sqrt(Math.max(1e-12, cell(matrix, n * count + n))),
  );
  for (let row = 0; row < count; row += 1) {
    right[row] = cell(right, row) * cell(scale, row);
    for (let column = 0; column < count; column += 1)
      matrix[row * count + column] =
        cell(matrix, row * count + column) * cell(scale, row) * cell(scale, column);
    matrix[row * count + row] = cell(matrix, row * count + row) + stiffness;
  }
  return exchange({ matrix, right, count }).map((value, n) => Math.max(0, value) * cell(scale, n));
}

interface Problem {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
  readonly count: number;
}

function exchange(problem: Problem): Float64Array {
  const { count } = problem;
  const isFree = new Uint8Array(count).fill(1);
  let [fewest, left] = [count + 1, patience];
  let solution: Float64Array = new Float64Array(count);
  for (let round = 0; round < exchangesAtMost; round += 1) {
    solution = solveFree(problem, isFree);
    const wrong = wrongSides(problem, isFree, solution);
    if (wrong.length === 0) return solution;
    if (wrong.length < fewest) [fewest, left] = [wrong.length, patience];
    else left -= 1;
    for (const n of left >= 0 ? wrong : wrong.slice(-1)) isFree[n] = 1 - at(isFree, n);
  }
  return solution;
}

/** Free unknowns below zero, and zeroes that would rather be above. */
function wrongSides({ matrix, right, count }: Problem, isFree: Uint8Array, solution: Float64Array): number[] {
  const wrong: number[] = [];
  const least = -rounding * right.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  for (let n = 0; n < count; n += 1) {
    if (at(isFree, n) === 1) {
      if (cell(solution, n) < least) wrong.push(n);
      continue;
    }
    let slope = -cell(right, n);
    for (let k = 0; k < count; k += 1) slope += cell(matrix, n * count + k) * cell(solution, k);
    if (slope < least) wrong.push(n);
  }
  return wrong;
}

/** The free unknowns that fulfil their own equations while the others are zero. */
function solveFree({ matrix, right, count }: Problem, isFree: Uint8Array): Float64Array {
  const free = [...isFree.keys()].filter((n) => at(isFree, n) === 1);
  const size = free.length;
  const part = new Float64Array(size * size);
  const vector = new Float64Array(size);
  for (const [row, n] of free.entries()) {
    vector[row] = cell(right, n);
    for (const [column, k] of free.entries()) part[row * size + column] = cell(matrix, n * count + k);
  }
  const first = firstColumns(part, size);
  factorize(part, first);
  substitute(part, first, vector);
  const solution = new Float64Array(count);
  for (const [row, n] of free.entries()) solution[n] = cell(vector, row);
  return solution;
}

function normalEquations(
  equations: readonly Equation[],
  count: number,
  costs: ArrayLike<number>,
): { readonly matrix: Float64Array; readonly right: Float64Array } {
  const matrix = new Float64Array(count * count);
  const right = Float64Array.from({ length: count }, (_, n) => -at(costs, n));
  for (const { terms, value, weight } of equations)
    for (const [row, first] of terms) {
      right[row] = cell(right, row) + weight * first * value;
      for (const [column, second] of terms)
        matrix[row * count + column] = cell(matrix, row * count + column) + weight * first * second;
    }
  return { matrix, right };
}

/**
 * Cholesky's factor of a symmetric positive matrix, in its lower half. What lies left of a row's first entry
 * stays zero in the factor, too, and is passed over: unknowns that share an equation stand close together,
 * as those of a flow do. (A. George and J. Liu, "Computer Solution of Large Sparse Positive Definite
 * Systems", 1981, chapter 4: the envelope method.)
 */
function factorize(matrix: Float64Array, first: Int32Array): void {
  const count = first.length;
  for (let row = 0; row < count; row += 1) {
    const start = at(first, row);
    const own = row * count;
    for (let column = start; column <= row; column += 1) {
      const other = column * count;
      let sum = cell(matrix, own + column);
      for (let k = Math.max(start, at(first, column)); k < column; k += 1)
        sum -= cell(matrix, own + k) * cell(matrix, other + k);
      matrix[own + column] =
        row === column ? Math.sqrt(Math.max(1e-12, sum)) : sum / cell(matrix, other + column);
    }
  }
}

/** The first column of each row of the lower half that holds something. */
function firstColumns(matrix: Float64Array, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, row) => {
    const entry = matrix.subarray(row * count, row * count + row).findIndex((value) => value !== 0);
    return entry === -1 ? row : entry;
  });
}

/** Solves with the factor, in place. */
function substitute(matrix: Float64Array, first: Int32Array, vector: Float64Array): void {
  const count = first.length;
  for (let row = 0; row < count; row += 1) {
    let sum = cell(vector, row);
    for (let k = at(first, row); k < row; k += 1) sum -= cell(matrix, row * count + k) * cell(vector, k);
    vector[row] = sum / cell(matrix, row * count + row);
  }
  for (let row = count - 1; row >= 0; row -= 1) {
    const value = cell(vector, row) / cell(matrix, row * count + row);
    vector[row] = value;
    for (let k = at(first, row); k < row; k += 1)
      vector[k] = cell(vector, k) - cell(matrix, row * count + k) * value;
  }
}

/**
 * An element of a vector or matrix. For the innermost loops, where `at`, which takes all kinds of lists,
 * costs ten times the arithmetic.
 */
function cell(values: Float64Array, index: number): number {
  return values[index] ?? Number.NaN;
}

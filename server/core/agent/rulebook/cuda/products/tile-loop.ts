import { type ArrayAccess, arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { constantOf, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";
import type { BlockShape } from "../launch/block-shape";

/** What a thread puts into a tile: an element, or zero where a condition does not hold. */
interface TileStore {
  readonly tile: KernelArray;
  readonly target: ArrayAccess;
  readonly value: SyntaxNode;
}

/**
 * `for (…) { a[ty][tx] = …; b[ty][tx] = …; __syncthreads(); for (k …) sum += a[ty][k] * b[k][tx];
 * __syncthreads(); }` of a block: a product whose operands are staged already.
 */
export interface TileLoop {
  readonly outer: CountedLoop;
  readonly inner: CountedLoop;
  /** Turns of the inner loop: the side of the tiles, and the threads of a block along both axes. */
  readonly side: number;
  readonly tiles: readonly KernelArray[];
  readonly stores: readonly TileStore[];
}

/** The loop over tiles of a kernel; undefined where there is none, or where it does anything else. */
export function tileLoop(view: KernelView, { sizes }: BlockShape): TileLoop | undefined {
  const all = countedLoops(view.body);
  const outer = all.find(({ loop }) => loop.parent?.id === view.body.id);
  const inner = all.find(({ loop }) => outer !== undefined && loop.parent?.id === outer.body.id);
  if (outer === undefined || inner === undefined || all.length !== 2) return undefined;
  const side = sideOf(view, inner, sizes);
  const tiles = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  if (side === undefined || side !== sizes[0] || side !== sizes[1] || !tiles.every(isTile)) return undefined;
  const stores = storesIn(outer, inner, tiles);
  const known = tiles
    .flatMap(({ accesses }) => accesses)
    .every(
      ({ node }) => isInside(node, inner.body) || stores?.some(({ target }) => target.node.id === node.id),
    );
  return known && stores?.length === tiles.length ? { outer, inner, side, tiles, stores } : undefined;
}

function isTile({ storage, sizes, escape }: KernelArray): boolean {
  return storage === "shared" && sizes.length === 2 && escape === undefined;
}

/** What is stored to the tiles; undefined where the loop does more than that, the barriers and the sum. */
function storesIn(
  { body }: CountedLoop,
  inner: CountedLoop,
  tiles: readonly KernelArray[],
): readonly TileStore[] | undefined {
  const declared = tiles.map(({ declaration }) => declaration.id);
  const statements = statementsOf(body).filter(
    (node) => !node.type.startsWith("preproc") && !isName(node) && !declared.includes(node.id),
  );
  const [sum, last] = statements.slice(-2);
  const [barrier] = statements.slice(-3);
  if (sum?.id !== inner.loop.id || !isBarrier(barrier) || !isBarrier(last)) return undefined;
  const stores = statements.slice(0, -3).flatMap((node) => storeIn(node, tiles) ?? []);
  return stores.length === statements.length - 3 ? stores : undefined;
}

function isBarrier(statement: SyntaxNode | undefined): boolean {
  return compact(statement) === "__syncthreads();";
}

/** The turns of a loop from zero by one: a constant, or the block's extent. */
function sideOf(
  view: KernelView,
  { start, bound, comparison, step }: CountedLoop,
  [wide, high]: BlockShape["sizes"],
): number | undefined {
  const byOne = step.operator === "+" && step.amount === undefined && comparison === "<";
  if (!byOne || constantOf(formIn(view, start)) !== 0) return undefined;
  const is = (axis: "x" | "y"): boolean =>
    sameForm(formIn(view, bound), formFrom({ [`blockDim.${axis}`]: 1 }));
  if (is("x")) return wide;
  return is("y") ? high : view.scope.value(bound);
}

/** A declaration that only names values. */
export function isName(statement: SyntaxNode): boolean {
  const own = localValues(statement);
  return (
    statement.type === "declaration" &&
    own.length > 0 &&
    own.length === statement.childrenForFieldName("declarator").length &&
    own.every(({ value }) => isPure(value) && value.descendantsOfType("subscript_expression").length === 0)
  );
}

/** `tile[a][b] = value;`, the only change of the statement. */
function storeIn(statement: SyntaxNode, tiles: readonly KernelArray[]): TileStore | undefined {
  const [act, ...more] = partsOf(statement);
  const [change, ...others] = changes(statement);
  const value = act?.childForFieldName("right");
  if (statement.type !== "expression_statement" || act?.type !== "assignment_expression") return undefined;
  if (more.length + others.length > 0 || change?.act.id !== act.id || !value) return undefined;
  if (fieldText(act, "operator") !== "=") return undefined;
  const left = act.childForFieldName("left");
  for (const tile of tiles) {
    const target = tile.accesses.find(({ node }) => node.id === left?.id);
    if (target !== undefined) return { tile, target, value };
  }
  return undefined;
}

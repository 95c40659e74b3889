import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";
import { isTheSame, type Shared } from "./same-for-all";
import { type WalkedArray, walkedArrays } from "./walked-array";

/** A loop in which each thread goes through neighbouring elements of a row of its own, turn by turn. */
export interface Walk {
  readonly counted: CountedLoop;
  /** The variable counts down. */
  readonly down: boolean;
  readonly arrays: readonly WalkedArray[];
}

export interface WalkPlan {
  readonly walks: readonly Walk[];
  /** Loops around walks, which all threads of a block go through together. */
  readonly around: readonly CountedLoop[];
  readonly arrays: readonly string[];
}

/** The walks of a point's work; a guard's answer where there is none. */
export function plannedWalks(view: KernelView, space: PointSpace): WalkPlan | RuleHold {
  const walks: Walk[] = [];
  const around: CountedLoop[] = [];
  const held: RuleHold[] = [];
  const look = (statements: readonly SyntaxNode[], together: readonly string[]): boolean => {
    let found = false;
    for (const statement of statements) {
      const [counted] = statement.type === "for_statement" ? countedLoops(statement) : [];
      if (counted?.loop.id !== statement.id) continue;
      const shared = { view, space, together };
      const walk = walkOf(shared, counted);
      if (walk !== undefined && !isNot(walk)) {
        walks.push(walk);
        found = true;
        continue;
      }
      if (isNot(walk)) held.push(walk);
      if (!isShared(shared, counted)) continue;
      if (!look(statementsOf(counted.body), [...together, counted.variable])) continue;
      around.push(counted);
      found = true;
    }
    return found;
  };
  look(space.statements, []);
  if (walks.length === 0) return held[0] ?? not("no-pattern", "no thread walks a row of its own", view.line);
  const leaves = around.flatMap(({ body }) => leavesOf(body)).find((node) => !isWithin(node, walks));
  if (leaves !== undefined) return not("dependence", "a loop around the walk ends in the middle", leaves);
  const arrays = walks.flatMap((walk) => walk.arrays.map(({ parameter }) => parameter));
  return { walks, around, arrays: [...new Set(arrays)] };
}

function isWithin(node: SyntaxNode, walks: readonly Walk[]): boolean {
  return walks.some(({ counted }) => isInside(node, counted.loop));
}

function leavesOf(body: SyntaxNode): readonly SyntaxNode[] {
  return body.descendantsOfType([
    ...["break_statement", "continue_statement", "return_statement", "goto_statement"],
  ]);
}

/** The loop as a walk; undefined where none of its elements lie in rows of the threads. */
function walkOf(shared: Shared, counted: CountedLoop): Walk | RuleHold | undefined {
  const { view } = shared;
  const { body, variable, step, comparison, loop } = counted;
  const inside = cudaAccesses(view.kernel).accesses.filter(({ node }) => isInside(node, body));
  const arrays = walkedArrays(shared, counted, inside);
  if (isNot(arrays)) return arrays;
  if (arrays.length === 0) return undefined;
  const byOne = step.amount === undefined || view.scope.value(step.amount) === 1;
  const up = step.operator === "+" && ["<", "<="].includes(comparison);
  const down = step.operator === "-" && [">", ">="].includes(comparison);
  if (!byOne || !(up || down)) return not("no-pattern", `${variable} does not count by one`, loop);
  if (down && /unsigned|size_t|uint/.test(counted.type))
    return not("no-pattern", `${variable} counts down without a sign`, loop);
  if (!isShared(shared, counted))
    return not("dependence", "the walks of a block's threads differ in their length", loop);
  const leaves = leavesOf(body).find(({ type }) => type !== "continue_statement");
  if (leaves !== undefined) return not("dependence", "the walk may end in the middle", leaves);
  const crossed = crossedArray(arrays, inside, body);
  if (crossed !== undefined) return crossed;
  return { counted, down, arrays };
}

/** Elements from a row of a tile to the next: odd, so that lanes hit different banks. */
export function pitchOf({ each }: WalkedArray, turns: number): number {
  const length = each * turns;
  return length % 2 === 0 ? length + 1 : length;
}

/** What arrays have in common that may take turns in one tile. */
export function tileKind(array: WalkedArray, turns: number): string {
  return `${array.type} ${pitchOf(array, turns)}`;
}

/** Bytes of shared memory that the tiles of all walks take for each thread. */
export function tileBytes({ walks }: WalkPlan, turns: number): number {
  const most = new Map<string, number>();
  for (const { arrays } of walks)
    for (const array of arrays) {
      const same = arrays.filter((each) => tileKind(each, turns) === tileKind(array, turns));
      const bytes = same.length * array.bytes * pitchOf(array, turns);
      most.set(tileKind(array, turns), Math.max(bytes, most.get(tileKind(array, turns)) ?? 0));
    }
  return [...most.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** An array that the walk stores to and touches in another way as well. */
function crossedArray(
  arrays: readonly WalkedArray[],
  inside: readonly CudaAccess[],
  body: SyntaxNode,
): RuleHold | undefined {
  const stored = new Set(inside.filter(({ stores }) => stores).map(({ parameter }) => parameter));
  for (const { parameter, uses } of arrays) {
    if (!stored.has(parameter)) continue;
    const own = inside.filter((access) => access.parameter === parameter);
    const other = own.find(({ node }) => !uses.some(({ access }) => access.node.id === node.id));
    if (other !== undefined)
      return not("dependence", `${parameter} is stored, and touched at another element too`, other.node);
    const bases = new Set(own.map(({ base }) => base));
    const mention = [...bases]
      .flatMap((base) => usesOf(body, base))
      .find((use) => !own.some(({ node }) => isInside(use, node)));
    if (mention !== undefined)
      return not("aliasing", `${parameter} is used otherwise than by its elements`, mention);
  }
  return undefined;
}

/** True for a loop that all threads of a block go through with the same numbers. */
function isShared(shared: Shared, { start, bound, step, body, variable }: CountedLoop): boolean {
  const nodes = [start, bound, ...(step.amount === undefined ? [] : [step.amount])];
  return !isAssigned(body, variable) && nodes.every((node) => isPure(node) && isTheSame(shared, node));
}

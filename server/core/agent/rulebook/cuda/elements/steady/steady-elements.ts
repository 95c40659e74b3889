import { cudaAccesses, type CudaAccess } from "../../../../../language/cuda/body/accesses";
import { coefficient, constantOf, type Form } from "../../../../../language/cuda/body/forms";
import { isPure } from "../../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import { formIn, type KernelView } from "../../kernel";
import { elementTypeOf } from "../../points/point-space";
import { areKept, carriedGuard, comparesIndex, guardsOfAll } from "./guards";
import { isOwnElement, picksThreads } from "./picked-threads";
import { isStoredAnyway } from "./there-anyway";

/** An element of global memory that the turns of a loop load and store, the same one in each turn. */
export interface SteadyElement {
  /** The element wherever the loop names it. */
  readonly uses: readonly SyntaxNode[];
  readonly element: SyntaxNode;
  /** Without blanks. */
  readonly text: string;
  /** Of the element, as written. */
  readonly type: string;
  /** The statement in front of the loop that sets the element, where nothing touches it in between. */
  readonly before: SyntaxNode | undefined;
  /** The condition, alike in each turn, under which the element is there; undefined where it always is. */
  readonly guard: string | undefined;
}

interface SteadyElements {
  readonly elements: readonly SteadyElement[];
  /** Why an element that stays the same is none of them. */
  readonly held: RuleHold | undefined;
}

/** The elements that a loop keeps on changing; none that another access of the loop may touch as well. */
export function steadyElements(view: KernelView, loop: SyntaxNode): SteadyElements {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const inside = [...accesses, ...atomics].filter(({ node }) => isInside(node, loop));
  const steady = inside.filter((each) => isSteady(loop, each));
  const elements: SteadyElement[] = [];
  let held: RuleHold | undefined;
  for (const store of steady.filter((each) => each.stores)) {
    const text = compact(store.node);
    const same = steady.filter(({ node }) => compact(node) === text);
    if (elements.some((each) => each.text === text) || !same.some(({ loads }) => loads)) continue;
    const candidate = { loop, store, same, inside, accesses };
    const guard = guardOf(view, candidate);
    const found = heldBy(view, candidate, guard);
    held ??= found;
    if (found !== undefined) continue;
    const type = elementTypeOf(view, store.parameter) ?? "auto";
    const before = setBefore(loop, store, accesses);
    const uses = same.map(({ node }) => node);
    elements.push({ uses, element: store.node, text, type, before, guard: guard?.carried });
  }
  return { elements, held };
}

/** `element = value;` among the statements in front of the loop, if all behind it leave the array alone. */
function setBefore(
  loop: SyntaxNode,
  store: CudaAccess,
  accesses: readonly CudaAccess[],
): SyntaxNode | undefined {
  if (loop.parent?.type !== "compound_statement") return undefined;
  const before = partsOf(loop.parent).filter(({ endIndex }) => endIndex <= loop.startIndex);
  const touches = (node: SyntaxNode): boolean =>
    accesses.some((each) => each.parameter === store.parameter && isInside(each.node, node));
  const last = before.findLast(touches);
  const act = last?.type === "expression_statement" ? last.namedChildren[0] : undefined;
  const plain = act?.type === "assignment_expression" && fieldText(act, "operator") === "=";
  const value = act?.childForFieldName("right");
  const own = compact(act?.childForFieldName("left")) === compact(store.node);
  return plain && own && value && !touches(value) ? last : undefined;
}

interface Candidate {
  readonly loop: SyntaxNode;
  readonly store: CudaAccess;
  /** Accesses of the same element. */
  readonly same: readonly CudaAccess[];
  /** Accesses of the loop. */
  readonly inside: readonly CudaAccess[];
  /** Accesses of the kernel. */
  readonly accesses: readonly CudaAccess[];
}

function heldBy(
  view: KernelView,
  { loop, store, same, inside }: Candidate,
  guard: Guard | undefined,
): RuleHold | undefined {
  const overlap = inside.find(
    (each) => each.parameter === store.parameter && !same.includes(each) && !isApart(view, each, store),
  );
  if (overlap !== undefined)
    return not("aliasing", `${compact(overlap.node)} may be the same element`, overlap.node);
  const escape = usesOf(loop, store.base).find((use) => !inside.some(({ node }) => isInside(use, node)));
  if (escape !== undefined) return not("aliasing", `${store.base} is handed on in the loop`, escape);
  const picking = guardsOfAll(loop, same).find((each) => picksThreads(view, each, store));
  if (picking !== undefined)
    return not("dependence", `${compact(picking)} may pick the thread that has the element`, picking);
  if (guard !== undefined && guard.carried === undefined)
    return not("dependence", `${compact(guard.condition)} may guard the element`, guard.condition);
  const [leaving] = loop.descendantsOfType(["return_statement", "goto_statement"]);
  return leaving && not("dependence", "the loop may leave the kernel", leaving);
}

/** A condition of the loop that may say which threads have the element. */
interface Guard {
  readonly condition: SyntaxNode;
  /** What can stand around the loop as well; undefined where it cannot, or the element is set without it. */
  readonly carried: string | undefined;
}

/** Undefined where no condition does, or all threads that reach the loop store the element anyway. */
function guardOf(view: KernelView, { loop, store, same, accesses }: Candidate): Guard | undefined {
  const guards = guardsOfAll(loop, same);
  const condition = guards.find((each) => comparesIndex(view, each, same));
  if (condition === undefined) return undefined;
  const stays = isStoredAnyway(loop, store, accesses);
  if (stays && guards.every((each) => isOwnElement(view, each, store))) return undefined;
  if (stays || setBefore(loop, store, accesses) !== undefined) return { condition, carried: undefined };
  const type = elementTypeOf(view, store.parameter) ?? "auto";
  return { condition, carried: carriedGuard(view, { loop, same, type }) };
}

/** True for an element whose address no turn of the loop changes. */
function isSteady(loop: SyntaxNode, { indexNode, base }: CudaAccess): boolean {
  if (indexNode === undefined || !isPure(indexNode)) return false;
  if (indexNode.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0) return false;
  return areKept(loop, [base, ...indexNode.descendantsOfType("identifier").map(({ text }) => text)]);
}

/** True where two elements of one array lie a number of elements apart that is known and not zero. */
function isApart(view: KernelView, one: CudaAccess, other: CudaAccess): boolean {
  if (one.indexNode === undefined || other.indexNode === undefined || one.base !== other.base) return false;
  const [first, second] = [formIn(view, one.indexNode), formIn(view, other.indexNode)];
  const distance = constantOf(difference(first, second));
  return distance !== undefined && distance !== 0;
}

function difference(first: Form, second: Form): Form {
  const keys = [...new Set([...first.keys(), ...second.keys()])];
  const terms = keys.map((key) => [key, coefficient(first, key) - coefficient(second, key)] as const);
  return new Map(terms.filter(([, factor]) => factor !== 0));
}

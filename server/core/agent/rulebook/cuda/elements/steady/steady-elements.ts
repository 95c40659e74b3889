import { cudaAccesses, type CudaAccess } from "../../../../../language/cuda/body/accesses";
import { coefficient, constantOf, type Form } from "../../../../../language/cuda/body/forms";
import { changes, isPure, localValues } from "../../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import { formIn, type KernelView } from "../../kernel";
import { elementTypeOf } from "../../points/point-space";
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
    const found = heldBy(view, { loop, store, same, inside, accesses });
    held ??= found;
    if (found !== undefined) continue;
    const type = elementTypeOf(view, store.parameter) ?? "auto";
    const before = setBefore(loop, store, accesses);
    elements.push({ uses: same.map(({ node }) => node), element: store.node, text, type, before });
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

function heldBy(view: KernelView, { loop, store, same, inside, accesses }: Candidate): RuleHold | undefined {
  const overlap = inside.find(
    (each) => each.parameter === store.parameter && !same.includes(each) && !isApart(view, each, store),
  );
  if (overlap !== undefined)
    return not("aliasing", `${compact(overlap.node)} may be the same element`, overlap.node);
  const escape = usesOf(loop, store.base).find((use) => !inside.some(({ node }) => isInside(use, node)));
  if (escape !== undefined) return not("aliasing", `${store.base} is handed on in the loop`, escape);
  const guards = guardsOfAll(loop, same);
  const picking = guards.find((guard) => picksThreads(view, guard, store));
  if (picking !== undefined)
    return not("dependence", `${compact(picking)} may pick the thread that has the element`, picking);
  const guard = guards.find((each) => comparesIndex(each, same));
  const stays = guard !== undefined && isStoredAnyway(loop, store, accesses);
  if (guard !== undefined && !(stays && guards.every((each) => isOwnElement(view, each, store))))
    return not("dependence", `${compact(guard)} may guard the element`, guard);
  const [leaving] = loop.descendantsOfType(["return_statement", "goto_statement"]);
  return leaving && not("dependence", "the loop may leave the kernel", leaving);
}

/** The conditions of the loop under which alone the element is touched, from the inside out. */
function guardsOfAll(loop: SyntaxNode, same: readonly CudaAccess[]): readonly SyntaxNode[] {
  const guards: SyntaxNode[] = [];
  const [first] = same;
  for (
    let at = first && enclosing(first.node, "if_statement");
    at && isInside(at, loop);
    at = enclosing(at, "if_statement")
  ) {
    const [statement, condition] = [at, at.childForFieldName("condition")];
    const all = same.every(
      ({ node }) => isInside(node, statement) && !(condition && isInside(node, condition)),
    );
    if (all && condition) guards.push(condition);
  }
  return guards;
}

/** True for a condition on what the element's index is made of. */
function comparesIndex(condition: SyntaxNode, same: readonly CudaAccess[]): boolean {
  const names = new Set(
    same.flatMap(({ indexNode }) => indexNode?.descendantsOfType("identifier") ?? []).map(({ text }) => text),
  );
  return condition
    .descendantsOfType("identifier")
    .some((name) => names.has(name.text) && enclosing(name, "subscript_argument_list") === undefined);
}

/** True for an element whose address no turn of the loop changes. */
function isSteady(loop: SyntaxNode, { indexNode, base }: CudaAccess): boolean {
  if (indexNode === undefined || !isPure(indexNode)) return false;
  if (indexNode.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0) return false;
  const own = new Set([
    ...localValues(loop).map(({ name }) => name),
    ...changes(loop).map(({ target }) => target.text),
    ...loop.descendantsOfType("declaration").flatMap(declaredIn),
  ]);
  const names = [base, ...indexNode.descendantsOfType("identifier").map(({ text }) => text)];
  return names.every((name) => !own.has(name));
}

function declaredIn(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
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

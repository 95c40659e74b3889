import { arraysOf } from "../../../../language/cuda/body/arrays";
import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, fieldText, isInside, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { elementTypeOf } from "../points/point-space";
import { carriedValues } from "../rows/carried-values";

/** `out[i] = sum / n;` behind the loop that made the sum. */
export interface StoredSum {
  readonly assignment: SyntaxNode;
  readonly target: SyntaxNode;
  readonly value: SyntaxNode;
  /** Of the element. */
  readonly type: string;
}

/** The only loop of a kernel that stands in no other, with what is stored of the sums that it makes. */
interface SummedTurns {
  readonly loop: CountedLoop;
  readonly stores: readonly StoredSum[];
}

const loops = ["for_statement", "while_statement", "do_statement"];
/** What `atomicAdd` adds on any GPU that counts. */
const addable = /^(?:float|double|int|unsigned|unsigned int)$/;

/**
 * The turns of a kernel's loop, where all that becomes of them are sums which are stored behind it, each
 * element once: parts of the sums may then be added to the elements in any order.
 */
export function summedTurns(
  view: KernelView,
  block: readonly [number, number, number],
): SummedTurns | RuleHold {
  const { body } = view;
  const outer = body.descendantsOfType(loops).filter((node) => enclosing(node, ...loops) === undefined);
  const [only] = outer;
  const loop = countedLoops(body).find((each) => each.loop.id === only?.id);
  if (loop === undefined || outer.length > 1)
    return not("no-pattern", "no single counted loop makes up the work of a thread", only ?? view.line);
  const held = countsUp(loop) ?? handsOnShared(view, loop) ?? behindHeld(view, loop);
  if (held !== undefined) return held;
  const sums = sumsOf(view, loop);
  if (isNot(sums)) return sums;
  const stores = storesOf(view, loop, sums);
  if (isNot(stores)) return stores;
  const shared = stores.find(({ target }) => !isOfOneThread(view, target, block));
  return shared === undefined
    ? { loop, stores }
    : not("dependence", `several threads store ${compact(shared.target)}`, shared.target);
}

/** A guard's answer unless a loop counts up to an end that no turn changes, and ends nowhere else. */
export function countsUp({
  loop,
  start,
  step,
  comparison,
  body,
  variable,
}: CountedLoop): RuleHold | undefined {
  const parts = [start, ...(step.amount === undefined ? [] : [step.amount])];
  const up = step.operator === "+" && (comparison === "<" || comparison === "<=") && parts.every(isPure);
  if (!up) return not("no-pattern", `${variable} does not count up to an end`, loop);
  const names = parts.flatMap((part) => part.descendantsOfType("identifier").map(({ text }) => text));
  const changed = changes(body).find(({ target }) => names.includes(target.text));
  if (changed !== undefined) return not("dependence", `${compact(changed.target)} changes in the loop`, loop);
  const [leaves] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  return leaves && not("dependence", "the loop may end in its middle", leaves);
}

/** Arrays that hand something on from one turn to the next. */
export function handsOnShared(
  { body }: KernelView,
  { loop, body: turns }: CountedLoop,
): RuleHold | undefined {
  for (const { name, storage, accesses, escape, declaration } of arraysOf(body)) {
    if (isInside(declaration, turns)) continue;
    const inside = accesses.filter(({ node }) => isInside(node, loop));
    if (storage === "local" && inside.length > 0 && changesIn(turns, name))
      return not("dependence", `${name} is carried from one turn to the next`, declaration);
    if (storage === "local") continue;
    const [first] = inside;
    const elsewhere = accesses.length > inside.length || escape !== undefined;
    if (elsewhere || (first !== undefined && !isStored(first.node)))
      return not("cooperation", `${name} may hold what another turn has left`, declaration);
  }
  return undefined;
}

function changesIn(node: SyntaxNode, name: string): boolean {
  return changes(node).some(({ target }) => usesOf(target, name).length > 0);
}

/** True for the left side of a plain assignment. */
function isStored(node: SyntaxNode): boolean {
  const { parent } = node;
  const left = parent?.childForFieldName("left");
  return (
    parent?.type === "assignment_expression" && left?.id === node.id && fieldText(parent, "operator") === "="
  );
}

/** Threads that work together behind the loop, or that wait for other blocks. */
function behindHeld(view: KernelView, { loop }: CountedLoop): RuleHold | undefined {
  const text = view.body.text.slice(loop.endIndex - view.body.startIndex);
  const together = /\b(?:__syncthreads|__syncwarp|__shfl\w*|__ballot\w*|cooperative_groups|cg::)/.exec(text);
  if (together !== null)
    return not("cooperation", `threads work together behind the loop (${together[0]})`, loop);
  const { atomics } = cudaAccesses(view.kernel);
  return atomics[0] && not("dependence", `${atomics[0].base} is changed by atomics`, atomics[0].node);
}

/** The names of the loop's sums, which begin at zero. */
function sumsOf(
  { body }: KernelView,
  { loop, body: turns, variable }: CountedLoop,
): readonly string[] | RuleHold {
  const carried = carriedValues(turns, variable);
  if (isNot(carried)) return carried;
  for (const { name, combination, place } of carried) {
    if (combination !== "sum" || place !== undefined) return not("no-rewrite", `${name} is no sum`, loop);
    const begun = localValues(body).find((local) => local.name === name);
    if (begun === undefined || !/^[-+]?0*\.?0*[fFuU]?$/.test(begun.value.text))
      return not("no-rewrite", `${name} does not begin at zero`, loop);
  }
  return carried.length === 0
    ? not("no-pattern", "the loop makes no sum", loop)
    : carried.map(({ name }) => name);
}

function storesOf(
  view: KernelView,
  { loop }: CountedLoop,
  sums: readonly string[],
): readonly StoredSum[] | RuleHold {
  const { accesses } = cudaAccesses(view.kernel);
  const stores = accesses.filter((access) => access.stores);
  const found = stores.map((store) => storedSum(view, store, { loop, sums }));
  const held = found.find(isNot);
  if (held !== undefined) return held;
  const stored = found.flatMap((each) => (isNot(each) ? [] : [each]));
  const both = accesses.find(
    ({ loads, parameter }) => loads && stores.some((each) => each.parameter === parameter),
  );
  if (both !== undefined) return not("aliasing", `${both.base} is loaded as well as stored`, both.node);
  const uses = sums.flatMap((name) => usesOf(view.body, name));
  const other = uses.find(
    (use) =>
      !isInside(use, loop) &&
      enclosing(use, "declaration") === undefined &&
      !stored.some(({ value }) => isInside(use, value)),
  );
  if (other !== undefined) return not("dependence", `${other.text} is used beside what is stored`, other);
  return stored.length === 0 ? not("no-pattern", "no sum is stored behind the loop", loop) : stored;
}

function storedSum(
  view: KernelView,
  { node, parameter }: CudaAccess,
  { loop, sums }: { readonly loop: SyntaxNode; readonly sums: readonly string[] },
): StoredSum | RuleHold {
  const { parent } = node;
  const value = parent?.childForFieldName("right");
  const plain = isStored(node) && parent?.parent?.type === "expression_statement";
  if (parent === null || !plain || !value || node.startIndex < loop.endIndex)
    return not("dependence", `${compact(node)} is stored in another way than a sum`, node);
  const type = elementTypeOf(view, parameter);
  const meant = type === undefined ? "" : (view.model.types.get(type) ?? type);
  if (type === undefined || !addable.test(meant))
    return not("type", `nothing is added to ${compact(node)} by atomics`, node);
  const isWhole = !/^(?:float|double)$/.test(meant);
  return isLinear(value, sums, isWhole)
    ? { assignment: parent, target: node, value, type }
    : not("no-rewrite", `${compact(value)} is no multiple of a sum`, value);
}

/** True where each thread of a block stores an element of its own, or one of them alone does so. */
function isOfOneThread(
  { model, body }: KernelView,
  target: SyntaxNode,
  block: readonly [number, number, number],
): boolean {
  const conditions: SyntaxNode[] = [];
  for (
    let node = enclosing(target, "if_statement");
    node !== undefined;
    node = enclosing(node, "if_statement")
  )
    conditions.push(...(node.childForFieldName("condition") ?? node).descendantsOfType("binary_expression"));
  const chosen = conditions.filter((node) => fieldText(node, "operator") === "==");
  return (["x", "y", "z"] as const).every((axis, place) => {
    const varies = variesWithThread(model, body, axis);
    return (block[place] ?? 1) === 1 || varies(target) || chosen.some(varies);
  });
}

/** True for a multiple of a sum, and for sums of such: parts of it add up to the whole. */
function isLinear(node: SyntaxNode, sums: readonly string[], isWhole: boolean): boolean {
  const inner = unwrapped(node);
  const of = (field: string): boolean => {
    const side = inner.childForFieldName(field);
    return side !== null && isLinear(side, sums, isWhole);
  };
  const free = (field: string): boolean => {
    const side = inner.childForFieldName(field);
    return side !== null && !sums.some((name) => usesOf(side, name).length > 0);
  };
  const alone: Readonly<Record<string, () => boolean>> = {
    identifier: () => sums.includes(inner.text),
    cast_expression: () => /^(?:float|double)$/.test(fieldText(inner, "type")) && of("value"),
    unary_expression: () => inner.text.startsWith("-") && of("argument"),
  };
  if (inner.type !== "binary_expression") return alone[inner.type]?.() === true;
  const operator = fieldText(inner, "operator");
  if (operator === "+" || operator === "-") return of("left") && of("right");
  if (operator === "/") return !isWhole && of("left") && free("right");
  return operator === "*" && (of("left") ? free("right") : free("left") && of("right"));
}

import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  enclosing,
  fieldText,
  isInside,
  partsOf,
  unwrapped,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { loopReach } from "../elements/item-loops";
import { type KernelView, scalarBytes } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { effectsOf } from "../order/statement-effects";
import { elementTypeOf } from "../points/point-space";
import { structureNamed } from "../structures/structure-layout";
import { addressedType, type Combining, isCombining, startOf } from "./shared-sum";

/** `atomicAdd(&bins[index], value);`, `atomicMax(&groups[index].highest, value);`. */
export interface Tally {
  readonly statement: SyntaxNode;
  readonly function: Combining;
  readonly bins: string;
  /** The address with its index left out: counters of one name lie in the same member of their elements. */
  readonly counters: string;
  /** The address of another counter. */
  readonly at: (index: string) => string;
  readonly index: SyntaxNode;
  readonly value: SyntaxNode;
  readonly type: string;
  /** How many counters there are, where the type of a structure says it. */
  readonly count: number | undefined;
}

/** The crowded atomics that count in bins, unless a counter of theirs is changed in another way as well. */
export function talliesOf(
  view: KernelView,
  atomics: readonly CudaAccess[],
  met: readonly CudaAccess[],
): readonly Tally[] | RuleHold {
  const tallies: Tally[] = [];
  let held: RuleHold | undefined;
  for (const atomic of met) {
    const tally = tallyOf(view, atomics, atomic);
    if (isNot(tally)) held ??= tally;
    else tallies.push(tally);
  }
  const other = atomics.find((atomic) => tallies.some((tally) => isOther(view, tally, atomic)));
  if (other !== undefined)
    return not(
      "dependence",
      `${other.base} is changed by ${fieldText(other.node, "function")} too`,
      other.node,
    );
  return tallies.length === 0 ? (held ?? not("no-pattern", "no atomic counts in bins", view.line)) : tallies;
}

/** True for an atomic that changes a tally's counters in another way, or wants to know what they were. */
function isOther(view: KernelView, tally: Tally, { node, parameter, base }: CudaAccess): boolean {
  if (parameter !== tally.bins) return false;
  const [address] = partsOf(node.childForFieldName("arguments"));
  const counter = address && counterAt(view, address, base);
  if (counter !== undefined && counter.counters !== tally.counters) return false;
  const isAlone = node.parent?.type === "expression_statement";
  return fieldText(node, "function") !== tally.function || !isAlone;
}

function tallyOf(
  view: KernelView,
  atomics: readonly CudaAccess[],
  { node: call, parameter, base }: CudaAccess,
): Tally | RuleHold {
  const [address, value, ...more] = partsOf(call.childForFieldName("arguments"));
  const statement = call.parent;
  const name = fieldText(call, "function");
  if (!isCombining(name) || address === undefined || value === undefined)
    return not("no-pattern", "the atomic is no sum and no extreme", call);
  if (statement?.type !== "expression_statement" || more.length > 0)
    return not("dependence", "what the atomic returns is used", call);
  const counter = counterAt(view, address, base);
  if (counter === undefined || base !== parameter || !isQuiet(view, counter.index))
    return not("no-pattern", `${compact(address)} is no element of a parameter`, address);
  const { type } = counter;
  if (scalarBytes(view, type) === undefined || startOf(name, type) === undefined)
    return not("type", `counters of the type ${type} cannot be kept in shared memory`, address);
  const addresses = atomics.flatMap(({ node }) => partsOf(node.childForFieldName("arguments"))[0] ?? []);
  const other = cudaAccesses(view.kernel).accesses.find(
    (access) => access.parameter === parameter && !addresses.some((each) => isInside(access.node, each)),
  );
  return other === undefined
    ? { statement, function: name, bins: base, value, ...counter }
    : not("dependence", `${base} is used beside the sums`, other.node);
}

/** True for an index that nothing but its value comes of, functions of the file included. */
function isQuiet(view: KernelView, index: SyntaxNode): boolean {
  const acts = index.descendantsOfType(["update_expression", "assignment_expression"]);
  return acts.length === 0 && (isPure(index) || !effectsOf(view, index).acts);
}

type Counter = Pick<Tally, "counters" | "at" | "index" | "type" | "count">;

/** The counter that an address names by one index. */
function counterAt(view: KernelView, address: SyntaxNode, base: string): Counter | undefined {
  const place = unwrappedCast(address);
  const index = indexIn(place.node, base);
  if (index === undefined) return undefined;
  const parameter = view.kernel.facts.parameters.find(({ name }) => name === base);
  const whole = elementTypeOf(view, base) ?? "";
  const written = place.type ?? addressedType(view, place.node, whole);
  const range = { start: address.startIndex, end: address.endIndex };
  const at = (text: string): string => editedText(view.source, range, [replaceNode(index, text)]);
  return {
    ...{ index, at },
    counters: place.node.type === "binary_expression" ? `&${base}[]` : memberOf(view, place.node, index),
    type: view.model.types.get(written) ?? written,
    count: parameter === undefined ? undefined : memberCount(view, index, whole),
  };
}

/** The address as text, its index left out. */
function memberOf(
  { source }: KernelView,
  { startIndex: start, endIndex: end }: SyntaxNode,
  index: SyntaxNode,
): string {
  return editedText(source, { start, end }, [replaceNode(index, "")]).replace(/[\s()]+/g, "");
}

/** `(unsigned long long*)&sums[g]` as the address and the type. */
function unwrappedCast(address: SyntaxNode): { readonly node: SyntaxNode; readonly type?: string } {
  const node = unwrapped(address);
  const value = node.type === "cast_expression" ? node.childForFieldName("value") : null;
  if (value !== null)
    return { node: unwrapped(value), type: collapse(fieldText(node, "type").replace("*", " ")) };
  const type = /^reinterpret_cast\s*<([^*<>]+)\*\s*>$/.exec(fieldText(node, "function"))?.[1];
  const [inner] = partsOf(node.childForFieldName("arguments"));
  return type === undefined || inner === undefined
    ? { node }
    : { node: unwrapped(inner), type: collapse(type) };
}

/** The index in `&bins[index]`, `bins + index`, `&groups[index].sum` and `&counts->bins[index]`. */
function indexIn(inner: SyntaxNode, base: string): SyntaxNode | undefined {
  if (inner.type === "binary_expression" && fieldText(inner, "operator") === "+") {
    const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
    return left?.text === base ? (right ?? undefined) : undefined;
  }
  if (inner.type !== "pointer_expression" || !inner.text.startsWith("&")) return undefined;
  let found: SyntaxNode | undefined;
  let node = inner.childForFieldName("argument");
  while (node !== null && collapse(node.text) !== base) {
    node = unwrapped(node);
    const index = subscriptIndex(node);
    if (node.type !== "field_expression" && (index === undefined || found !== undefined)) return undefined;
    found = index ?? found;
    node = node.childForFieldName("argument");
  }
  return node === null ? undefined : found;
}

/** The length of a structure's member that an index says a place in. */
function memberCount(view: KernelView, index: SyntaxNode, whole: string): number | undefined {
  const array = enclosing(index, "subscript_expression")?.childForFieldName("argument");
  if (array?.type !== "field_expression") return undefined;
  const structure = structureNamed(view.model.root, whole);
  const size = structure?.body
    .descendantsOfType("array_declarator")
    .find((node) => node.childForFieldName("declarator")?.text === fieldText(array, "field"))
    ?.childForFieldName("size");
  return size ? view.scope.value(size) : undefined;
}

/** `bins[c]` in `for (c = threadIdx.x; c < n; c += blockDim.x)`. */
export function isOwnColumn(input: RuleInput, view: KernelView, { statement, index }: Tally): boolean {
  const block = rowOfThreads(input, view);
  if (isNot(block)) return false;
  const around = countedLoops(view.body).filter(({ loop }) => isInside(statement, loop));
  return around.some(
    (loop) => loop.variable === index.text && loopReach(view, loop, block.sizes[0]) === "block",
  );
}

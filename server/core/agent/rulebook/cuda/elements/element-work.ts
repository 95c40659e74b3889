import { mustGet } from "../../../../base/known";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import type { Form } from "../../../../language/cuda/body/forms";
import { changes, isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import {
  cooperation,
  cooperationIn,
  mentionIn,
  variesWithThread,
} from "../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { conditionsAround } from "../points/loaded-ahead";
import { type ElementStream, type IndexedWork, streamPlace } from "./element-streams";
import { packsOf, type VectorType, vectorTypeOf } from "./vector-types";

/** `array[index]`, or a read-only load `__ldg(&array[index])` of it. */
export interface ElementUse {
  /** What stands for the element's value. */
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  readonly array: string;
  /** The key of its stream, and its place among the stream's elements of one index. */
  readonly stream: string;
  readonly offset: number;
  /** The assignment that stores to it, when it is the target of one. */
  readonly store: SyntaxNode | undefined;
}

/** Statements that handle the elements at one index of arrays of the same length of vector. */
export interface ElementWork {
  /** What is to be replaced: a guarding `if` whole, or the statements. */
  readonly region: { readonly start: number; readonly end: number; readonly first: SyntaxNode };
  readonly statements: readonly SyntaxNode[];
  readonly index: string;
  /** The expression that the index stays below. */
  readonly end: string;
  readonly uses: readonly ElementUse[];
  readonly streams: ReadonlyMap<string, ElementStream>;
  /** By the keys of the streams. */
  readonly vectors: ReadonlyMap<string, VectorType>;
  /** Indices whose elements are moved together. */
  readonly lanes: number;
}

/** Where statements that handle one element stand. */
export interface ElementPlace {
  readonly statements: readonly SyntaxNode[];
  readonly index: string;
  readonly bound: SyntaxNode;
  /** A guard that is replaced together with its statements. */
  readonly guard?: SyntaxNode;
  /** Variables in which the statements sum up, whatever the order of the elements. */
  readonly sums?: ReadonlySet<string>;
}

/**
 * A guard's answer when the threads of a block have to do with each other. Sums by atomics whose result
 * nobody uses are as right in any thread: `sums` lets them pass.
 */
export function threadsCooperate(view: KernelView, { sums = false } = {}): RuleHold | undefined {
  const mention = cooperation(view.model, view.kernel, sums ? unusedAtomics(view) : []);
  return (
    mention && not("cooperation", `the threads of a block work together (${mention.text})`, mention.line)
  );
}

/** Statements that are an atomic of the kernel and nothing else. */
function unusedAtomics({ kernel }: KernelView): readonly SyntaxNode[] {
  const { atomics } = cudaAccesses(kernel);
  return atomics.flatMap(({ node }) => (node.parent?.type === "expression_statement" ? [node] : []));
}

/** Reads statements as work on single elements; a guard's answer when they do anything else. */
export function elementWork(view: KernelView, place: ElementPlace): ElementWork | RuleHold {
  const { statements, index, bound, guard } = place;
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined)
    return not("no-pattern", "nothing is done with the element", bound);
  const held = leaves(statements) ?? meets(view, statements) ?? changingBound(view, bound);
  if (held !== undefined) return held;
  const found = elementUses(view, statements, index);
  if (isNot(found)) return found;
  const dependent = dependenceIn(view, place, found);
  if (dependent !== undefined) return dependent;
  const vectors = vectorsOf(view, found);
  if (isNot(vectors)) return vectors;
  const lanes = lanesOf(found, vectors);
  const outer = guard ?? first;
  return lanes === undefined
    ? not("no-pattern", "no array element is touched", first)
    : {
        region: { start: outer.startIndex, end: (guard ?? last).endIndex, first: outer },
        ...{ statements, index, end: grouped(bound), ...found, vectors, lanes },
      };
}

/** What keeps elements of several indices from being moved together. */
function dependenceIn(
  view: KernelView,
  { statements, index, sums = new Set() }: ElementPlace,
  found: ElementUses,
): RuleHold | undefined {
  return (
    otherUse(view, statements, { index, uses: found.uses, sums }) ??
    partialStore(statements, found) ??
    overlapping(found) ??
    maybeOutside(statements, { index, found })
  );
}

/** Indices whose elements one access moves. */
function lanesOf({ streams }: ElementUses, vectors: ReadonlyMap<string, VectorType>): number | undefined {
  const [lanes] = [...streams].map(([key, { each }]) => mustGet(vectors, key).lanes / each);
  return lanes;
}

function grouped(bound: SyntaxNode): string {
  const simple = ["identifier", "number_literal", "field_expression", "parenthesized_expression"];
  return simple.includes(bound.type) || bound.type === "call_expression" ? bound.text : `(${bound.text})`;
}

/** Statements that may skip, repeat or end what follows them. */
function leaves(statements: readonly SyntaxNode[]): RuleHold | undefined {
  const types = ["for_statement", "while_statement", "do_statement", "switch_statement", "goto_statement"];
  const ends = ["return_statement", "break_statement", "continue_statement"];
  const [found] = statements.flatMap((statement) => statement.descendantsOfType([...types, ...ends]));
  return (
    found &&
    not("no-pattern", `the work on an element holds a ${found.type.replace("_statement", "")}`, found)
  );
}

/** Threads that work together on an element. */
function meets({ model, kernel }: KernelView, statements: readonly SyntaxNode[]): RuleHold | undefined {
  const mention = cooperationIn(model, kernel, statements);
  return mention && not("cooperation", `the threads work together there (${mention.text})`, mention.line);
}

function changingBound(view: KernelView, bound: SyntaxNode): RuleHold | undefined {
  const changes = bound.descendantsOfType("identifier").some((name) => isAssigned(view.body, name.text));
  return isPure(bound) && !changes
    ? undefined
    : not("dependence", `the end ${compact(bound)} may change meanwhile`, bound);
}

interface ElementUses {
  readonly uses: readonly ElementUse[];
  readonly streams: ReadonlyMap<string, ElementStream>;
}

/** Every element that the statements touch; a guard's answer when one is not at the index. */
function elementUses(
  view: KernelView,
  statements: readonly SyntaxNode[],
  index: string,
): ElementUses | RuleHold {
  const own = statements.flatMap((statement) => usesOf(statement, index)).find((use) => use.parent !== null);
  if (own === undefined)
    return not("no-pattern", `no element at ${index} is touched`, statements[0] ?? view.line);
  const wanted = formIn(view, own);
  const work: IndexedWork = {
    statements,
    index,
    wanted,
    varies: variesWithThread(view.model, view.body, "x"),
  };
  const uses: ElementUse[] = [];
  const streams = new Map<string, ElementStream>();
  for (const statement of statements) {
    for (const node of statement.descendantsOfType("subscript_expression")) {
      const at = subscriptIndex(node);
      const array = node.childForFieldName("argument");
      const place = at !== undefined && array !== null ? streamPlace(view, { array, at }, work) : undefined;
      if (place === undefined) {
        const beside = at !== undefined && !isNeighbour(view, at, { wanted, index });
        if (beside && isOtherLoad(view, statements, array)) continue;
        return not("dependence", `${compact(node)} is not the element at ${index}`, node);
      }
      if (at === undefined) continue;
      const { key, stream, offset } = place;
      if (!streams.has(key) || offset === 0) streams.set(key, stream);
      uses.push({
        ...{ node: readOnlyLoad(node), index: at, array: stream.array },
        ...{ stream: key, offset, store: storeTo(node) },
      });
    }
  }
  return { uses, streams };
}

/**
 * Two streams of one array of which one is stored to, a distance apart that has to do with the threads: one
 * turn may store what a later one of the same thread loads. At any other distance threads would meet there
 * already.
 */
function overlapping({ uses, streams }: ElementUses): RuleHold | undefined {
  const stored = uses.find(({ stream, store }) => {
    const own = streams.get(stream)?.parameter;
    const others = [...streams].filter(([, { parameter }]) => parameter === own);
    return store !== undefined && others.length > 1 && others.some(([key]) => /Dim\b|threadIdx/.test(key));
  });
  return stored && not("aliasing", `other elements of ${stored.array} are touched as well`, stored.node);
}

/**
 * An array that may end before the index does: it is touched only under a condition on the index itself, or
 * its last element of an index may not be there at all.
 */
function maybeOutside(
  statements: readonly SyntaxNode[],
  { index, found: { uses, streams } }: { readonly index: string; readonly found: ElementUses },
): RuleHold | undefined {
  for (const [key, { each, isPlain }] of streams) {
    const own = uses.filter(({ stream }) => stream === key);
    const [first] = own;
    if (first === undefined) continue;
    const limited = own.map(({ node, offset }) => ({
      offset,
      conditions: conditionsAround(node, statements),
    }));
    const safe = limited.some(({ offset, conditions }) => {
      if (!isPlain) return conditions.length === 0 && offset === each - 1;
      return !conditions.some(({ node }) => comparesIndex(node, { index, uses }));
    });
    if (!safe) return not("dependence", `${first.array} may have no element for every ${index}`, first.node);
  }
  return undefined;
}

/** True for a condition that reads the index other than to find an element. */
function comparesIndex(
  condition: SyntaxNode,
  { index, uses }: { readonly index: string; readonly uses: readonly ElementUse[] },
): boolean {
  return usesOf(condition, index).some((use) => !uses.some(({ node }) => isInside(use, node)));
}

/** True for an index that grows with the element's own: neighbouring threads should load it together. */
function isNeighbour(
  view: KernelView,
  at: SyntaxNode,
  { wanted, index }: { readonly wanted: Form; readonly index: string },
): boolean {
  const own = [...wanted.keys()].filter((key) => key === index || /threadIdx/.test(key));
  const form = formIn(view, at);
  return own.some((key) => form.has(key));
}

/** A load of an array that nothing is stored to, at whatever index: it stays as it is for each element. */
function isOtherLoad(
  { kernel }: KernelView,
  statements: readonly SyntaxNode[],
  array: SyntaxNode | null,
): boolean {
  const parameter = kernel.facts.parameters.some(({ name, pointer }) => pointer && name === array?.text);
  const stored = statements
    .flatMap(changes)
    .some(({ target }) => array !== null && usesOf(target, array.text).length > 0);
  return parameter && !stored;
}

/** `__ldg(&array[index])` around a subscript. */
function readOnlyLoad(subscript: SyntaxNode): SyntaxNode {
  const address = subscript.parent;
  const call = address?.text.startsWith("&") ? address.parent?.parent : undefined;
  return call?.type === "call_expression" && /^__ld\w+$/.test(fieldText(call, "function")) ? call : subscript;
}

function storeTo(subscript: SyntaxNode): SyntaxNode | undefined {
  const parent = subscript.parent;
  if (parent?.type === "update_expression") return parent;
  return parent?.type === "assignment_expression" && parent.childForFieldName("left")?.id === subscript.id
    ? parent
    : undefined;
}

/**
 * A use of the index other than for an element, of the thread's number, of another memory, or a change of
 * something that outlives the element.
 */
function otherUse(
  view: KernelView,
  statements: readonly SyntaxNode[],
  { index, uses, sums }: Pick<ElementWork, "index" | "uses"> & { readonly sums: ReadonlySet<string> },
): RuleHold | undefined {
  const own = new Set(statements.flatMap((statement) => localValues(statement).map(({ name }) => name)));
  const varies = variesWithThread(view.model, view.body, "x");
  for (const statement of statements) {
    const hidden = mentionIn(statement, /\b(?:threadIdx|printf|atomic\w*|clock\w*)\b/);
    if (hidden !== undefined)
      return not("dependence", `${hidden.text} is used beside the element`, hidden.line);
    for (const name of statement.descendantsOfType("identifier")) {
      const inside = uses.some(({ node }) => isInside(name, node));
      if (inside || own.has(name.text) || sums.has(name.text) || isCallee(name)) continue;
      if (name.text === index) continue;
      if (isPointer(view, name)) return not("aliasing", `an address of ${name.text} is passed on`, name);
      if (varies(name)) return not("dependence", `${name.text} is used for more than the element`, name);
      if (isAssigned(statement, name.text))
        return not("dependence", `${name.text} is carried from one element to the next`, name);
    }
    const [pointer] = statement
      .descendantsOfType("pointer_expression")
      .filter((node) => !own.has(fieldText(node, "argument")) || !node.text.startsWith("&"))
      .filter((node) => !uses.some((use) => isInside(node, use.node)) && !isReadOnlyAddress(node));
    if (pointer !== undefined)
      return not("aliasing", `${compact(pointer)} may be one of the elements`, pointer);
  }
  return undefined;
}

/** A parameter that is a pointer, other than where an element of it is touched. */
function isPointer({ kernel }: KernelView, { text, parent }: SyntaxNode): boolean {
  const touched = parent?.type === "subscript_expression";
  return !touched && kernel.facts.parameters.some(({ name, pointer }) => pointer && name === text);
}

/** `&array[i]` of `__ldg(&array[i])`. */
function isReadOnlyAddress(node: SyntaxNode): boolean {
  const inner = node.descendantsOfType("subscript_expression")[0];
  return inner !== undefined && readOnlyLoad(inner).id !== inner.id;
}

/**
 * An array that is only stored to, and not for every element: a vector store would have to know what the
 * other elements hold.
 */
function partialStore(
  statements: readonly SyntaxNode[],
  { uses, streams }: ElementUses,
): RuleHold | undefined {
  const always = uses.filter(({ store }) => statements.some(({ id }) => id === store?.parent?.id));
  const loaded = uses.filter(
    ({ store }) => store === undefined || store.childForFieldName("operator")?.text !== "=",
  );
  const isCertain = (key: string): boolean => {
    const places = new Set(always.filter(({ stream }) => stream === key).map(({ offset }) => offset));
    return loaded.some(({ stream }) => stream === key) || places.size === streams.get(key)?.each;
  };
  const partial = uses.find(({ stream }) => !isCertain(stream));
  return partial && not("dependence", `${partial.array} is stored only under a condition`, partial.node);
}

function isCallee(name: SyntaxNode): boolean {
  return name.parent?.type === "call_expression" && name.parent.childForFieldName("function")?.id === name.id;
}

/** Vector types of the streams, with the elements of as many indices each. */
function vectorsOf(
  view: KernelView,
  { uses, streams }: ElementUses,
): ReadonlyMap<string, VectorType> | RuleHold {
  const vectors = ownVectors(view, streams);
  // Elements of one byte make short vectors of CUDA's own: as many as an access can move go into a structure.
  const isShort = [...vectors.values()].every(({ bytes, lanes }) => bytes === lanes);
  if (vectors.size === streams.size) return (isShort ? packsOf(view, streams) : undefined) ?? vectors;
  const [odd] = [...streams].filter(([key]) => !vectors.has(key));
  const words = odd === undefined ? "" : `${odd[1].array}, which is ${odd[1].type}`;
  const node = uses.find((use) => use.stream === odd?.[0])?.node ?? view.line;
  return packsOf(view, streams) ?? not("type", `there is no vector type for ${words}`, node);
}

/** CUDA's own vector types of the streams, as far as they move elements of as many indices as the first. */
function ownVectors(view: KernelView, streams: ElementUses["streams"]): ReadonlyMap<string, VectorType> {
  const vectors = new Map<string, VectorType>();
  let indices: number | undefined;
  for (const [key, { type, each }] of streams) {
    const vector = vectorTypeOf(view, type);
    if (vector === undefined || vector.lanes < each) continue;
    indices ??= vector.lanes / each;
    if (indices === vector.lanes / each) vectors.set(key, vector);
  }
  return vectors;
}

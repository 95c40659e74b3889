import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { type Form, sameForm } from "../../../../language/cuda/body/forms";
import { changes, isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { cooperation, mentionIn, variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { packsOf, type VectorType, vectorTypeOf } from "./vector-types";

/** `array[index]`, or a read-only load `__ldg(&array[index])` of it. */
export interface ElementUse {
  /** What stands for the element's value. */
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  readonly array: string;
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
  readonly vectors: ReadonlyMap<string, VectorType>;
  /** Elements of one access. */
  readonly lanes: number;
}

/** Where statements that handle one element stand. */
export interface ElementPlace {
  readonly statements: readonly SyntaxNode[];
  readonly index: string;
  readonly bound: SyntaxNode;
  /** A guard that is replaced together with its statements. */
  readonly guard?: SyntaxNode;
}

/** A guard's answer when the threads of a block have to do with each other. */
export function threadsCooperate(view: KernelView): RuleHold | undefined {
  const mention = cooperation(view.model, view.kernel);
  return (
    mention && not("cooperation", `the threads of a block work together (${mention.text})`, mention.line)
  );
}

/** Reads statements as work on single elements; a guard's answer when they do anything else. */
export function elementWork(view: KernelView, place: ElementPlace): ElementWork | RuleHold {
  const { statements, index, bound, guard } = place;
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined)
    return not("no-pattern", "nothing is done with the element", bound);
  const held = leaves(statements) ?? changingBound(view, bound);
  if (held !== undefined) return held;
  const uses = elementUses(view, statements, index);
  if (isNot(uses)) return uses;
  const dependent = otherUse(view, statements, { index, uses }) ?? partialStore(statements, uses);
  if (dependent !== undefined) return dependent;
  const vectors = vectorsOf(view, uses);
  if (isNot(vectors)) return vectors;
  const lanes = [...vectors.values()][0]?.lanes;
  const outer = guard ?? first;
  return lanes === undefined
    ? not("no-pattern", "no array element is touched", first)
    : {
        region: { start: outer.startIndex, end: (guard ?? last).endIndex, first: outer },
        statements,
        index,
        end: grouped(bound),
        uses,
        vectors,
        lanes,
      };
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

function changingBound(view: KernelView, bound: SyntaxNode): RuleHold | undefined {
  const changes = bound.descendantsOfType("identifier").some((name) => isAssigned(view.body, name.text));
  return isPure(bound) && !changes
    ? undefined
    : not("dependence", `the end ${compact(bound)} may change meanwhile`, bound);
}

/** Every element that the statements touch; a guard's answer when one is not at the index. */
function elementUses(
  view: KernelView,
  statements: readonly SyntaxNode[],
  index: string,
): readonly ElementUse[] | RuleHold {
  const own = statements.flatMap((statement) => usesOf(statement, index)).find((use) => use.parent !== null);
  if (own === undefined)
    return not("no-pattern", `no element at ${index} is touched`, statements[0] ?? view.line);
  const wanted = formIn(view, own);
  const uses: ElementUse[] = [];
  for (const statement of statements) {
    for (const node of statement.descendantsOfType("subscript_expression")) {
      const at = subscriptIndex(node);
      const array = node.childForFieldName("argument");
      const own = at !== undefined && array?.type === "identifier" && sameForm(formIn(view, at), wanted);
      const beside = at !== undefined && !isNeighbour(view, at, { wanted, index });
      if (!own && beside && isOtherLoad(view, statements, array)) continue;
      if (!own) return not("dependence", `${compact(node)} is not the element at ${index}`, node);
      uses.push({ node: readOnlyLoad(node), index: at, array: array.text, store: storeTo(node) });
    }
  }
  return uses;
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
    .some(({ target }) => target.descendantsOfType("identifier")[0]?.text === array?.text);
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
  { index, uses }: { readonly index: string; readonly uses: readonly ElementUse[] },
): RuleHold | undefined {
  const own = new Set(statements.flatMap((statement) => localValues(statement).map(({ name }) => name)));
  const varies = variesWithThread(view.model, view.body, "x");
  for (const statement of statements) {
    const hidden = mentionIn(statement, /\b(?:threadIdx|printf|atomic\w*|clock\w*)\b/);
    if (hidden !== undefined)
      return not("dependence", `${hidden.text} is used beside the element`, hidden.line);
    for (const name of statement.descendantsOfType("identifier")) {
      const inside = uses.some(({ node }) => isInside(name, node));
      if (inside || own.has(name.text) || isCallee(name)) continue;
      if (name.text === index) continue;
      if (varies(name)) return not("dependence", `${name.text} is used for more than the element`, name);
      if (isAssigned(statement, name.text))
        return not("dependence", `${name.text} is carried from one element to the next`, name);
    }
    const [pointer] = statement
      .descendantsOfType("pointer_expression")
      .filter((node) => !uses.some((use) => isInside(node, use.node)) && !isReadOnlyAddress(node));
    if (pointer !== undefined)
      return not("aliasing", `${compact(pointer)} may be one of the elements`, pointer);
  }
  return undefined;
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
function partialStore(statements: readonly SyntaxNode[], uses: readonly ElementUse[]): RuleHold | undefined {
  const always = uses.filter(({ store }) => statements.some(({ id }) => id === store?.parent?.id));
  const loaded = uses.filter(
    ({ store }) => store === undefined || store.childForFieldName("operator")?.text !== "=",
  );
  const certain = new Set([...always, ...loaded].map(({ array }) => array));
  const partial = uses.find(({ array }) => !certain.has(array));
  return partial && not("dependence", `${partial.array} is stored only under a condition`, partial.node);
}

function isCallee(name: SyntaxNode): boolean {
  return name.parent?.type === "call_expression" && name.parent.childForFieldName("function")?.id === name.id;
}

/** Vector types of the arrays: parameters, with vectors of as many elements each. */
function vectorsOf(
  view: KernelView,
  uses: readonly ElementUse[],
): ReadonlyMap<string, VectorType> | RuleHold {
  const types = new Map<string, string>();
  for (const { array, node } of uses) {
    const parameter = view.kernel.facts.parameters.find(({ name, pointer }) => pointer && name === array);
    if (parameter === undefined || isAssigned(view.body, array))
      return not("aliasing", `${array} is no pointer that stays as it was passed`, node);
    types.set(array, parameter.type);
  }
  const vectors = new Map<string, VectorType>();
  for (const [array, type] of types) {
    const vector = vectorTypeOf(view, type);
    const [first] = vectors.values();
    if (vector !== undefined && (first === undefined || first.lanes === vector.lanes))
      vectors.set(array, vector);
  }
  if (vectors.size === types.size) return vectors;
  const [odd, type] = [...types].find(([array]) => !vectors.has(array)) ?? ["", ""];
  const node = uses.find(({ array }) => array === odd)?.node ?? view.line;
  return packsOf(view, types) ?? not("type", `there is no vector type for ${odd}, which is ${type}`, node);
}

import { at, mustGet } from "../../base/known";
import { type ArrayAccess, arraysOf, type KernelArray } from "../../language/cuda/body/arrays";
import { type Form, formOf, sameForm } from "../../language/cuda/body/forms";
import { changes, kernelScope } from "../../language/cuda/body/scope";
import type { CudaKernel } from "../../language/cuda/kernels";
import { enclosing, isInside, lineOf, rangeOf } from "../../language/query";
import type { SyntaxNode } from "../../language/tree";
import type { LintFinding, LintFix } from "../lint";
import type { BlockValues } from "./block-values";
import type { LintedKernel } from "./linted-kernel";

/** What orders accesses of several threads, or leaves it to hardware that does. */
const orders = /sync|barrier|\bwait|mbar|__shfl|pipeline|arrive/i;

const loops = ["for_statement", "while_statement", "do_statement"];

interface Scope {
  readonly body: SyntaxNode;
  readonly array: KernelArray;
  readonly stores: readonly ArrayAccess[];
  readonly loads: readonly ArrayAccess[];
  /** Whether two accesses of one thread always reach one element. */
  readonly sameElement: (a: ArrayAccess, b: ArrayAccess) => boolean;
  /** Whether the one thread that a guard lets through reads what it has written itself. */
  readonly ownElement: (store: ArrayAccess, load: ArrayAccess) => boolean;
  readonly values: BlockValues;
}

/**
 * Elements of shared memory that one thread writes and another reads without a barrier between, in straight
 * order of the text or from one iteration of a loop to the next. Arrays whose address is taken are left out.
 */
export function missingBarriers(linted: LintedKernel): readonly LintFinding[] {
  return sharedArrays(linted.kernel).flatMap((array) => {
    const scope = scopeOf(linted, array);
    const first = readTooEarly(scope) ?? overwrittenTooEarly(scope);
    return first === undefined ? [] : [first];
  });
}

function sharedArrays({ body }: CudaKernel): readonly KernelArray[] {
  return arraysOf(body).filter(
    ({ storage, escape, declaration }) =>
      storage !== "local" && escape === undefined && !/\bvolatile\b/.test(declaration.text),
  );
}

function scopeOf({ kernel, constants, values }: LintedKernel, array: KernelArray): Scope {
  const names = kernelScope(kernel, constants);
  const forms = new Map(
    array.accesses.map(
      ({ node, indices }) => [node.id, indices.map((index) => formOf(index, names))] as const,
    ),
  );
  const formsOf = ({ node }: ArrayAccess): readonly Form[] => mustGet(forms, node.id);
  return {
    body: kernel.body,
    array,
    stores: array.accesses.filter(({ node }) => isStored(node)),
    loads: array.accesses.filter(({ node }) => !isPlainStore(node)),
    sameElement: (a, b) => sameForms(formsOf(a), formsOf(b)),
    ownElement: (store, load) => {
      const written = formsOf(store).map(ofThreadZero);
      return written.some((form) => form === undefined) || sameForms(written.filter(isKnown), formsOf(load));
    },
    values: values(),
  };
}

function sameForms(a: readonly Form[], b: readonly Form[]): boolean {
  return a.length === b.length && a.every((form, index) => sameForm(form, at(b, index)));
}

function isKnown(form: Form | undefined): form is Form {
  return form !== undefined;
}

/** An index as thread 0 has it; undefined where it is more than thread indices and constants. */
function ofThreadZero(form: Form): Form | undefined {
  const simple = [...form.keys()].every((term) => term === "" || /^threadIdx\.[xyz]$/.test(term));
  return simple ? new Map([...form].filter(([term]) => term === "")) : undefined;
}

function isStored(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "update_expression") return true;
  return parent?.type === "assignment_expression" && parent.childForFieldName("left")?.id === node.id;
}

function isPlainStore(node: SyntaxNode): boolean {
  return isStored(node) && node.parent?.childForFieldName("operator")?.text === "=";
}

/** A load of what another thread has written before, in the order of the text. */
function readTooEarly(scope: Scope): LintFinding | undefined {
  for (const load of scope.loads) {
    const store = scope.stores.findLast(
      (each) =>
        each.node.endIndex < load.node.startIndex &&
        !sharesStatement(each.node, load.node) &&
        !areAlternatives(each.node, load.node, scope.body) &&
        isOtherThreads(scope, each, load) &&
        !isReadBefore(scope, each, load) &&
        !(isOneThread(load.node, scope) && scope.ownElement(each, load)) &&
        !orders.test(between(scope.body, each.node.endIndex, load.node.startIndex)),
    );
    if (store !== undefined) return finding("missing-barrier", scope, load.node, store.node);
  }
  return undefined;
}

/** Whether the element that a thread reads may have been written by another one. */
function isOtherThreads(scope: Scope, store: ArrayAccess, load: ArrayAccess): boolean {
  if (store.indices.some((index) => scope.values.differs(index))) return !scope.sameElement(store, load);
  const guard = scope.values.dividedBy(store.node);
  return guard !== undefined && !isInside(load.node, enclosingOf(guard));
}

/**
 * Whether the element is read before the store as well, with no barrier between: a thread that moves elements
 * about (`a = s[i]; s[i] = s[j]; s[j] += a`) owns them all.
 */
function isReadBefore({ loads, body, sameElement }: Scope, store: ArrayAccess, load: ArrayAccess): boolean {
  return loads.some(
    (each) =>
      each !== load &&
      each.node.startIndex < load.node.startIndex &&
      sharesBlock(each.node, load.node) &&
      sameElement(each, load) &&
      !orders.test(between(body, each.node.endIndex, store.node.startIndex)),
  );
}

/** Whether two nodes stand in one list of statements. */
function sharesBlock(a: SyntaxNode, b: SyntaxNode): boolean {
  return enclosing(a, "compound_statement")?.id === enclosing(b, "compound_statement")?.id;
}

/** Whether a guard such as `if (threadIdx.x == 0)` lets one thread through. */
function isOneThread(node: SyntaxNode, { values }: Scope): boolean {
  return /==\s*0\b|^\(?!\s*\w/.test(values.dividedBy(node)?.text ?? "");
}

function enclosingOf(condition: SyntaxNode): SyntaxNode {
  return condition.parent ?? condition;
}

function finding(id: string, scope: Scope, place: SyntaxNode, store: SyntaxNode): LintFinding {
  const fix = id === "missing-barrier" ? barrierBefore(place, scope) : undefined;
  return {
    id,
    range: rangeOf(place),
    blanks: { array: scope.array.name, line: lineOf(store) },
    ...(fix === undefined ? {} : { fix }),
  };
}

/** A barrier before the statement, where all threads of the block come by. */
function barrierBefore(place: SyntaxNode, { values }: Scope): LintFix | undefined {
  const statement = statementOf(place);
  if (statement?.parent?.type !== "compound_statement" || values.dividedBy(statement)) return undefined;
  const { start } = rangeOf(statement);
  const indent = " ".repeat(start.character);
  return {
    title: "Put a barrier before it",
    edits: [{ range: { start, end: start }, text: `__syncthreads();\n${indent}` }],
  };
}

/** The statement around an expression that stands in a list of statements. */
function statementOf(node: SyntaxNode): SyntaxNode | undefined {
  let current: SyntaxNode | null = node;
  while (current !== null && current.parent?.type !== "compound_statement") current = current.parent;
  return current ?? undefined;
}

/** A store that the next iteration of a loop makes while others may still read. */
function overwrittenTooEarly(scope: Scope): LintFinding | undefined {
  for (const store of scope.stores) {
    for (const loop of loopsAround(store.node, scope.body)) {
      const load = scope.loads.findLast(
        (each) =>
          isInside(each.node, loop) &&
          each.node.startIndex > store.node.endIndex &&
          !areAlternatives(store.node, each.node, loop) &&
          store.indices.some((index) => scope.values.differs(index)) &&
          !scope.sameElement(store, each) &&
          orders.test(between(loop, store.node.endIndex, each.node.startIndex)),
      );
      if (load === undefined || movesOn(loop, store)) continue;
      const around =
        between(loop, load.node.endIndex, loop.endIndex) +
        between(loop, loop.startIndex, store.node.startIndex);
      if (!orders.test(around)) return finding("missing-barrier-in-loop", scope, load.node, store.node);
    }
  }
  return undefined;
}

function loopsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let current = node.parent; current !== null && current.id !== body.id; current = current.parent)
    if (loops.includes(current.type)) found.push(current);
  return found;
}

/** Whether each iteration writes other elements: a second buffer, or a part of the array. */
function movesOn(loop: SyntaxNode, { indices }: ArrayAccess): boolean {
  const changed = new Set([
    ...changes(loop).flatMap(({ target }) => (target.type === "identifier" ? [target.text] : [])),
    ...loop.descendantsOfType("init_declarator").map((node) => node.childForFieldName("declarator")?.text),
  ]);
  return indices.some((index) =>
    index.descendantsOfType("identifier").some((name) => changed.has(name.text)),
  );
}

function between(outer: SyntaxNode, from: number, to: number): string {
  return outer.text.slice(from - outer.startIndex, to - outer.startIndex);
}

function sharesStatement(a: SyntaxNode, b: SyntaxNode): boolean {
  const [first, second] = [enclosing(a, "expression_statement"), enclosing(b, "expression_statement")];
  return first !== undefined && first.id === second?.id;
}

/** The two branches of one `if`: no thread takes both. */
function areAlternatives(a: SyntaxNode, b: SyntaxNode, body: SyntaxNode): boolean {
  for (let current = a.parent; current !== null && current.id !== body.id; current = current.parent) {
    const consequence = current.type === "if_statement" ? current.childForFieldName("consequence") : null;
    if (consequence !== null && isInside(a, consequence) && isInside(b, current) && !isInside(b, consequence))
      return true;
  }
  return false;
}

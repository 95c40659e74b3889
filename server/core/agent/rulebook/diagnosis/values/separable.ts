import {
  compact,
  fieldText,
  isInside,
  lineOf,
  operands,
  partsOf,
  unwrapped,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { LineCounters } from "../../../../timing/counters";
import { type DiagnosisEntry, limitIn } from "../entry";
import { againOf, type Finding, fraction, type Measured, pipes, shareOn, sumOf } from "../measured";
import { calledIn, linesIn } from "../places";
import { turnOf } from "./influences";
import { type KernelValues, kernelValues } from "./kernel-values";
import { isOfRankOne } from "./rank-one";

/** Two loops, one inside of the other, over the rows and the columns of a window. */
interface Nest {
  readonly outer: SyntaxNode;
  readonly inner: SyntaxNode;
}

/**
 * Sums, means and extremes over windows of two dimensions whose weights, if there are any, are a product of
 * one along each: two passes of one dimension do for them.
 */
export function separableWindows(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const values = kernelValues(measured);
  if (values === undefined) return [];
  const found = nestsIn(values).flatMap((nest) => windowIn(values, nest) ?? []);
  return found.flatMap(({ outer, load }): readonly Finding[] => {
    const lines = new Map(
      [...linesIn(measured, outer), ...loadLines(measured, load)].map((line) => [line.line, line]),
    );
    const { globalLoadRequests, sharedLoadRequests } = sumOf(loadLines(measured, load));
    const results = Math.max(measured.warps, measured.totals.globalStoreRequests);
    const turns = Math.max(globalLoadRequests, sharedLoadRequests) / results;
    if (turns < limitIn(entry, "turns") || !overlaps(measured, load, limitIn(entry, "times"))) return [];
    const saved = 1 - 2 / Math.sqrt(Math.max(4, Math.min(turns, 4096)));
    const part = fraction(sumOf([...lines.values()]).instructions, measured.totals.instructions);
    const share = shareOn(measured, [...pipes, "l1", "l2", "shared", "latency"], part * saved);
    return [{ line: lineOf(load), share, blanks: { value: Math.round(turns), loop: lineOf(outer) } }];
  });
}

/** Lines of a load, and of the function that makes it. */
function loadLines(measured: Measured, load: SyntaxNode): readonly LineCounters[] {
  return [load, ...calledIn(measured, load)].flatMap((node) => linesIn(measured, node));
}

/** True where each element is loaded for many outputs: windows that lie beside each other share none. */
function overlaps(measured: Measured, load: SyntaxNode, times: number): boolean {
  const { globalLoadSectors, loadReuse } = sumOf(loadLines(measured, load));
  if (globalLoadSectors === 0 || loadReuse === undefined) return true;
  const { own, others } = againOf(loadReuse);
  return own + others + loadReuse.first >= times * Math.max(1, loadReuse.first);
}

function nestsIn({ body, loopsAround }: KernelValues): readonly Nest[] {
  const loops = body.descendantsOfType(["for_statement"]);
  return loops.flatMap((inner) => {
    const [outer] = loopsAround(inner).filter(({ type }) => type === "for_statement");
    return outer === undefined ? [] : [{ outer, inner }];
  });
}

const loadTypes = ["subscript_expression", "call", "call_expression"];

/** The load of a window's elements, where all that is added up of them can be taken apart. */
function windowIn(
  values: KernelValues,
  nest: Nest,
): { readonly outer: SyntaxNode; readonly load: SyntaxNode } | undefined {
  const { inner, outer } = nest;
  const [row, column] = [turnOf(outer), turnOf(inner)];
  const elements = inner
    .descendantsOfType(loadTypes)
    .filter((node) => isLoad(values, node))
    .filter((node) => [outer, inner].every((loop) => slides(values, { node, nest, loop })))
    .filter((node, _, all) => !all.some((other) => other.id !== node.id && isInside(node, other)));
  const [load] = elements;
  if (load === undefined) return undefined;
  const reading: Reading = { values, nest, elements };
  if (decidedByElements(reading)) return undefined;
  const added = addedIn(inner).filter(
    (node) => from(reading, node).has(row) || from(reading, node).has(column),
  );
  const sums = added.filter((node) => takesElement(reading, node, 0));
  return sums.length > 0 && added.every((node) => isApart(reading, node)) ? { outer, load } : undefined;
}

/** An element, or what a function that is handed the array gives for a place. */
function isLoad(values: KernelValues, node: SyntaxNode): boolean {
  const { calleeOf, pointers, readers, walkers } = values;
  if (node.type === "subscript_expression") return true;
  if (walkers.has(calleeOf(node))) return false;
  if (node.type === "call") return calleeOf(node) === "load";
  const given = partsOf(node.childForFieldName("arguments"));
  return (
    /^tex[12]D/.test(calleeOf(node)) ||
    readers.has(calleeOf(node)) ||
    given.some(({ text }) => pointers.has(text))
  );
}

/** True where a place is that of the thread moved by the turn of a loop, as in `row + dy`. */
function slides(
  values: KernelValues,
  { node, nest, loop }: { readonly node: SyntaxNode; readonly nest: Nest; readonly loop: SyntaxNode },
  depth = 0,
): boolean {
  if (depth > 6) return false;
  const sums = node
    .descendantsOfType(["binary_expression", "binary_operator"])
    .filter((sum) => /^[+-]$/.test(fieldText(sum, "operator")));
  const moved = sums.some((sum) => {
    const parts = summandsOf(sum).filter((part) => !/^(?:binary|number|integer)/.test(part.type));
    const turns = parts.filter((part) => values.of(part).has(turnOf(loop)));
    return (
      turns.length > 0 && parts.some((part) => !turns.includes(part) && [...values.of(part)].some(isPosition))
    );
  });
  if (moved || beginsBeside(values, node, loop)) return true;
  return namesOf(node).some((name) => {
    const value = meaningOf({ nest, values }, name);
    return value !== undefined && slides(values, { node: value, nest, loop }, depth + 1);
  });
}

/** True for the variable of `for (y = row - r; y <= row + r; ++y)`, which is a place by itself. */
function beginsBeside(values: KernelValues, node: SyntaxNode, loop: SyntaxNode): boolean {
  const head = loop.childForFieldName("initializer") ?? loop.childForFieldName("right");
  if (head === null || !/-/.test(head.text) || ![...values.of(head)].some(isPosition)) return false;
  const [variable] = (loop.childForFieldName("left") ?? head).descendantsOfType("identifier");
  return variable !== undefined && namesOf(node).includes(variable.text);
}

/** What is added up or taken away in a sum. */
function summandsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const inner = unwrapped(node);
  if (!/^[+-]$/.test(fieldText(inner, "operator"))) return [inner];
  return [inner.childForFieldName("left"), inner.childForFieldName("right")].flatMap((side) =>
    side === null ? [] : summandsOf(side),
  );
}

function isPosition(source: string): boolean {
  return /^(?:threadIdx|blockIdx|program|elements|digit)/.test(source);
}

interface Reading {
  readonly values: KernelValues;
  readonly nest: Nest;
  readonly elements: readonly SyntaxNode[];
}

function from({ values }: Reading, node: SyntaxNode): ReadonlySet<string> {
  return values.of(node);
}

/** True where a condition looks at what was loaded: then windows share no sums. */
function decidedByElements(reading: Reading): boolean {
  const conditions = reading.nest.inner
    .descendantsOfType(["if_statement", "elif_clause"])
    .flatMap((node) => node.childForFieldName("condition") ?? []);
  return conditions.some((condition) => takesElement(reading, condition, 0));
}

/** What a loop's statements add to a sum, or compare with an extreme. */
function addedIn(loop: SyntaxNode): readonly SyntaxNode[] {
  return loop
    .descendantsOfType(["assignment_expression", "augmented_assignment", "assignment"])
    .flatMap((act) => {
      const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
      if (left === null || right === null) return [];
      const operator = fieldText(act, "operator");
      if (/^[+-]=$/.test(operator)) return operands(right, "+");
      if (!/^(?:=)?$/.test(operator)) return [];
      const name = compact(left);
      const terms = operands(right, "+");
      if (terms.some((term) => compact(term) === name)) return terms.filter((term) => compact(term) !== name);
      return combinedWith(right, name);
    });
}

/** The other operands of `max(best, v)` and of `fmaf(w, v, sum)`. */
function combinedWith(value: SyntaxNode, name: string): readonly SyntaxNode[] {
  const inner = unwrapped(value);
  if (!/^call(?:_expression)?$/.test(inner.type)) return [];
  const given = partsOf(inner.childForFieldName("arguments"));
  const callee = compact(inner.childForFieldName("function"));
  if (!given.some((node) => compact(node) === name)) return [];
  if (/(?:^|[.:_])f?(?:max|min|maximum|minimum)f?$|fma/.test(callee))
    return given.filter((node) => compact(node) !== name);
  return [];
}

/** True where an expression is made of an element of the window, through names of the loop. */
function takesElement(reading: Reading, node: SyntaxNode, depth: number): boolean {
  if (reading.elements.some((element) => isInside(element, node))) return true;
  return (
    depth < 6 &&
    namesOf(node).some((name) => {
      const value = meaningOf(reading, name);
      return value !== undefined && takesElement(reading, value, depth + 1);
    })
  );
}

/** What a name of the inner loop is given, where it is given one value. */
function meaningOf({ nest, values }: Pick<Reading, "nest" | "values">, name: string): SyntaxNode | undefined {
  const acts = values.body
    .descendantsOfType(["init_declarator", "assignment_expression", "assignment", "augmented_assignment"])
    .filter((act) => compact(act.childForFieldName("declarator") ?? act.childForFieldName("left")) === name);
  const [act] = acts;
  if (act === undefined || acts.length > 1 || !isInside(act, nest.outer)) return undefined;
  return act.childForFieldName("value") ?? act.childForFieldName("right") ?? undefined;
}

function namesOf(node: SyntaxNode): readonly string[] {
  return node.descendantsOfType("identifier").map(({ text }) => text);
}

/** True for a product of functions of an element alone, and of factors that depend on one loop each. */
function isApart(reading: Reading, node: SyntaxNode): boolean {
  return factorsOf(reading, node, 0).every((factor) =>
    takesElement(reading, factor, 0) ? isOfElement(reading, factor, 0) : isOfOneLoop(reading, factor),
  );
}

/** Factors, names of the loops written out. */
function factorsOf(reading: Reading, node: SyntaxNode, depth: number): readonly SyntaxNode[] {
  return operands(node, "*").flatMap((factor) => {
    const value = factor.type === "identifier" && depth < 6 ? meaningOf(reading, factor.text) : undefined;
    return value === undefined ? [factor] : factorsOf(reading, value, depth + 1);
  });
}

/** True where nothing but elements of the window and numbers that both loops leave alone makes the value. */
function isOfElement(reading: Reading, node: SyntaxNode, depth: number): boolean {
  if (reading.elements.some(({ id }) => id === node.id)) return true;
  if (node.type === "identifier") {
    const value = meaningOf(reading, node.text);
    if (value !== undefined && depth < 6) return isOfElement(reading, value, depth + 1);
    return from(reading, node).size === 0;
  }
  const border = borderOf(reading, node);
  const children = node.namedChildren.filter(({ id }) => id !== border?.id);
  return children.every((child) => isOfElement(reading, child, depth));
}

/** The condition of `inside ? v : 0`, `tl.where(inside, v, 0)` that looks at places alone. */
function borderOf(reading: Reading, node: SyntaxNode): SyntaxNode | undefined {
  const parts = partsOf(node);
  const isWhere =
    node.type === "argument_list" && /where$/.test(node.parent?.childForFieldName("function")?.text ?? "");
  const chosen = node.type === "conditional_expression";
  const inWhere = isWhere ? parts[0] : undefined;
  const condition = chosen ? (node.childForFieldName("condition") ?? parts[1]) : inWhere;
  return condition !== undefined && !takesElement(reading, condition, 0) ? condition : undefined;
}

function isOfOneLoop(reading: Reading, factor: SyntaxNode): boolean {
  const { outer, inner } = reading.nest;
  const depends = (node: SyntaxNode): boolean => {
    const sources = from(reading, node);
    return sources.has(turnOf(outer)) && sources.has(turnOf(inner));
  };
  if (!depends(factor)) return true;
  if (isOfRankOne(factor, reading.values.body)) return true;
  const isExponential = /^call/.test(factor.type) && /exp/.test(reading.values.calleeOf(factor));
  if (!isExponential) return false;
  return termsOf(reading, factor.childForFieldName("arguments") ?? factor, 0).every((term) => !depends(term));
}

/** The terms of a sum, behind a sign, a quotient, a constant factor and names of the loops. */
function termsOf(reading: Reading, node: SyntaxNode, depth: number): readonly SyntaxNode[] {
  const inner = unwrapped(node);
  if (depth > 12) return [inner];
  if (inner.type === "identifier") {
    const value = meaningOf(reading, inner.text);
    return value === undefined ? [inner] : termsOf(reading, value, depth + 1);
  }
  const operator = fieldText(inner, "operator");
  const sides = partsOf(inner);
  const steady = sides.filter((side) => from(reading, side).size > 0);
  const single = steady.length === 1 && /^[-*/]$/.test(operator);
  const splits = /^[+-]$/.test(operator) || /^(?:argument_list|unary_\w+)$/.test(inner.type) || single;
  return splits ? sides.flatMap((side) => termsOf(reading, side, depth + 1)) : [inner];
}

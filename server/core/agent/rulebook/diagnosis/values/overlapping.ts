import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { declaredName } from "../../../../language/cuda/body/threads";
import { formText } from "../../../../language/cuda/body/forms";
import { isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isLoaded, loadedNames } from "../../cuda/causes/loaded-names";
import { formIn, type KernelView } from "../../cuda/kernel";
import { type DiagnosisEntry, limitIn } from "../entry";
import { againOf, type Finding, fraction, type Measured, pipes, shareOn, sumOf } from "../measured";
import { calledIn } from "../places";
import { calleeOf } from "./cuda-sources";
import { type KernelValues, kernelValues } from "./kernel-values";
import { isThread, placesIn, slidesAlone } from "./window-sums";
import { workLines, workOf, workOfAll } from "./work";

/** A value that threads make again and again, each for itself. */
interface Made {
  readonly node: SyntaxNode;
  readonly what: string;
  /** For what it is made anew. */
  readonly anew: string;
}

/**
 * Work for each element of a window that threads beside each other have in common, or for an element that
 * many places look up: it could be done once for each element.
 */
export function overlappingValues(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view } = measured;
  const values = kernelValues(measured);
  if (view === undefined || values === undefined) return [];
  const calls = workingCalls(measured, values);
  const found = [
    ...slidingIn(view, values, calls),
    ...besideIn(view, values, calls),
    ...lookedUpIn(measured, values, calls),
  ];
  const least = limitIn(entry, "part") * workOf(measured.lines);
  const [worst] = [...found].sort((a, b) => workFor(measured, b) - workFor(measured, a));
  if (worst === undefined || workFor(measured, worst) < least) return [];
  const alike = found.filter(({ what, anew }) => what === worst.what && anew === worst.anew);
  const value = workOfAll(
    measured,
    alike.map(({ node }) => node),
  );
  const part = fraction(value, workOf(measured.lines));
  const share = shareOn(measured, [...pipes, "l1", "latency"], part * limitIn(entry, "saved"));
  const { node, what, anew } = worst;
  return [{ line: lineOf(node), share, blanks: { value: Math.round(value), call: what, anew } }];
}

function workFor(measured: Measured, { node }: Made): number {
  return workOf(workLines(measured, node));
}

/** Operations of a function that make it more than an access with its index. */
const operationsLeast = 8;

/** Calls of costly functions of the library, and of functions of the file that compute something. */
function workingCalls(measured: Measured, { body, costly }: KernelValues): readonly SyntaxNode[] {
  const own = body.descendantsOfType("call_expression").filter((call) => {
    const called = calledIn(measured, call).filter((each) => declaredName(each) !== undefined);
    return called.reduce((sum, definition) => sum + operationsIn(definition), 0) >= operationsLeast;
  });
  const others = costly.filter((call) => !own.some((each) => isInside(call, each)));
  return [...own, ...others].filter((call) => !/&\s*\w|^atomic/.test(call.text));
}

/** Operations of a function; those of loops count as often as a short loop turns. */
function operationsIn(definition: SyntaxNode): number {
  const operations = definition
    .descendantsOfType(["binary_expression", "assignment_expression", "call_expression"])
    .filter(({ type, text }) => type !== "assignment_expression" || /^[^=]*[-+*/^|&><]=/.test(text));
  const loops = definition.descendantsOfType(["for_statement", "while_statement"]);
  const turning = operations.filter((node) => loops.some((loop) => isInside(node, loop)));
  return operations.length + 3 * turning.length;
}

/** Work on `x[i + k]` alone in the turns of a loop over `k`, calls and inner loops. */
function slidingIn(view: KernelView, values: KernelValues, calls: readonly SyntaxNode[]): readonly Made[] {
  return countedLoops(view.body).flatMap((loop): readonly Made[] => {
    const { amount } = loop.step;
    // A thread that goes on by the whole grid comes to no place of its neighbours.
    if (amount !== undefined && view.scope.value(amount) === undefined) return [];
    const window = `the window of line ${lineOf(loop.loop)}`;
    const anew = `for each place of ${window}, and neighbouring threads for theirs`;
    const inner = countedLoops(loop.body).filter(({ loop: node }) => sumsUp(node));
    const worked = [
      ...calls.filter((call) => isInside(call, loop.body)).map((node) => ({ node, what: calleeOf(node) })),
      ...inner.map(({ loop: node, body }) => ({ node: body, what: `the loop on line ${lineOf(node)}` })),
    ];
    return worked
      .filter(({ node }) => slidesAlone({ view, values, loop }, node))
      .map(({ node, what }) => ({ node, what, anew }));
  });
}

/** True for a loop that makes a value out of elements by more than adding them up. */
function sumsUp(loop: SyntaxNode): boolean {
  const products = loop
    .descendantsOfType("binary_expression")
    .filter((node) => /^(?:\*|\^|<<|>>)$/.test(node.childForFieldName("operator")?.text ?? ""));
  return products.length > 0 && loop.descendantsOfType("subscript_expression").length > 0;
}

/** The same function of at least three neighbouring elements: their threads compute it for them, too. */
function besideIn(view: KernelView, values: KernelValues, calls: readonly SyntaxNode[]): readonly Made[] {
  const { accesses } = cudaAccesses(view.kernel);
  const taken = calls.flatMap((node) => {
    const inside = accesses.filter((each) => each.loads && isInside(each.node, node));
    const forms = inside.flatMap(({ indexNode }) => (indexNode ? [formIn(view, indexNode)] : []));
    const [first] = forms;
    if (first === undefined || forms.length < inside.length) return [];
    const key = [calleeOf(node), ...inside.map(({ base }) => base)].join(" ");
    const at = forms.map(formText).join(" ");
    return placesIn(view, values, first).includes(1) ? [{ node, key, at }] : [];
  });
  return taken.flatMap(({ node, key }) => {
    const alike = new Set(taken.filter((each) => each.key === key).map(({ at }) => at));
    const anew = `for ${alike.size} neighbouring elements, and their threads for theirs`;
    return alike.size < 3 ? [] : [{ node, what: calleeOf(node), anew }];
  });
}

/** Work on elements that places look up, where each element is looked up several times. */
function lookedUpIn(measured: Measured, values: KernelValues, calls: readonly SyntaxNode[]): readonly Made[] {
  const { view } = measured;
  if (view === undefined) return [];
  const loaded = loadedNames(view.body);
  const { accesses } = cudaAccesses(view.kernel);
  return calls.flatMap((node): readonly Made[] => {
    const list = node.childForFieldName("arguments");
    const elements = accesses.filter((each) => each.loads && list !== null && isInside(each.node, list));
    const [element] = elements;
    const places = elements.map(({ indexNode }) => indexNode);
    if (list === null || element === undefined || !places.every((each) => each && isLoaded(each, loaded)))
      return [];
    const others = list.namedChildren.filter((part) => !elements.some((each) => isInside(each.node, part)));
    if (others.some((part) => [...values.of(part)].some(isThread))) return [];
    const { loadReuse, globalLoadBytes } = sumOf(workLines(measured, node));
    const { own, others: far } = againOf(loadReuse);
    const distinct = 32 * (loadReuse?.first ?? 0);
    const times = distinct === 0 ? own + far : globalLoadBytes / distinct;
    if (loadReuse === undefined || times < 4) return [];
    const anew = `each time that a place looks up an element of ${element.base}`;
    return [{ node, what: calleeOf(node), anew }];
  });
}

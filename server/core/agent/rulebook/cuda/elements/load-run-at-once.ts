import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { constantOf, type Form, formText } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isAssigned } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOnAccesses, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView, scalarBytes } from "../kernel";
import { elementTypeOf } from "../points/point-space";

/** `for (int m = 0; m < 16; ++m) … x[row * 16 + m] …`: a short run that a thread loads one by one. */
interface OwnRun {
  readonly loop: CountedLoop;
  readonly turns: number;
  readonly loads: readonly [CudaAccess, ...CudaAccess[]];
  readonly element: string;
  /** Bytes of one access for several elements. */
  readonly bytes: number;
  readonly lanes: number;
}

const LEAST_TURNS = 4;
const MOST_TURNS = 64;
/** A run stays in registers: so many bytes at most. */
const MOST_BYTES = 64;

/** What keeps a turn from coming to a load, or makes several of one. */
const BETWEEN = [
  ...["if_statement", "conditional_expression", "switch_statement", "lambda_expression"],
  ...["for_statement", "while_statement", "do_statement"],
];
const LEAVING = ["break_statement", "continue_statement", "return_statement", "goto_statement"];

/**
 * Loads the elements of a run that a thread walks through by accesses of up to sixteen bytes, in front of the
 * loop, and picks them out of registers in it.
 */
export const loadRunAtOnce = defineRule("cuda-load-run-at-once", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = countedLoops(view.body).flatMap((loop) => runIn(view, loop) ?? []);
  const run = found.find((each): each is OwnRun => !isNot(each));
  if (run === undefined)
    return (
      found.find(isNot) ??
      not("no-pattern", "no loop of a constant length walks through elements side by side", view.line)
    );
  const [first] = run.loads;
  const lines = new Map(run.loads.map(({ node }) => [lineOf(node), node]));
  const value = [...lines.values()].reduce((sum, node) => sum + countsOf(input, node).globalLoadRequests, 0);
  const { totals } = input.counters;
  const ideal = Math.ceil(value / run.lanes);
  const part = shareSaved(value - ideal, totals.globalLoadRequests + totals.globalStoreRequests);
  if (part < threshold(entry, "shareLeast"))
    return not("no-evidence", "the run is a small part of what is loaded", first.node);
  const facts = { file: input.file, line: lineOf(first.node), counter: "globalLoadRequests" as const };
  const blanks = { array: first.parameter, bytes: String(run.bytes) };
  return {
    kind: "proposal",
    tree: editedTree(input, [edited(view, run)]),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, blanks),
    gain: gainOnAccesses(input, ["l1", "latency"], {
      requests: totals.globalLoadRequests + totals.globalStoreRequests,
      fraction: part,
    }),
  };
});

/** The run that a loop walks through; undefined where it walks through none. */
function runIn(view: KernelView, loop: CountedLoop): OwnRun | RuleHold | undefined {
  const turns = turnsOf(view, loop);
  if (turns === undefined) return undefined;
  const { accesses } = cudaAccesses(view.kernel);
  const inside = accesses.filter(({ node, base, parameter, indexNode, loads, stores }) => {
    const isLoad = loads && !stores && base === parameter && indexNode !== undefined;
    return isLoad && isInside(node, loop.body) && isStep(formIn(view, indexNode), loop.variable);
  });
  const [first] = inside;
  if (first?.indexNode === undefined) return undefined;
  const form = formIn(view, first.indexNode);
  const loads = inside.filter(
    ({ parameter, indexNode }) =>
      parameter === first.parameter && indexNode && formText(formIn(view, indexNode)) === formText(form),
  );
  return (
    heldBack(view, loop, { first, loads }) ??
    accessesOf(view, { loop, turns, loads: [first, ...loads.slice(1)] }, form)
  );
}

/** True for an index that grows by one with the variable, and depends on it in no other way. */
function isStep(form: Form, variable: string): boolean {
  const word = new RegExp(`\\b${variable}\\b`);
  return form.get(variable) === 1 && [...form.keys()].every((key) => key === variable || !word.test(key));
}

/** How often a loop from 0 in steps of one turns, where that is a short constant. */
function turnsOf(view: KernelView, loop: CountedLoop): number | undefined {
  const { start, comparison, bound, step, body, variable } = loop;
  const turns = constantOf(formIn(view, bound));
  const byOne = step.operator === "+" && step.amount === undefined && comparison === "<";
  const fromZero = constantOf(formIn(view, start)) === 0;
  if (!byOne || !fromZero || turns === undefined || isAssigned(body, variable)) return undefined;
  return turns >= LEAST_TURNS && turns <= MOST_TURNS ? turns : undefined;
}

/** A guard's answer where the elements cannot all be loaded in front of the loop. */
function heldBack(
  view: KernelView,
  { loop, body, variable }: CountedLoop,
  { first, loads }: { readonly first: CudaAccess; readonly loads: readonly CudaAccess[] },
): RuleHold | undefined {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const all = [...accesses, ...atomics];
  const array = first.parameter;
  const written = all.find(
    ({ stores, parameter, node }) => stores && (parameter === array || isInside(node, loop)),
  );
  if (written !== undefined)
    return not("aliasing", `${written.base} is stored to, which may change ${array}`, written.node);
  const known = all.filter(({ parameter }) => parameter === array);
  const escaped = usesOf(view.body, array).find((use) => !known.some(({ node }) => isInside(use, node)));
  if (escaped !== undefined) return not("aliasing", `the address of ${array} is handed on`, escaped);
  if (/\b__(?:syncthreads|syncwarp|threadfence)\w*\(/.test(body.text))
    return not("cooperation", "threads wait for each other in the loop", loop);
  const [leaving] = body.descendantsOfType(LEAVING);
  if (leaving !== undefined) return not("dependence", "the loop may end early", leaving);
  const maybe = loads.find(({ node }) => isMaybe(node, loop));
  if (maybe !== undefined)
    return not("dependence", `${compact(maybe.node)} is not loaded once in each turn`, maybe.node);
  const names = first.node.descendantsOfType("identifier").map(({ text }) => text);
  const made = [
    ...changes(body).flatMap(({ target }) => target.descendantsOfType("identifier")),
    ...body
      .descendantsOfType("declaration")
      .flatMap((each) => each.childrenForFieldName("declarator"))
      .flatMap((each) => each.descendantsOfType("identifier").slice(0, 1)),
  ];
  const changed = made.find(({ text }) => text !== variable && names.includes(text));
  return changed && not("dependence", `${changed.text} changes in the loop`, changed);
}

function isMaybe(node: SyntaxNode, loop: SyntaxNode): boolean {
  const around = enclosing(node, ...BETWEEN);
  if (around !== undefined && around.id !== loop.id && isInside(around, loop)) return true;
  for (let outer = node.parent; outer !== null && outer.id !== loop.id; outer = outer.parent)
    if (/^(?:&&|\|\|)$/.test(fieldText(outer, "operator"))) return true;
  return false;
}

/** The run with the widest access that its row is aligned for. */
function accessesOf(
  view: KernelView,
  { loop, turns, loads }: Pick<OwnRun, "loop" | "turns" | "loads">,
  form: Form,
): OwnRun | RuleHold {
  const [first] = loads;
  const element = elementTypeOf(view, first.parameter);
  const size = element === undefined ? undefined : scalarBytes(view, element);
  const { parameters, templateParameters } = view.kernel.facts;
  const type = parameters.find(({ name }) => name === first.parameter)?.type ?? "";
  // What is known of a template's type is good for the launches of this file alone.
  const isFixed = !/\bvolatile\b/.test(type) && !templateParameters.some(({ name }) => name === element);
  if (element === undefined || size === undefined || !isFixed)
    return not("type", `the elements of ${first.parameter} are of no known size`, first.node);
  if (turns * size > MOST_BYTES)
    return not("limit", `${turns * size} bytes are too many to keep in registers`, first.node);
  const row = [...form].flatMap(([key, count]) => (key === loop.variable ? [] : [count]));
  const isRow = (lanes: number): boolean => [turns, ...row].every((count) => count % lanes === 0);
  const bytes = [16, 8, 4].find((width) => width > size && isRow(width / size));
  return bytes === undefined
    ? not("no-pattern", `the rows of ${first.parameter} are not aligned for wider accesses`, first.node)
    : { loop, turns, loads, element, bytes, lanes: bytes / size };
}

const words: Readonly<Record<number, string>> = { 4: "unsigned int", 8: "uint2", 16: "uint4" };

/** The loop over registers, and as it was for an array that is not aligned. */
function edited(view: KernelView, { loop: counted, turns, loads, element, bytes, lanes }: OwnRun): TextEdit {
  const { loop, variable } = counted;
  const [{ parameter: array, indexNode }] = loads;
  const name = freshName(view.source, `${array}Run`);
  const part = freshName(view.source, "part");
  const word = words[bytes] ?? "uint4";
  const row = rowOf(view, indexNode, variable);
  const address = row === "" ? array : `${array} + ${row}`;
  const count = turns / lanes;
  const elements = `reinterpret_cast<const ${element}*>(${count === 1 ? `&${name}` : name})[${variable}]`;
  const range = { start: loop.startIndex, end: loop.endIndex };
  const picked = editedText(
    view.source,
    range,
    loads.map(({ node }) => replaceNode(node, elements)),
  );
  const from = `reinterpret_cast<const ${word}*>(${address})`;
  const loaded =
    count === 1
      ? [`const ${word} ${name} = *${from};`]
      : [
          `${word} ${name}[${count}];`,
          "#pragma unroll",
          `for (int ${part} = 0; ${part} < ${count}; ++${part}) ${name}[${part}] = ${from}[${part}];`,
        ];
  const before = loop.previousNamedSibling;
  const hint = before?.type === "preproc_call" && /^#\s*pragma\b/.test(before.text) ? before : undefined;
  const indent = indentOf(view.source, loop);
  const lines = [
    `if (reinterpret_cast<size_t>(${array}) % ${bytes} == 0) {`,
    ...[...loaded, "#pragma unroll", picked].map((line) => `  ${line}`),
    "} else {",
    ...[...(hint ? [hint.text.trim()] : []), view.source.slice(range.start, range.end)].map(
      (line) => `  ${line}`,
    ),
    "}",
  ];
  return { ...range, start: hint?.startIndex ?? range.start, text: lines.join(`\n${indent}`) };
}

/** The index of the run's first element; empty where that is the array's first. */
function rowOf(view: KernelView, index: SyntaxNode | undefined, variable: string): string {
  if (index === undefined) return "";
  const inner = unwrapped(index);
  if (inner.text === variable) return "";
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const isSum = inner.type === "binary_expression" && fieldText(inner, "operator") === "+";
  if (isSum && right?.text === variable && left !== null) return left.text;
  if (isSum && left?.text === variable && right !== null) return right.text;
  const zeros = usesOf(inner, variable).map((use) => replaceNode(use, "0"));
  return `(${editedText(view.source, { start: inner.startIndex, end: inner.endIndex }, zeros)})`;
}

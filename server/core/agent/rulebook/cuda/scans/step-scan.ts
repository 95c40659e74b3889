import { arraysOf } from "../../../../language/cuda/body/arrays";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { type BlockReader, blockReader, elementAt, localsBefore, type Thread } from "./block-run";
import { isShuffled } from "./running-sum";
import { type ScanOperator, type StepScan, shuffledScan } from "./shuffled-scan";

/**
 * Lets a block scan its values by shuffles, in each warp and then among the warps, where a loop adds the
 * element 1, 2, 4, … places before to each, with barriers in each step. What such a loop makes is told by
 * running it on numbers, so that its spelling does not matter.
 */
export const stepScan = defineRule("cuda-shuffle-scan", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loops = countedLoops(view.body).filter(doubles);
  if (loops.length === 0) return not("no-pattern", "no loop with barriers doubles its stride", view.line);
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const [threads] = block.sizes;
  if (threads % 32 !== 0) return not("launch", `a block of ${threads} threads has no whole warps`, view.line);
  return loops.map((loop) => {
    const scan = scanIn(view, loop, threads);
    return isNot(scan) ? scan : answer(input, entry, { view, scan, threads });
  });
});

interface Found {
  readonly view: KernelView;
  readonly scan: StepScan;
  readonly threads: number;
}

function answer(input: RuleInput, entry: RuleEntry, { view, scan, threads }: Found): RuleAnswer {
  const { loop } = scan.loop;
  const { barriers, instructions } = countsOf(input, loop);
  if (barriers < threshold(entry, "barriersLeast"))
    return not("no-evidence", "no barrier was counted in the loop", loop);
  const saved = shareSaved(instructions * threshold(entry, "saved"), input.counters.totals.instructions);
  const levels = Math.ceil(Math.log2(threads));
  const facts = { file: input.file, line: lineOf(loop), counter: "barriers" as const, value: barriers };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(loop, shuffledScan(view, scan, threads))]),
    hypothesis: fillSentence(entry.hypothesis, { array: scan.array, levels: String(levels) }),
    evidence: evidenceFor(
      entry,
      { ...facts, ideal: Math.round((barriers * 3) / (2 * levels)) },
      { array: scan.array },
    ),
    gain: gainOn(input, ["issue", "latency", "shared"], saved),
  };
}

/** `for (s = 1; …; s *= 2)` with a barrier in it. */
function doubles({ step, body, start }: CountedLoop): boolean {
  const amount = compact(step.amount ?? null);
  const doubling =
    (step.operator === "*" && amount === "2") ||
    (step.operator === "<<" && amount === "1") ||
    (step.operator === "+" && step.amount !== undefined);
  const waits = body.descendantsOfType("call_expression").some((call) => compact(call) === "__syncthreads()");
  return doubling && waits && /^\(*1[uUlL]*\)*$/.test(compact(start));
}

/** What a loop scans, told by running it; a guard's answer where it does anything else. */
function scanIn(view: KernelView, loop: CountedLoop, threads: number): StepScan | RuleHold {
  const held = notForAll(view, loop);
  if (held !== undefined) return held;
  const stored = new Set(
    changes(loop.body).flatMap(({ target }) =>
      target.type === "subscript_expression" ? (target.descendantsOfType("identifier")[0]?.text ?? []) : [],
    ),
  );
  const [name, ...others] = stored;
  const array = arraysOf(view.body).find((each) => each.name === name && each.storage !== "local");
  if (array === undefined || others.length > 0)
    return not("no-pattern", "the steps do not store to one shared array", loop.loop);
  if (!isShuffled(array.type))
    return not("type", `lanes cannot hand each other ${array.type}`, array.declaration);
  const outer = enclosing(loop.loop, "for_statement", "while_statement", "do_statement");
  const outside = outsideNames(loop);
  const later = usesBehind(view, { loop, outer }, outside);
  const reads = array.accesses.map(({ node }) => node).filter((node) => isLater(node, { loop, outer }));
  const ran = runOf(view, loop, threads);
  if (ran === undefined)
    return not("unreadable", "a step of the loop is more than arithmetic on shared memory", loop.loop);
  for (const { node } of array.accesses) {
    const own = node.descendantsOfType("identifier").some(({ text }) => outside.has(text));
    if (outer !== undefined && own) continue;
    const operator = operatorOf(ran, node);
    if (operator === undefined) continue;
    const scan = { loop, array: array.name, type: array.type, element: node, operator };
    const scanned = scannedPlaces(ran, scan);
    const looked = isAll(ran, scanned) ? later : [...later, ...reads];
    const other = looked.find((use) => !isSame(ran, scanned, use));
    return other === undefined
      ? scan
      : not("dependence", `${array.name} is used otherwise behind the steps`, other);
  }
  return not("no-pattern", "the steps do not make running sums of the block", loop.loop);
}

/** A guard's answer where some threads of a warp may not come to the loop. */
function notForAll(view: KernelView, { loop }: CountedLoop): RuleHold | undefined {
  const [leaves] = view.body
    .descendantsOfType("return_statement")
    .filter(({ startIndex }) => startIndex < loop.startIndex);
  const choice = enclosing(loop, "if_statement");
  const place = leaves ?? (choice !== undefined && isInside(choice, view.body) ? choice : undefined);
  return place && not("dependence", "not every thread comes to the steps", place);
}

/** Variables from outside of the loop that it changes. */
function outsideNames({ body, variable }: CountedLoop): ReadonlySet<string> {
  const own = new Set(
    body
      .descendantsOfType("declaration")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const names = changes(body).flatMap(({ target }) => (target.type === "identifier" ? [target.text] : []));
  return new Set(names.filter((name) => name !== variable && !own.has(name)));
}

/** A loop, and the one around it. */
interface Around {
  readonly loop: CountedLoop;
  readonly outer: SyntaxNode | undefined;
}

/** True for what comes behind the loop, or in a further turn of the one around it. */
function isLater(node: SyntaxNode, { loop: { loop }, outer }: Around): boolean {
  return (
    !isInside(node, loop) && (node.startIndex > loop.endIndex || (outer ? isInside(node, outer) : false))
  );
}

/** Accesses by what the loop changes, later on, and other uses of such variables. */
function usesBehind(view: KernelView, around: Around, outside: ReadonlySet<string>): readonly SyntaxNode[] {
  return [...outside].flatMap((name) =>
    usesOf(view.body, name)
      .filter((use) => isLater(use, around))
      .map((use) => {
        let whole: SyntaxNode = use;
        for (let at = use.parent; at !== null && !at.type.endsWith("statement"); at = at.parent)
          if (at.type === "subscript_expression") whole = at;
        return whole;
      }),
  );
}

/** The threads of a block before a loop and behind it. */
interface Ran {
  readonly before: readonly Thread[];
  readonly after: readonly Thread[];
  readonly reader: BlockReader;
}

function runOf(view: KernelView, loop: CountedLoop, threads: number): Ran | undefined {
  const reader = blockReader(view, threads);
  const shared = new Map<string, number>();
  const after = Array.from({ length: threads }, (_, number) => ({
    ...localsBefore(view, loop.loop, reader, number),
    shared,
  }));
  const before = after.map(({ number, locals }) => ({
    number,
    locals: new Map(locals),
    shared: new Map<string, number>(),
  }));
  return reader.run(loop, after) ? { before, after, reader } : undefined;
}

const operators: Readonly<Record<ScanOperator, (left: number, right: number) => number>> = {
  sum: (left, right) => left + right,
  greatest: Math.max,
  least: Math.min,
};

/** By what an element that each thread calls its own has been scanned; undefined where it has not. */
function operatorOf({ before, after, reader }: Ran, node: SyntaxNode): ScanOperator | undefined {
  const held = (thread: Thread): number => {
    const place = reader.element(node, thread);
    return place === undefined ? Number.NaN : elementAt(thread, place);
  };
  const [starts, ends] = [before.map(held), after.map(held)];
  const apart = new Set(before.map((thread) => reader.element(node, thread))).size === before.length;
  if (!apart) return undefined;
  return (["sum", "greatest", "least"] as const).find((name) => {
    let total = Number.NaN;
    return ends.every((end, at) => {
      const own = starts[at] ?? Number.NaN;
      total = at === 0 ? own : operators[name](total, own);
      return end === total;
    });
  });
}

/** What the rewritten loop stores, by the names of elements. */
function scannedPlaces({ before, after, reader }: Ran, { element }: StepScan): ReadonlyMap<string, number> {
  const scanned = new Map<string, number>();
  for (const [at, thread] of before.entries()) {
    const [to, end] = [reader.element(element, thread), after[at]];
    const from = end && reader.element(element, end);
    if (to !== undefined && from !== undefined && end !== undefined) scanned.set(to, elementAt(end, from));
  }
  return scanned;
}

/** True where the rewritten loop leaves shared memory as the old one does, whatever is looked at later. */
function isAll({ after }: Ran, scanned: ReadonlyMap<string, number>): boolean {
  const untouched = { shared: new Map<string, number>() };
  return [...(after[0]?.shared ?? [])].every(
    ([place, value]) => (scanned.get(place) ?? elementAt(untouched, place)) === value,
  );
}

/** True where a use behind the loop finds the same when the loop's own variables stay as they were. */
function isSame(
  { before, after, reader }: Ran,
  scanned: ReadonlyMap<string, number>,
  use: SyntaxNode,
): boolean {
  return before.every((thread, at) => {
    const [place, end] = [reader.element(use, thread), after[at]];
    const from = end && reader.element(use, end);
    if (place === undefined || from === undefined || end === undefined) return false;
    return scanned.get(place) === elementAt(end, from);
  });
}

import { isInside, lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { LineCounters } from "../../../timing/counters";
import { clockGigahertz } from "../../../timing/gpu-model";
import type { KernelView } from "../cuda/kernel";
import { countedLoops } from "../../../language/cuda/body/loops";
import { namesOfThreads } from "./thread-names";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, fraction, type Measured, pipes, shareOfTime, shareOn, worstLine } from "./measured";
import { calledIn, countsWithCalls, linesIn, loopsOf, loopTypes, nodesOn } from "./places";

/** Lane slots of a warp that a line issued for nobody, beyond those that have no thread at all. */
function idleLanes({ lanes }: Measured, { instructions, threadInstructions }: LineCounters): number {
  return Math.max(0, instructions * lanes - threadInstructions);
}

/** Lines that run with a single lane, as `if (threadIdx.x == 0)` leaves it. */
function isAlone({ lanes }: Measured, { instructions, threadInstructions }: LineCounters): boolean {
  return lanes > 2 && instructions > 0 && threadInstructions <= 1.5 * instructions;
}

/** Instructions of a line that a single lane takes. */
interface TakenAlone {
  readonly instructions: number;
  /** The line itself, or the condition from which its function is called. */
  readonly line: number;
}

/**
 * Instructions that a single lane takes, by their lines: in the kernel, and in functions that all lanes call
 * elsewhere, the part that is not issued for a whole warp.
 */
function takenAlone(measured: Measured): ReadonlyMap<LineCounters, TakenAlone> {
  const { view, lanes, lines } = measured;
  const own = lines.filter((line) => isAlone(measured, line));
  const found = new Map<LineCounters, TakenAlone>(own.map((line) => [line, line]));
  if (view === undefined) return found;
  const branches = own.flatMap(({ line }) => [
    ...statementsAround(view, line)
      .filter(({ type }) => type === "if_statement")
      .slice(0, 1),
    ...nodesOn(view, line, [...loopTypes, "call_expression"]),
  ]);
  for (const branch of branches)
    for (const line of calledIn(measured, branch).flatMap((definition) => linesIn(measured, definition)))
      if (!found.has(line))
        found.set(line, {
          instructions: idleLanes(measured, line) / (lanes - 1),
          line: lineOf(branch),
        });
  return found;
}

/** Conditions at which the lanes of a warp part and both ways have work. */
export function divergence(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const alone = takenAlone(measured);
  return idleBy(measured, entry, (line) => !alone.has(line) && unevenLoop(measured, line) === undefined);
}

/** Loops that the lanes of a warp leave at different times, and loops that grow with the thread's number. */
export function loadImbalance(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const within = idleBy(
    measured,
    entry,
    (line) => !isAlone(measured, line) && unevenLoop(measured, line) !== undefined,
  );
  return [...within, ...growingLoops(measured)];
}

function idleBy(
  measured: Measured,
  entry: DiagnosisEntry,
  matches: (line: LineCounters) => boolean,
): readonly Finding[] {
  const { totals, view } = measured;
  const parted = totals.divergentBranches - totals.predicatedBranches;
  if (view === undefined || totals.divergentBranches === 0 || parted <= -totals.divergentBranches) return [];
  const lines = measured.lines.filter(matches);
  const worst = worstLine(lines, (line) => idleLanes(measured, line));
  if (worst === undefined) return [];
  const idle = lines.reduce((sum, line) => sum + idleLanes(measured, line), 0);
  const part = fraction(idle, totals.instructions * measured.lanes);
  if (part < limitIn(entry, "part")) return [];
  const at = partingLine(measured, worst.line) ?? worst.line;
  return [
    {
      line: at,
      share: shareOn(measured, [...pipes, "latency"], part),
      blanks: { value: Math.round(100 * part) },
    },
  ];
}

const conditions = ["if_statement", "switch_statement", "conditional_expression", ...loopTypes];

/** The line of the condition around a line at which lanes part. */
function partingLine({ view, lines }: Measured, line: number): number | undefined {
  const around = view === undefined ? [] : statementsAround(view, line);
  return around
    .map(lineOf)
    .find((at) => lines.some((each) => each.line === at && each.divergentBranches > 0));
}

/** Conditions and loops around a line, the innermost first. */
function statementsAround({ model }: KernelView, line: number): readonly SyntaxNode[] {
  return model.root
    .descendantsOfType(conditions)
    .filter((node) => lineOf(node) <= line && node.endPosition.row + 1 >= line)
    .reverse();
}

/** The loop around a line whose head parts the lanes. */
function unevenLoop(measured: Measured, { line }: LineCounters): SyntaxNode | undefined {
  const { view, lines } = measured;
  const [innermost] =
    view === undefined ? [] : statementsAround(view, line).filter((node) => partsLanes(node, lines));
  return innermost !== undefined && loopTypes.some((type) => type === innermost.type) ? innermost : undefined;
}

/** True where the branches of the node's own head went different ways. */
function partsLanes(node: SyntaxNode, lines: readonly LineCounters[]): boolean {
  const condition = node.childForFieldName("condition") ?? node;
  const [first, last] = [lineOf(condition), condition.endPosition.row + 1];
  const end = node.type === "do_statement" ? node.endPosition.row + 1 : last;
  return lines.some(({ line, divergentBranches }) => line >= first && line <= end && divergentBranches > 0);
}

/** Loops from a fixed start to an end that differs from thread to thread, or the other way round. */
function growingLoops(measured: Measured): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const byThread = namesOfThreads(view);
  const found = countedLoops(view.body).flatMap(({ loop, start, bound, step }) => {
    const single = step.amount === undefined || view.scope.value(step.amount) === 1;
    const uneven = single && byThread(start) !== byThread(bound) && !isClipped(view, bound);
    const part = fraction(countsWithCalls(measured, loop).instructions, totals.instructions);
    return uneven && part > 0.3 ? [{ loop, part }] : [];
  });
  const whiles = loopsOf(view).flatMap((loop) => {
    if (loop.type === "for_statement" || !isInside(loop, view.body)) return [];
    const condition = loop.childForFieldName("condition");
    const part = fraction(countsWithCalls(measured, loop).instructions, totals.instructions);
    const counts = condition !== null && countsToThread(condition, view, byThread);
    return counts && part > 0.3 ? [{ loop, part }] : [];
  });
  const [worst] = [...found, ...whiles].sort((a, b) => b.part - a.part);
  if (worst === undefined) return [];
  // The longest of the threads' loops takes about twice the mean.
  const share = shareOn(measured, [...pipes, "latency", "l1", "l2"], 0.5 * worst.part);
  return [{ line: lineOf(worst.loop), share, blanks: { value: 50 } }];
}

/** True for an end that borders alone make shorter: `min(length, n - i)`, also behind a local. */
function isClipped({ scope }: KernelView, bound: SyntaxNode): boolean {
  const meanings = [bound, ...bound.descendantsOfType("identifier")].map(({ text }) => scope.meaning(text));
  const texts = meanings.flatMap((meaning) => (typeof meaning === "object" ? meaning.text : []));
  return [bound.text, ...texts].some((text) => /\bf?min\w*\b|\?/.test(text));
}

/** `j <= i` with a counter that starts at a number and an end that is the thread's. */
function countsToThread(
  condition: SyntaxNode,
  { body }: KernelView,
  byThread: (node: SyntaxNode) => boolean,
): boolean {
  const comparison = condition.descendantsOfType("binary_expression")[0];
  const [left, right] = [comparison?.childForFieldName("left"), comparison?.childForFieldName("right")];
  if (!left || !right || left.type !== "identifier") return false;
  const steps = body
    .descendantsOfType("update_expression")
    .some((node) => node.childForFieldName("argument")?.text === left.text);
  return steps && byThread(right) && !byThread(left);
}

/** Work that one thread of a block does while the others wait. */
export function serialThread(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, blocks, totals, gpu, launch } = measured;
  const taken = takenAlone(measured);
  const [worst] = [...taken.values()].sort((a, b) => b.instructions - a.instructions);
  if (worst === undefined || view === undefined) return [];
  const alone = [...taken.values()].reduce((sum, { instructions }) => sum + instructions, 0);
  const each = alone / blocks;
  if (each < limitIn(entry, "instructionsEach")) return [];
  const resident = Math.max(1, Math.floor((blocks / gpu.multiprocessors) * 1));
  const atOnce = Math.min(resident, limitIn(entry, "blocksAtOnce"));
  const rounds = Math.ceil(blocks / (gpu.multiprocessors * atOnce));
  const chain = (rounds * each * limitIn(entry, "clocksEach")) / clockGigahertz(gpu);
  const issued = shareOn(measured, [...pipes], fraction(alone, totals.instructions));
  const share = Math.max(
    issued,
    launch === undefined ? 0 : limitIn(entry, "saved") * shareOfTime(measured, chain),
  );
  return [{ line: worst.line, share, blanks: { value: Math.round(each) } }];
}

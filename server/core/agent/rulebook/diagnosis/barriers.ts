import { lineOf } from "../../../language/query";
import { clockGigahertz } from "../../../timing/gpu-model";
import { launchOccupancy } from "../../../timing/bound";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, type Measured, shareOfTime, sumOf, worstLine } from "./measured";
import { linesIn, loopAround } from "./places";

/** Barriers in loops in which no thread leaves anything for another one. */
export function needlessBarriers(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, blocks, warps } = measured;
  if (view === undefined) return [];
  const waits = measured.lines.filter(({ line, barriers }) => {
    if (barriers / warps < limitIn(entry, "each")) return false;
    const loop = loopAround(view, line);
    return loop !== undefined && leavesNothing(sumOf(linesIn(measured, loop)));
  });
  const worst = worstLine(waits, ({ barriers }) => barriers);
  if (worst === undefined) return [];
  const barriers = waits.reduce((sum, line) => sum + line.barriers, 0);
  const eachBlock = barriers / warps;
  const share = shareOfTime(measured, waitingFor(measured, entry, eachBlock * blocks));
  return [
    {
      line: worst.line,
      share,
      blanks: { value: Math.round(eachBlock), loop: loopLine(measured, worst.line) },
    },
  ];
}

/** `s /= 2`, `s >>= 1` and `s = s / 2` as the step of a loop. */
const halving = /(?:\/=\s*2|>>=\s*1|=\s*\(?\w+\s*(?:\/\s*2|>>\s*1)\)?)\s*$/;

/** Barriers of reductions by halves that a block makes again and again. */
export function treeBarriers(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, blocks, warps } = measured;
  if (view === undefined) return [];
  const trees = measured.lines.filter(({ line, barriers }) => {
    const loop = barriers === 0 ? undefined : loopAround(view, line);
    return halving.test(loop?.childForFieldName("update")?.text ?? "");
  });
  const worst = worstLine(trees, ({ barriers }) => barriers);
  const eachBlock = trees.reduce((sum, { barriers }) => sum + barriers, 0) / warps;
  if (worst === undefined || eachBlock < limitIn(entry, "each")) return [];
  const share = shareOfTime(measured, waitingFor(measured, entry, eachBlock * blocks));
  return [{ line: worst.line, share, blanks: { value: Math.round(eachBlock) } }];
}

function loopLine({ view }: Measured, line: number): number {
  const loop = view && loopAround(view, line);
  return loop === undefined ? line : lineOf(loop);
}

function leavesNothing({
  sharedStoreRequests,
  sharedAtomics,
  globalStoreRequests,
  globalAtomics,
}: ReturnType<typeof sumOf>): boolean {
  return sharedStoreRequests + sharedAtomics + globalStoreRequests + globalAtomics === 0;
}

/** Nanoseconds of so many barriers of blocks, of which each multiprocessor has some at the same time. */
function waitingFor({ launch, gpu }: Measured, entry: DiagnosisEntry, barriers: number): number {
  const fitting = launch === undefined ? 1 : Math.max(1, launchOccupancy(launch, gpu).blocksPerSm);
  const count = launch?.blocks ?? 1;
  const atOnce = Math.min(fitting, Math.max(1, Math.ceil(count / gpu.multiprocessors)));
  const inTurn = barriers / (Math.min(count, gpu.multiprocessors) * atOnce);
  return (inTurn * limitIn(entry, "clocks")) / clockGigahertz(gpu);
}

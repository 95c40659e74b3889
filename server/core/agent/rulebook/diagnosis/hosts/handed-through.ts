import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { countedLoops } from "../../../../language/cuda/body/loops";
import type { CudaKernel } from "../../../../language/cuda/kernels";
import { compact, enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";
import { loopTypes } from "../places";
import { type Started, startedBeside } from "./launches-beside";

/**
 * An array that one launch of a host function makes, element by element, and that only one later launch
 * loads, each element once: the later kernel could compute the elements where it needs them.
 */
export function handedThrough(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const started = startedBeside(view);
  const found = started.flatMap((first, place) =>
    started.slice(place + 1).flatMap((second) => passedOn(first, second) ?? []),
  );
  const own = found.find(({ first, second }) =>
    [first, second].some(({ kernel }) => kernel.facts.name === view.kernel.facts.name),
  );
  if (own === undefined) return [];
  const touched = new Set(own.accesses.map(({ node }) => lineOf(node)));
  const { globalLoadSectors, globalStoreSectors } = sumOf(
    measured.lines.filter(({ line }) => touched.has(line)),
  );
  const part = fraction(
    globalLoadSectors + globalStoreSectors,
    totals.globalLoadSectors + totals.globalStoreSectors,
  );
  if (part < limitIn(entry, "part")) return [];
  const [names, other] = [own.first, own.second].map(({ kernel }) => kernel.facts.name);
  const share = shareOn(measured, ["dram", "l2", "latency"], part);
  const line = lineOf(own.second.launch.call);
  return [{ line, share, blanks: { names: names ?? "", other: other ?? "", array: own.array } }];
}

interface PassedOn {
  readonly first: Started;
  readonly second: Started;
  /** The host's name for it. */
  readonly array: string;
  readonly accesses: readonly CudaAccess[];
}

function passedOn(first: Started, second: Started): PassedOn | undefined {
  if (!isPointwise(first.kernel)) return undefined;
  for (const [parameter, array] of first.passed) {
    const taken = [...second.passed].find(([, text]) => text === array)?.[0];
    if (taken === undefined || !isOnlyTheirs(array, first, second)) continue;
    const stores = accessesOf(first.kernel, parameter);
    const loads = accessesOf(second.kernel, taken);
    const isMade = stores.length > 0 && stores.every((each) => each.stores && !each.loads);
    const isTaken = loads.length > 0 && loads.every((each) => each.loads && !each.stores);
    if (isMade && isTaken && loads.every((each) => isOncePerThread(second.kernel, each)))
      return { first, second, array, accesses: [...stores, ...loads] };
  }
  return undefined;
}

/** Whether each thread works by itself and loads nothing in loops: what it makes is cheap to make again. */
function isPointwise({ body }: CudaKernel): boolean {
  const waits = body
    .descendantsOfType("call_expression")
    .some((call) => /^(?:__sync|__shfl|atomic)/.test(call.childForFieldName("function")?.text ?? ""));
  return !waits && body.descendantsOfType([...loopTypes]).length === 0;
}

function accessesOf(kernel: CudaKernel, parameter: string): readonly CudaAccess[] {
  const { accesses, atomics } = cudaAccesses(kernel);
  return [...accesses, ...atomics].filter((access) => access.parameter === parameter);
}

/** Whether an index moves with every loop around it and with every axis that the kernel's threads have. */
function isOncePerThread({ body }: CudaKernel, { node, indexNode }: CudaAccess): boolean {
  if (indexNode === undefined) return false;
  const around = countedLoops(body).filter((loop) => isInside(node, loop.body));
  const isCounted = around.length === loopsAround(node);
  return isCounted && around.every(({ variable }) => usesOf(indexNode, variable).length > 0);
}

function loopsAround(node: SyntaxNode): number {
  const loop = enclosing(node, ...loopTypes);
  return loop?.parent ? 1 + loopsAround(loop.parent) : 0;
}

/** Whether the host does nothing else with an array but take memory for it and give that back. */
function isOnlyTheirs(array: string, first: Started, second: Started): boolean {
  const host = first.launch.host;
  if (host === undefined || !/^[A-Za-z_]\w*$/.test(array)) return false;
  const uses = usesOf(host, array).filter((use) => !isDeclared(use));
  return uses.every((use) => {
    if ([first, second].some(({ launch }) => isInside(use, launch.call))) return true;
    const call = enclosing(use, "call_expression")?.childForFieldName("function");
    return /^cuda(?:Malloc|Free)(?:Async|Managed)?$/.test(compact(call));
  });
}

function isDeclared({ parent }: SyntaxNode): boolean {
  return /(?:declarator|declaration)$/.test(parent?.type ?? "");
}

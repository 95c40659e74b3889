import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import type { CudaKernel } from "../../../../language/cuda/kernels";
import {
  collapse,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  partsOf,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../../cuda/kernel";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";
import { linesIn, loopTypes } from "../places";
import { type Started, startedBeside } from "../hosts/launches-beside";

/** A buffer that is filled, and the launch that writes it anew before anyone reads it. */
interface Overwritten {
  readonly array: string;
  readonly fill: SyntaxNode;
  readonly by: Started;
  /** The kernel that fills it; undefined where the runtime does. */
  readonly kernel: CudaKernel | undefined;
}

/** Buffers that are filled or written for nobody: a later launch stores each element without a look at it. */
export function overwrittenStores(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const [found] = overwrittenIn(view);
  if (found === undefined) return [];
  const stored = ({ body }: CudaKernel): number => sumOf(linesIn(measured, body)).globalStoreSectors;
  const sectors = stored(found.kernel ?? found.by.kernel);
  const all = totals.globalLoadSectors + totals.globalStoreSectors + (found.kernel ? 0 : sectors);
  const share = shareOn(measured, ["dram", "l2", "latency"], fraction(sectors, all));
  if (share < limitIn(entry, "share")) return [];
  const blanks = { array: found.array, by: found.by.kernel.facts.name };
  return [{ line: lineOf(found.fill), share, blanks }];
}

function overwrittenIn(view: KernelView): readonly Overwritten[] {
  const started = startedBeside(view);
  const host = started[0]?.launch.host;
  if (host === undefined) return [];
  const filled = started.flatMap(({ launch, kernel, passed }) =>
    [...passed].flatMap(([name, array]) =>
      fills(kernel, name) ? [{ array, fill: launch.call, kernel }] : [],
    ),
  );
  const all = [...filled, ...memsetsIn(host)].sort((a, b) => a.fill.startIndex - b.fill.startIndex);
  return all.flatMap(({ array, fill, kernel }) => {
    const by = nextUser(host, started, { array, fill });
    const name = by && [...by.passed].find(([, text]) => text === array)?.[0];
    return by && name !== undefined && fills(by.kernel, name) ? [{ array, fill, kernel, by }] : [];
  });
}

/** The launch that takes the buffer next, where nothing else of the host mentions it before. */
function nextUser(
  host: SyntaxNode,
  started: readonly Started[],
  { array, fill }: Pick<Overwritten, "array" | "fill">,
): Started | undefined {
  const name = /^\w+/.exec(array)?.[0] ?? array;
  const [use] = usesOf(host, name).filter(({ startIndex }) => startIndex > fill.endIndex);
  return use && started.find(({ launch }) => isInside(use, launch.call));
}

/** `cudaMemset(p, 0, bytes)` of a function. */
function memsetsIn(host: SyntaxNode): readonly Omit<Overwritten, "by">[] {
  return host.descendantsOfType("call_expression").flatMap((fill) => {
    if (!/^(?:::)?cudaMemset(?:Async)?$/.test(collapse(fieldText(fill, "function")))) return [];
    const [target] = partsOf(fill.childForFieldName("arguments"));
    return target === undefined ? [] : [{ array: collapse(target.text), fill, kernel: undefined }];
  });
}

/** True where a kernel stores an element for each of its threads and neither loads nor adds to any. */
function fills(kernel: CudaKernel, name: string): boolean {
  const { accesses, atomics } = cudaAccesses(kernel);
  const own = accesses.filter(({ parameter }) => parameter === name);
  if (own.length === 0 || atomics.some(({ parameter }) => parameter === name)) return false;
  return own.every(({ node, loads, stores }) => stores && !loads && isForEachThread(kernel, node));
}

/** True for a statement that only the end of the array keeps from being reached. */
function isForEachThread({ body }: CudaKernel, node: SyntaxNode): boolean {
  const loop = enclosing(node, ...loopTypes);
  if (loop !== undefined && isInside(loop, body) && !/gridDim/.test(loop.text)) return false;
  const exits = body.descendantsOfType("return_statement").flatMap((exit) => {
    const branch = enclosing(exit, "if_statement");
    return branch?.childForFieldName("condition") ?? [];
  });
  const around: SyntaxNode[] = [];
  for (let at = enclosing(node, "if_statement"); at && isInside(at, body); at = enclosing(at, "if_statement"))
    around.push(at.childForFieldName("condition") ?? at);
  return [...around, ...exits].every((condition) =>
    /^\(*[\w\s]+(?:<|>=)[\w\s*().]+\)*$/.test(condition.text),
  );
}

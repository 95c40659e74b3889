import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { kernelScope } from "../../../../language/cuda/body/scope";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { formOf } from "../../../../language/cuda/body/forms";
import { compact, enclosing, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { CudaKernel } from "../../../../language/cuda/kernels";
import type { KernelView } from "../../cuda/kernel";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";
import { type Started, startedBeside } from "./launches-beside";
import { loopTypes } from "../places";

/** Elements that a kernel stores and the same thread of a later one loads: one kernel could do both. */
export function unfusedLaunches(measured: Measured): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const started = startedBeside(view);
  const pairs = started.flatMap((first, place) =>
    started.slice(place + 1).flatMap((second) => handedOn(view, first, second) ?? []),
  );
  const own = pairs.filter(({ kernels }) =>
    kernels.some(({ facts }) => facts.name === view.kernel.facts.name),
  );
  const [found] = own;
  if (found === undefined) return [];
  const touched = new Set(pairs.flatMap(({ accesses }) => accesses.map(({ node }) => lineOf(node))));
  const { globalLoadSectors, globalStoreSectors } = sumOf(
    measured.lines.filter(({ line }) => touched.has(line)),
  );
  const all = totals.globalLoadSectors + totals.globalStoreSectors;
  // Of what is handed on, each element is stored and loaded once too often at most.
  const part = 0.7 * fraction(globalLoadSectors + globalStoreSectors, all);
  const share = shareOn(measured, ["dram", "l2", "latency"], part);
  const names = found.kernels.map(({ facts }) => facts.name).join(" and ");
  return [{ line: lineOf(found.launch.call), share, blanks: { names, array: found.array } }];
}

interface HandedOn {
  readonly launch: CudaLaunch;
  readonly array: string;
  readonly kernels: readonly CudaKernel[];
  readonly accesses: readonly CudaAccess[];
}

/** An array that the first stores and the second loads, by one element for each thread in both. */
function handedOn(view: KernelView, first: Started, second: Started): HandedOn | undefined {
  const [stores, loads] = [first, second].map(({ kernel }) => cudaAccesses(kernel).accesses);
  for (const [parameter, array] of first.passed) {
    const taken = [...second.passed].find(([, text]) => text === array)?.[0];
    const stored = (stores ?? []).filter((each) => each.parameter === parameter);
    const loaded = (loads ?? []).filter((each) => each.parameter === taken);
    const isHanded = stored.some((each) => each.stores) && loaded.some((each) => each.loads);
    if (taken === undefined || !isHanded) continue;
    const isOwn =
      stored.every((access) => isOwnElement(view, first.kernel, access)) &&
      loaded.every((access) => isOwnElement(view, second.kernel, access));
    if (!isOwn) continue;
    const kernels = [first.kernel, second.kernel];
    return { launch: second.launch, array, kernels, accesses: [...stored, ...loaded] };
  }
  return undefined;
}

/** The element of the thread's own number in the grid, outside of loops but that over the grid. */
function isOwnElement({ model }: KernelView, kernel: CudaKernel, access: CudaAccess): boolean {
  const { indexNode, node } = access;
  if (indexNode === undefined) return false;
  const loop = enclosing(node, ...loopTypes);
  const form = formOf(indexNode, kernelScope(kernel, model.constants));
  const keys = [...form.keys()];
  const walked = loop && walkOverRow(loop);
  if (walked !== undefined) return form.get(walked) === 1 && keys.some((key) => key.includes("blockIdx"));
  if (loop !== undefined && !/gridDim/.test(loop.text)) return false;
  if (form.get("threadIdx.x") === 1 && keys.some((key) => key.includes("blockIdx.x"))) return true;
  // Of a loop over the grid, also one that a macro opens, the index is its variable.
  const [name = ""] = keys;
  const isGiven = kernel.facts.parameters.some((parameter) => parameter.name === name);
  return keys.length === 1 && form.get(name) === 1 && /^[A-Za-z_]\w*$/.test(name) && !isGiven;
}

/** The variable of `for (int c = threadIdx.x; c < width; c += blockDim.x)`: a block walks over its row. */
function walkOverRow(loop: SyntaxNode): string | undefined {
  const declarator = loop.childForFieldName("initializer")?.childForFieldName("declarator");
  const name = declarator?.childForFieldName("declarator")?.text;
  const isOwn = compact(declarator?.childForFieldName("value")) === "threadIdx.x";
  return isOwn && compact(loop.childForFieldName("update")) === `${name}+=blockDim.x` ? name : undefined;
}

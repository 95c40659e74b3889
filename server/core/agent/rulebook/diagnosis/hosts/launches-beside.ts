import type { CudaKernel } from "../../../../language/cuda/kernels";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse, enclosing, partsOf } from "../../../../language/query";
import type { KernelView } from "../../cuda/kernel";
import { loopTypes } from "../places";

/** A launch with the kernel that it starts, and what the host passes for each parameter. */
export interface Started {
  readonly launch: CudaLaunch;
  readonly kernel: CudaKernel;
  readonly passed: ReadonlyMap<string, string>;
}

/**
 * The launches of the function that launches the kernel, in order. Those of one kernel with the same
 * arguments are instances of a template, of which one is launched.
 */
export function startedBeside(view: KernelView): readonly Started[] {
  const seen = new Set<string>();
  return startsOf(view).filter(({ kernel, passed }) => {
    const key = JSON.stringify([kernel.facts.name, ...passed]);
    const isNew = kernel.facts.templateParameters.length === 0 || !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function startsOf(view: KernelView): readonly Started[] {
  const [own] = view.launches;
  if (own?.host === undefined) return [];
  return view.model.launches
    .filter(({ host }) => host?.id === own.host?.id)
    .flatMap((launch) => {
      const kernel = view.model.kernels.find(({ facts }) => facts.name === launch.site.kernel);
      if (kernel === undefined || enclosing(launch.call, ...loopTypes) !== undefined) return [];
      const given = partsOf(launch.call.childForFieldName("arguments"));
      const passed = kernel.facts.parameters.flatMap(({ name }, place) => {
        const argument = given[place];
        return argument === undefined ? [] : [[name, collapse(argument.text)] as const];
      });
      return [{ launch, kernel, passed: new Map(passed) }];
    });
}

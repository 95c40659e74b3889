import type { KernelSpec } from "../../../core/workload/spec";
import { writeKernelSpec } from "../../../core/workload/spec-write";
import type { FoundSpec } from "../services";

/** The spec of a recording, beside its program: `SOURCE.KERNEL.kernel.json` in the program's folder. */
export function recordedSpec(
  spec: KernelSpec,
  { folder, source, kernel }: { readonly folder: string; readonly source: string; readonly kernel: string },
): FoundSpec {
  const path = `${source.slice(source.lastIndexOf("/") + 1)}.${kernel}.kernel.json`;
  return {
    spec,
    specPath: folder === "" ? path : `${folder}/${path}`,
    specFolder: folder,
    text: writeKernelSpec(spec, []),
    inferred: true,
    unknowns: [],
  };
}

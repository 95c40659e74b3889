import { known } from "../../../core/base/known";
import type { KernelSpec } from "../../../core/workload/spec";
import { writeKernelSpec } from "../../../core/workload/spec-write";
import type { CapturedWorkload, FoundSpec } from "../services";

const specSuffix = ".kernel.json";

/** The spec of a recording, beside its program: `SOURCE.KERNEL.kernel.json` in the program's folder. */
export function recordedSpec(
  spec: KernelSpec,
  { folder, source, kernel }: { readonly folder: string; readonly source: string; readonly kernel: string },
): FoundSpec {
  const path = `${source.slice(source.lastIndexOf("/") + 1)}.${kernel}${specSuffix}`;
  return {
    spec,
    specPath: folder === "" ? path : `${folder}/${path}`,
    specFolder: folder,
    text: writeKernelSpec(spec, []),
    inferred: true,
    unknowns: [],
  };
}

/**
 * The same for one more instance of a template: its arguments stand in the name of the file,
 * `SOURCE.KERNEL.128-float.kernel.json`.
 */
function withInstance(found: FoundSpec): FoundSpec {
  const { run } = found.spec;
  const words = run.kind === "launch" ? (run.launch.instance ?? []) : [];
  if (words.length === 0) return found;
  const called = words.map((word) => word.replaceAll(/\W+/g, "_")).join("-");
  return { ...found, specPath: `${found.specPath.slice(0, -specSuffix.length)}.${called}${specSuffix}` };
}

/**
 * A workload in a file of its own, where another instance of the same template is recorded already. A text:
 * the kernel whose file it would be.
 */
export function apartFrom(
  others: readonly CapturedWorkload[],
  made: CapturedWorkload,
): CapturedWorkload | string {
  const places = [made.found, withInstance(made.found)];
  const free = places.find(({ specPath }) => others.every(({ found }) => found.specPath !== specPath));
  if (free !== undefined) return { ...made, found: free };
  const taken = others.find(({ found }) => found.specPath === made.found.specPath);
  return known(taken, "what took the place of a workload").kernel;
}

import type { KernelSpec } from "../../../core/workload/spec";
import { writeKernelSpec } from "../../../core/workload/spec-write";
import type { FoundSpec } from "../services";

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
export function withInstance(found: FoundSpec): FoundSpec {
  const { run } = found.spec;
  const words = run.kind === "launch" ? (run.launch.instance ?? []) : [];
  if (words.length === 0) return found;
  const called = words.map((word) => word.replaceAll(/\W+/g, "_")).join("-");
  return { ...found, specPath: `${found.specPath.slice(0, -specSuffix.length)}.${called}${specSuffix}` };
}

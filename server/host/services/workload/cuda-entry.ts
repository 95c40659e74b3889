import { at } from "../../../core/base/known";
import { fail } from "../../../core/base/outcome";
import { inferEntry } from "../../../core/language/cuda/entry-inference";
import { inferSpec, type InferredSpec } from "../../../core/language/inference";
import { evaluateLaunchSite } from "../../../core/language/launch-evaluation";
import { findLaunchSites, type SourceFile, withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import type { WorkloadFinder } from "./finders";

/**
 * The host function of the kernel's file that launches it, to be called as it is. A launch whose grid and
 * block the text tells is left to the bare launch, which needs no host compiler.
 */
export function cudaEntry(grammars: () => Promise<Grammars>): WorkloadFinder {
  return {
    looksFor: "a host function that launches the kernel",
    find: async ({ file, text, kernel }) => {
      const base = file.slice(file.lastIndexOf("/") + 1);
      const find = (source: SourceFile): ReturnType<typeof inferEntry> => {
        if (source.dialect !== "cuda") return fail(`${file} is no CUDA source`);
        const bare = inferSpec(source, base, kernel);
        if (bare.ok && isReadable(source, bare.value)) return fail(`the launch of ${kernel} can be read`);
        return inferEntry(source.tree.root, base, kernel);
      };
      return withSource(await grammars(), file, text, find) ?? fail(`${file} is no CUDA source`);
    },
  };
}

/** Whether the text tells grid and block of a bare launch, or the spec does. */
function isReadable(source: SourceFile, { spec }: InferredSpec): boolean {
  if (spec.run.kind !== "launch") return false;
  const site = findLaunchSites(source).find(({ kernel }) => kernel === spec.kernel);
  if (site === undefined) return true;
  const { sizes } = at(spec.shapes, 0);
  return evaluateLaunchSite({ site, arguments: spec.run.launch.arguments, sizes }).ok;
}

import { inferSpec } from "../../../core/language/inference";
import { withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import { fail } from "../../../core/base/outcome";
import type { WorkloadFinder } from "./finders";

/** The kernel launched by itself, as its source proposes it. */
export function bareLaunch(grammars: () => Promise<Grammars>): WorkloadFinder {
  return {
    looksFor: "a launch of the kernel by itself",
    find: async ({ file, text, kernel }) => {
      const base = file.slice(file.lastIndexOf("/") + 1);
      return (
        withSource(await grammars(), file, text, (source) => inferSpec(source, base, kernel)) ??
        fail(`${file} is no CUDA or Triton source`)
      );
    },
  };
}

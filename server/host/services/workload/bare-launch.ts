import { fail, succeed } from "../../../core/base/outcome";
import { cudaLaunchFacts } from "../../../core/language/cuda/launch/launch-facts";
import { type InferredSpec, inferSpec } from "../../../core/language/inference";
import { withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import type { WorkloadFinder } from "./finders";
import { type ProbeMeans, probeKernel } from "./probing/probe-kernel";

interface BareLaunchOptions extends ProbeMeans {
  readonly grammars: () => Promise<Grammars>;
}

/**
 * The kernel launched by itself. A CUDA kernel is launched on roomy buffers until grid, block and extents
 * explain what it touches; where that fails, and for Triton, what the source proposes has to do.
 */
export function bareLaunch(options: BareLaunchOptions): WorkloadFinder {
  return {
    looksFor: "a launch of the kernel by itself",
    find: async (request) => {
      const { file, text, kernel } = request;
      const base = file.slice(file.lastIndexOf("/") + 1);
      const read = withSource(await options.grammars(), file, text, (source) => ({
        proposal: inferSpec(source, base, kernel),
        facts: source.dialect === "cuda" ? cudaLaunchFacts(source, kernel) : undefined,
      }));
      if (read === undefined) return fail(`${file} is no CUDA or Triton source`);
      if (read.facts === undefined) return read.proposal;
      const probed = await probeKernel(options, request, { ...read, facts: read.facts, base });
      if (probed.ok) return probed;
      return read.proposal.ok ? succeed(asGuess(read.proposal.value, probed.problem)) : probed;
    },
  };
}

/** A spec that no run has confirmed: each fact with a sentence is a guess. */
function asGuess({ spec, unknowns }: InferredSpec, why: string): InferredSpec {
  const origins = Object.fromEntries(
    unknowns.filter(({ path }) => path !== "reference").map(({ path }) => [path, "guessed" as const]),
  );
  const first = {
    path: "launch",
    sentence: `the kernel could not be launched to see what it touches: ${why}.`,
  };
  return { spec: { ...spec, origins: { ...spec.origins, ...origins } }, unknowns: [first, ...unknowns] };
}

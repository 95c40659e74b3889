import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { OperationalError } from "../../../core/base/operational-error";
import type { FoundWorkload, WorkloadFinder } from "./finders";
import { findEntryFunctions } from "./entries/entry-sources";
import { type EntryMeans, probeEntry } from "./entries/probe-entry";

/** Functions that are compiled and called before the search is given up. */
const mostFunctions = 3;

/**
 * The host function that launches the kernel, called for real with made-up arguments. Where there is one and
 * no call of it runs, `otherwise` has to do, and the workload says why.
 */
export function cudaEntry(means: EntryMeans, otherwise: WorkloadFinder): WorkloadFinder {
  return {
    looksFor: "a host function that launches the kernel",
    find: async (request) => {
      const { file, kernel } = request;
      if (file.endsWith(".py")) return fail(`${file} is no CUDA source`);
      const { callable, refused } = await findEntryFunctions(means, request);
      if (callable.length === 0)
        return fail(refused[0] ?? `no host function was found that launches ${kernel}`);
      const problems: string[] = [];
      for (const entry of callable.slice(0, mostFunctions)) {
        const found = await withoutWalls(() => probeEntry(means, request, entry));
        if (found.ok) return found;
        problems.push(found.problem);
      }
      const bare = await otherwise.find(request);
      return bare.ok ? succeed(withReason(bare.value, problems[0] ?? "")) : bare;
    },
  };
}

/** Without walls host code is not run; the kernel itself can be. */
async function withoutWalls(
  probe: () => Promise<Outcome<FoundWorkload, string>>,
): Promise<Outcome<FoundWorkload, string>> {
  try {
    return await probe();
  } catch (thrown) {
    if (thrown instanceof OperationalError && thrown.code === "walls-missing") return fail(thrown.message);
    throw thrown;
  }
}

function withReason(found: FoundWorkload, problem: string): FoundWorkload {
  const sentence = `the kernel is launched by itself, without its host code: ${problem}.`;
  return { ...found, unknowns: [{ path: "launch", sentence }, ...found.unknowns] };
}

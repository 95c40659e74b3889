import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { OperationalError } from "../../../core/base/operational-error";
import type { FoundWorkload, WorkloadFinder } from "./finders";
import { findEntryFunctions } from "./entries/entry-sources";
import { leavesOwnMemory } from "./entries/find-domains";
import { type EntryMeans, probeEntry } from "./entries/probe-entry";
import { overrunWords } from "./probing/spec/probed-tensors";

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
      const { file } = request;
      if (file.endsWith(".py")) return otherwise.find(request);
      const { callable, refused } = await findEntryFunctions(means, request);
      if (callable.length === 0) return byItself(await otherwise.find(request), refused[0]);
      const [nearest] = callable;
      const left = nearest?.left.unknown ?? [];
      if (nearest !== undefined && left.length > 0) {
        const bare = await otherwise.find(request);
        if (bare.ok) return succeed(withReason(bare.value, leavesConstants(nearest.name, left)));
      }
      const problems: string[] = [];
      for (const entry of callable.slice(0, mostFunctions)) {
        const found = await withoutWalls(() => probeEntry(means, request, entry));
        if (found.ok) return found;
        problems.push(found.problem);
      }
      return byItself(await otherwise.find(request), problems[0]);
    },
  };
}

/** What was found of the kernel by itself, with why its host code was not run, where it has one. */
function byItself(
  bare: Outcome<FoundWorkload, string>,
  problem: string | undefined,
): Outcome<FoundWorkload, string> {
  if (problem === undefined) return bare;
  if (bare.ok) return succeed(withReason(bare.value, problem));
  return fail(`its host code was not run (${problem}), and by itself: ${bare.problem}`);
}

function leavesConstants(entry: string, names: readonly string[]): string {
  return `${entry} leaves ${names.join(", ")} as it is: constants that other host code sets`;
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
  const known = problem.includes(leavesOwnMemory) ? withoutOverruns(found) : found;
  return { ...known, unknowns: [{ path: "launch", sentence }, ...known.unknowns] };
}

/**
 * Buffers that seem to be touched by a thread too many are as small as they seem where the host code says so.
 */
function withoutOverruns(found: FoundWorkload): FoundWorkload {
  const isOverrun = ({ sentence }: FoundWorkload["unknowns"][number]): boolean =>
    sentence.includes(overrunWords);
  const paths = found.unknowns.filter(isOverrun).map(({ path }) => path);
  const origins = Object.fromEntries(paths.map((path) => [path, "inferred" as const]));
  return {
    ...found,
    spec: { ...found.spec, origins: { ...found.spec.origins, ...origins } },
    unknowns: found.unknowns.filter((unknown) => !isOverrun(unknown)),
  };
}

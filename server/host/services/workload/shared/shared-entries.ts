import { succeed } from "../../../../core/base/outcome";
import type { Target } from "../../../../core/timing/target";
import { pathFromSpec } from "../../sources/source-tree";
import { type EntryFiles, findEntryFunctions, readEntryTree } from "../entries/entry-sources";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "../finders";

/** What was found of one kernel, for the others of its file. */
interface KnownEntry {
  readonly file: string;
  readonly target: Target;
  /** The function with its file, and all that it is compiled from. */
  readonly entry: string;
  readonly sources: string;
  readonly found: FoundWorkload;
}

/** Workloads that are kept, at most. */
const mostKept = 4;

/**
 * What was found of a kernel counts for the others that each call of its host function launches: what is
 * judged is the function. Those that another function leads to first are looked for by themselves, and so is
 * one of which a program has shown numbers.
 */
export function sharedEntries(finder: WorkloadFinder, means: EntryFiles): WorkloadFinder {
  let kept: readonly KnownEntry[] = [];
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const candidates = kept.filter((known) => isOf(request, known));
      const entry = candidates.length === 0 ? undefined : await nearestEntry(means, request);
      if (entry !== undefined) {
        const sources = await sourcesOf(means, request);
        const known = candidates.find((each) => each.entry === entry && each.sources === sources);
        if (known !== undefined) return succeed(asOf(request.kernel, known.found));
      }
      const found = await finder.find(request);
      if (!found.ok || (found.value.launches ?? []).length < 2 || request.passed !== undefined) return found;
      const { file, target } = request;
      const own = entryOf(found.value, file);
      if (own === undefined) return found;
      const known = {
        file,
        target,
        entry: own,
        sources: await sourcesOf(means, request),
        found: found.value,
      };
      kept = [known, ...kept].slice(0, mostKept);
      return found;
    },
  };
}

function isOf(
  { file, target, kernel, passed }: WorkloadRequest,
  { file: knownFile, target: knownTarget, found }: KnownEntry,
): boolean {
  const isSame = file === knownFile && JSON.stringify(target) === JSON.stringify(knownTarget);
  return isSame && passed === undefined && found.launches?.includes(kernel) === true;
}

function asOf(kernel: string, found: FoundWorkload): FoundWorkload {
  return { ...found, spec: { ...found.spec, kernel } };
}

/** The function that a kernel's workload would call first; undefined where constants stand against it. */
async function nearestEntry(means: EntryFiles, request: WorkloadRequest): Promise<string | undefined> {
  const [nearest] = (await findEntryFunctions(means, request)).callable;
  if (nearest === undefined || nearest.left.unknown.length > 0) return undefined;
  return `${nearest.file}::${nearest.name}`;
}

/** The function of a workload, with its file's path in the workspace; undefined where none is called. */
function entryOf({ spec, specFolder }: FoundWorkload, file: string): string | undefined {
  if (spec.run.kind !== "entry") return undefined;
  const { call } = spec.run.entry;
  const end = call.indexOf("::");
  const folder = specFolder ?? file.slice(0, Math.max(0, file.lastIndexOf("/")));
  return `${pathFromSpec(folder, call.slice(0, end))}${call.slice(end)}`;
}

/** The texts that a kernel's file draws in, its own included. */
async function sourcesOf(means: EntryFiles, { file, text }: WorkloadRequest): Promise<string> {
  return JSON.stringify([text, await readEntryTree(means, file)]);
}

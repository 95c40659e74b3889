import { succeed } from "../../../../../core/base/outcome";
import { defaultGpu } from "../../../../../core/timing/gpu-model";
import type { LaunchSpec, SizeExpression } from "../../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../../finders";
import { type CleanMeans, isClean } from "../found-task";
import { type EndingMeans, withEndingInputs } from "./ending-inputs";

/** A loop that may wait for what other blocks do. */
const waiting = /\bwhile\s*\(|\bdo\s*\{|\bfor\s*\([^;]*;\s*;/;
/** What such a loop sees of others. */
const seen = /\batomic|\bvolatile\b|\bcuda::|\b(?:ld|__ld)\w*|\basm\b/;

/** Makes sure that the kernel ends: first with what was made up, then with a grid that finds room. */
export function thatEnds(finder: WorkloadFinder, means: EndingMeans & CleanMeans): WorkloadFinder {
  return withResidentGrid(withEndingInputs(finder, means), means);
}

/**
 * Launches a kernel whose blocks wait for each other with no more of them than a GPU holds at once, where it
 * does not end with the grid that probes have found: a block that has not begun brings nothing about, and who
 * launches such a kernel chooses a grid that fits. Told as a guess, and no fault of the kernel.
 */
function withResidentGrid(finder: WorkloadFinder, means: CleanMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      const { text, target } = request;
      if (!found.ok || !/\bgridDim\b/.test(text) || !waiting.test(text) || !seen.test(text)) return found;
      const fitting = withFewBlocks(found.value, defaultGpu(target.architecture).multiprocessors);
      if (fitting === undefined || (await isClean(means, request, found.value))) return found;
      return (await isClean(means, request, fitting)) ? succeed(fitting) : found;
    },
  };
}

/** The workload with one block for each multiprocessor at most; undefined where its grid is known. */
function withFewBlocks(found: FoundWorkload, multiprocessors: number): FoundWorkload | undefined {
  const { spec, unknowns } = found;
  const { run, origins = {} } = spec;
  if (run.kind !== "launch" || spec.dialect !== "cuda" || origins["launch.grid"] === "inferred")
    return undefined;
  const [blocks, ...others] = run.launch.grid ?? [];
  if (blocks === undefined || others.length > 0 || typeof blocks === "number") return undefined;
  const few: SizeExpression = `min(${blocks}, ${multiprocessors})`;
  const launch: LaunchSpec = { ...run.launch, grid: [few] };
  const sentence = `the grid: blocks wait for each other, and with ${blocks} of them a run does not end where some find no room beside the others. ${few} is a guess.`;
  return {
    ...found,
    spec: {
      ...spec,
      run: { kind: "launch", launch },
      origins: { ...origins, "launch.grid": "guessed" },
    },
    unknowns: [{ path: "launch.grid", sentence }, ...unknowns],
  };
}

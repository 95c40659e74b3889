import { OperationalError } from "../../../../core/base/operational-error";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { KernelSpec, ShapeCase } from "../../../../core/workload/spec";
import type { FileReader } from "../../../../core/ports/files";
import type { BuildService } from "../../services";
import { buildSettingsOf, readSourceTree } from "../../sources/source-tree";
import type { FoundWorkload, WorkloadRequest } from "../finders";

/** What a found workload is examined with. */
export interface ExamineMeans {
  readonly files: FileReader;
  readonly builds: BuildService;
}

/**
 * What an examination of a found workload says, as the task that it will be. What cannot be examined gives
 * `otherwise`: its check says what is wrong. Throws `cancelled`.
 */
export async function examined<Result>(
  { files, builds }: ExamineMeans,
  { file, target, signal }: WorkloadRequest,
  { spec, specFolder = folderOf(file) }: FoundWorkload,
  {
    ask,
    otherwise,
  }: {
    readonly ask: (task: EvaluationTask, signal: AbortSignal) => Promise<Result>;
    readonly otherwise: Result;
  },
): Promise<Result> {
  try {
    const build = await buildSettingsOf(builds, { spec, specFolder });
    const baseline = await readSourceTree(files, { spec, specFolder }, build);
    return await ask({ spec, specFolder, target, baseline, build }, signal);
  } catch (thrown) {
    if (thrown instanceof OperationalError && thrown.code !== "cancelled") return otherwise;
    throw thrown;
  }
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** What tells whether a run of a found workload is without fault. */
export interface CleanMeans extends ExamineMeans {
  /** Whether a run of a shape ends and nothing is found in it. */
  readonly isClean: (task: EvaluationTask, shape: ShapeCase, signal: AbortSignal) => Promise<boolean>;
}

/** Whether runs of the smallest and of the profiled shape end and nothing is found in them. */
export async function isClean(
  means: CleanMeans,
  request: WorkloadRequest,
  found: FoundWorkload,
): Promise<boolean> {
  for (const shape of triedShapes(found.spec)) {
    const ask = (task: EvaluationTask, signal: AbortSignal): Promise<boolean> =>
      means.isClean(task, shape, signal);
    if (!(await examined(means, request, found, { ask, otherwise: false }))) return false;
  }
  return true;
}

/** The smallest visible shape, and the one that is profiled. */
function triedShapes({ shapes }: KernelSpec): readonly ShapeCase[] {
  const visible = shapes.filter(({ heldOut }) => heldOut !== true);
  const [first] = visible;
  const [smallest] = [...visible].sort((one, other) => volumeOf(one) - volumeOf(other));
  return [...new Set([smallest, first])].flatMap((shape) => shape ?? []);
}

function volumeOf({ sizes }: ShapeCase): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}

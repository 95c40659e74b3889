import { entry } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { SourceTree } from "../../../core/judge/candidate";
import type { LaunchClass } from "../../../core/proof/launch-class";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { LaunchShapes, SourceLaunchShape } from "../../../core/ports/launch-shapes";
import { compiledFile, isLaunchOfOurs, type LaunchSpec } from "../../../core/workload/spec";
import { type ResolvedShape, sizeOf } from "../evaluation/case-shapes";

/** Where the shape of a launch is found: in the spec, else in the source. */
interface ShapeSources {
  readonly task: EvaluationTask;
  readonly launch: LaunchSpec;
  readonly launchShapes: LaunchShapes;
}

/** Workspace path of the file that is compiled. */
export function mainOf({ specFolder, spec }: EvaluationTask): string {
  return inFolder(specFolder, compiledFile(spec));
}

/** Workspace path of the file whose launches are read. */
function launchingFile(task: EvaluationTask, { includedBy }: LaunchSpec): string {
  return includedBy === undefined ? mainOf(task) : inFolder(task.specFolder, task.spec.file);
}

function inFolder(folder: string, file: string): string {
  return folder === "" ? file : `${folder}/${file}`;
}

/** The grid, the block and the shared memory with which a candidate launches its kernel, or why not. */
export async function launchShape(
  { launch, launchShapes, task }: ShapeSources,
  tree: SourceTree,
  shape: ResolvedShape,
): Promise<Outcome<SourceLaunchShape, string>> {
  const main = launchingFile(task, launch);
  const { sizes } = shape.shape;
  const stated = (
    expressions: LaunchSpec["grid"],
    what: string,
  ): readonly [number, number, number] | undefined =>
    expressions &&
    ([0, 1, 2].map((axis) => sizeOf(expressions[axis] ?? 1, sizes, what)) as [number, number, number]);
  const grid = stated(launch.grid, "grid");
  const block = stated(launch.block, "block");
  const sharedBytes =
    launch.sharedBytes === undefined ? undefined : sizeOf(launch.sharedBytes, sizes, "sharedBytes");
  if (grid !== undefined && block !== undefined)
    return succeed({
      grid,
      block,
      sharedBytes: sharedBytes ?? 0,
      templateArguments: [],
      passed: [],
    });
  const question = {
    path: main,
    kernel: task.spec.kernel,
    arguments: launch.arguments,
    sizes,
  };
  const before = entry(task.baseline, main);
  const text = tree[main] ?? before;
  const read = await launchShapes.read({ ...question, text });
  if (!read.ok) return read;
  const known = text === before ? read : await launchShapes.read({ ...question, text: before });
  const other = read.value.passed.find((passed) => known.ok && !known.value.passed.includes(passed));
  if (other !== undefined && known.ok)
    return fail(
      `the candidate launches ${task.spec.kernel} with (${other}), its baseline with (${known.value.passed.join(") and (")}). This workload launches the kernel alone and cannot judge that: only the shape of the launch may change. The host function that launches it can be judged as the spec's entry`,
    );
  return succeed({
    ...read.value,
    grid: grid ?? read.value.grid,
    block: block ?? read.value.block,
    sharedBytes: sharedBytes ?? read.value.sharedBytes,
  });
}

/** A launch that a candidate states itself, with the files without the function that states it. */
interface OwnShape {
  readonly shape: Outcome<SourceLaunchShape, string>;
  readonly others: SourceTree;
}

/**
 * The launch of a candidate that brings a function which launches the kernel, where no source had one and the
 * spec says what was found out; undefined where the spec's launch counts.
 */
export async function ownLaunchShape(
  { launch, launchShapes, task }: ShapeSources,
  tree: SourceTree,
  { shape: { sizes } }: ResolvedShape,
): Promise<OwnShape | undefined> {
  const path = launchingFile(task, launch);
  const text = tree[path];
  if (!isLaunchOfOurs(task.spec) || text === undefined || text === task.baseline[path]) return undefined;
  const { kernel } = task.spec;
  const shape = await launchShapes.own({ path, text, kernel, arguments: launch.arguments, sizes });
  if (shape === undefined) return undefined;
  return { shape, others: shape.ok ? { ...tree, [path]: shape.value.rest } : tree };
}

/**
 * The launches that differ from one in their sizes alone. Where the source gives no formulas, what is read of
 * it is known of that one: its block stands for those of all others, and its grid for none.
 */
export function launchClassOf({ task, launch }: ShapeSources, shape: SourceLaunchShape): LaunchClass {
  const { kernel, inputs, outputs, shapes, run, origins } = task.spec;
  const grid = launch.grid ?? shape.formulas?.grid;
  const sharedBytes = launch.sharedBytes ?? (shape.sharedBytes === 0 ? 0 : undefined);
  return {
    spec: { kernel, inputs, outputs, shapes, run, ...(origins && { origins }) },
    block: launch.block ?? shape.formulas?.block ?? shape.block,
    ...(grid && { grid }),
    ...(sharedBytes !== undefined && { sharedBytes }),
  };
}

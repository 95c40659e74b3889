import type { SourceTree } from "../../../core/judge/candidate";
import { hasLauncher, ownLauncherOf } from "../../../core/workload/own-launcher";
import { type EntrySpec, fileOfCall } from "../../../core/workload/spec";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { inFolder } from "../evaluation/oracle-session";

/** What a candidate's process gets: files, and what of them is called (`FILE::FUNCTION`). */
interface CandidateCode {
  readonly files: SourceTree;
  readonly call: string;
}

/** Workspace path of the kernel's file. */
export function kernelFile({ spec, specFolder }: EvaluationTask): string {
  return inFolder(specFolder, spec.file);
}

/** A candidate's code without the reference, which has no business in its process. */
export function candidateCode(task: EvaluationTask, entry: EntrySpec, tree: SourceTree): CandidateCode {
  const { spec, specFolder, baseline } = task;
  const files: Record<string, string> = { ...baseline, ...tree };
  const { reference } = spec;
  const apart = reference.kind === "callable" ? inFolder(specFolder, fileOfCall(reference.callable)) : "";
  if (apart !== kernelFile(task)) delete files[apart];
  // A bare kernel's candidate may say itself how it is launched.
  const launcher = ownLauncherOf(spec);
  const isOwn = launcher !== undefined && hasLauncher(files[kernelFile(task)], launcher);
  return { files, call: inFolder(specFolder, isOwn ? launcher.call : entry.call) };
}

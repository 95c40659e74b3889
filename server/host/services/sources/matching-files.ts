import { modelRules, PathRules } from "../../../core/base/path-rules";
import type { FileReader } from "../../../core/ports/files";
import { projectFileName } from "../../../core/workload/build/project-file";

/** Files of the workspace that match one of the patterns and that a model may be shown, sorted. */
export async function matchingFiles(
  files: FileReader,
  patterns: readonly string[],
): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const globs = new PathRules(patterns);
  const all = await files.list("", [""]);
  return all.filter((path) => globs.hides(path) && !modelRules.hides(path) && path !== projectFileName);
}

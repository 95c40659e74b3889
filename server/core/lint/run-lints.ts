import type { SourceFile } from "../language/source-file";
import { readTriton } from "../language/triton/model";
import type { LintFinding } from "./lint";
import { cudaFindings, type CudaLintMemory, cudaLintMemory } from "./cuda/lints";
import { tritonFindings } from "./triton/lints";

/** What was found in the last version of a text, part by part. */
export interface LintMemory {
  readonly lints: CudaLintMemory;
}

/** For a text of which nothing is known yet. */
export function lintMemory(): LintMemory {
  return { lints: cudaLintMemory() };
}

/**
 * Classic mistakes of a source, in the order of the text. Those that a comment allows are left out:
 * `kernelwright-ignore: ID` on the line or on the one before it. `memory`: of the text's last version.
 */
export function runLints(
  { dialect, text, tree }: SourceFile,
  { lints } = lintMemory(),
): readonly LintFinding[] {
  const found = dialect === "cuda" ? cudaFindings(tree.root, lints) : tritonFindings(readTriton(tree.root));
  const lines = text.split("\n");
  return found
    .filter((finding) => !isAllowed(finding, lines))
    .toSorted(
      (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
    );
}

function isAllowed({ id, range: { start } }: LintFinding, lines: readonly string[]): boolean {
  return [start.line - 1, start.line].some((line) => {
    const allowed = /kernelwright-ignore:([\w ,-]*)/.exec(lines[line] ?? "")?.[1];
    return allowed !== undefined && allowed.split(/[ ,]+/).includes(id);
  });
}

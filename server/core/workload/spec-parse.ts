import { type Outcome, fail, succeed } from "../base/outcome";
import { type FileProblem, parseLocatedJson } from "./located-json";
import type { KernelSpec } from "./spec";
import { decodeSpec } from "./spec-decode";
import type { PathProblem } from "./spec-json";
import { checkSpec } from "./spec-check";

export type SpecProblem = FileProblem;

const about = {
  what: "spec",
  empty: "the file is empty: a kernel spec was expected. Use the command “Create Kernel Spec” to begin one",
};

/**
 * Reads the text of a NAME.kernel.json file (JSON with comments and trailing commas). All problems are
 * reported, in the order of the text.
 */
export function parseKernelSpec(text: string): Outcome<KernelSpec, readonly SpecProblem[]> {
  const parsed = parseLocatedJson(text, about);
  if (!parsed.ok) return parsed;
  const problems: PathProblem[] = [];
  const spec = decodeSpec(parsed.value.value, (path, message) => problems.push({ path, message }));
  if (spec !== undefined && problems.length === 0) problems.push(...checkSpec(spec));
  if (spec !== undefined && problems.length === 0) return succeed(spec);
  return fail(
    problems
      .map(({ path, message }) => parsed.value.problem(path, message))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

import type { Json } from "../base/json";
import { type Outcome, fail, succeed } from "../base/outcome";
import { readWorded } from "../base/shape";
import { type FileProblem, parseLocatedJson, type PathProblem } from "./located-json";
import type { KernelSpec } from "./spec";
import { checkSpec } from "./spec-check";
import { specFile } from "./spec-file/shape";
import { specOfFile } from "./spec-file/spec-of-file";

export type SpecProblem = FileProblem;

const about = {
  what: "spec",
  empty: "the file is empty: a kernel spec was expected. Use the command “Set Up Kernel” to begin one",
};

/**
 * Reads the text of a NAME.kernel.json file (JSON with comments and trailing commas). All problems are
 * reported, in the order of the text.
 */
export function parseKernelSpec(text: string): Outcome<KernelSpec, readonly SpecProblem[]> {
  const parsed = parseLocatedJson(text, about);
  if (!parsed.ok) return parsed;
  const { value, problem } = parsed.value;
  const read = readSpec(value);
  if (read.ok) return read;
  return fail(
    read.problem.map((each) => problem(each)).sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

function readSpec(value: Json): Outcome<KernelSpec, readonly PathProblem[]> {
  const file = readWorded(specFile, value);
  if (!file.ok) return file;
  const spec = specOfFile(file.value);
  const problems = checkSpec(spec);
  return problems.length === 0 ? succeed(spec) : fail(problems);
}

/** A problem that shows only later, with its place in the text; undefined where the text cannot be read. */
export function problemAt(text: string, problem: PathProblem): SpecProblem | undefined {
  const parsed = parseLocatedJson(text, about);
  return parsed.ok ? parsed.value.problem(problem) : undefined;
}

import type { Evaluation } from "../../../core/ports/evaluator";
import { resolveShape } from "../evaluation/case-shapes";
import { inFolder, type OracleSession } from "../evaluation/oracle-session";
import { withOwnVerdict } from "./own-verdict";
import { ProgramEvaluation } from "./program-evaluation";
import { ProgramRuns, type ProgramRunsOptions } from "./program-run";

/** Of launches that a program has shown the host code can be judged as well: by that program. */
export function withProgram(
  inner: Evaluation,
  oracle: OracleSession,
  tools: Omit<ProgramRunsOptions, "program" | "shapes">,
): Evaluation {
  const { spec } = tools.task;
  const { program, run, origins } = spec;
  if (program === undefined || run.kind !== "launch" || origins?.["launch"] !== "recorded") return inner;
  const visible = spec.shapes.filter(({ heldOut }) => heldOut !== true);
  const options = { ...tools, program, shapes: visible.map((shape) => resolveShape(spec, shape)) };
  const runs = new ProgramRuns(options);
  const { baseline, specFolder } = tools.task;
  const own = withOwnVerdict(inner, { runs, baseline, file: inFolder(specFolder, program.file) });
  return new ProgramEvaluation({ ...options, inner: own, oracle, launch: run.launch, runs });
}

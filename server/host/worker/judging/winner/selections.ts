import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { resolveShape } from "../../evaluation/case-shapes";
import { replyObject } from "../../compile/compiled-module";
import { listIn } from "../../transport/read-json";
import type { CaseJudge } from "../case-judge";

/** How many cases with few values an output has to come through. */
const leastCases = 4;

/**
 * Has the oracle find the outputs whose numbers are those of inputs, as a maximum or a gather is, and
 * compare them exactly from now on. Every listed shape is asked: a sum of one element is one, too, and where
 * two elements make the median it is none of them. Gives the names of these outputs.
 */
export async function findSelections(
  { spec }: Pick<EvaluationTask, "spec">,
  { baseline, oracle }: Pick<CaseJudge, "baseline" | "oracle">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = spec.shapes.filter(({ recorded }) => Object.keys(recorded ?? {}).length === 0);
  if (spec.tolerance !== undefined || listed.length === 0) return [];
  const shapes = listed.map((shape) => resolveShape(spec, shape));
  const size = (shape: (typeof shapes)[number]): number =>
    shape.inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  shapes.sort((one, other) => size(one) - size(other));
  const turns = Math.ceil(leastCases / shapes.length);
  const asked = new Array<typeof shapes>(turns).fill(shapes).flat();
  let found: readonly string[] = [];
  for (const [place, shape] of asked.entries()) {
    const isLast = place === asked.length - 1;
    const planned = { shape, variant: "few" } as const;
    const names = await baseline.withInputs(planned, signal, async ({ id }) => {
      const reply = await oracle.ask("select", { case: id, last: isLast }, [], signal);
      return listIn(replyObject(reply), "outputs").map(String);
    });
    if ("kind" in names || names.length === 0) return [];
    found = names;
  }
  return found;
}

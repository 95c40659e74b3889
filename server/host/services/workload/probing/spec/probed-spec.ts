import type { InferredSpec } from "../../../../../core/language/inference";
import { baselineUnknown } from "../../../../../core/language/spec-draft";
import type { ShapePlan } from "../../../../../core/workload/probe/shapes/plan";
import { proposeProbedShapes } from "../../../../../core/workload/probe/shapes/proposed";
import { statedSizes, withStated } from "../../../../../core/workload/probe/stated-sizes";
import type { KernelSpec } from "../../../../../core/workload/spec";
import type { ProbeResult } from "./probe-result";
import { probedPlan } from "./probed-plan";
import { type ProbeFacts, tensorsOf } from "./probed-tensors";
import { launchOf } from "./probed-launch";
import { rowsFirst, tableRows } from "./table-rows";

/** What a launch and its probes stand for. */
interface ProbedWorkload {
  /** The spec, with a sentence for all that stays a guess. */
  readonly inferred: InferredSpec;
  /** What its shapes were proposed for. */
  readonly plan: ShapePlan;
}

/** The workload that a launch and its probes stand for. */
export function probedWorkload(result: ProbeResult): ProbedWorkload {
  const facts: ProbeFacts = { origins: {}, unknowns: [] };
  const { tied = new Map() } = result;
  const rows = tableRows(result, facts);
  const { inputs, outputs } = rowsFirst(tensorsOf(result, facts), rows);
  const launch = launchOf(result, facts, rows);
  const extents = [...Object.values(inputs), ...Object.values(outputs)].map(({ shape }) =>
    shape.length === 1 ? (shape[0] ?? 1) : shape.map((size) => `(${size})`).join(" * "),
  );
  const names = [
    ...result.planned.flatMap((each) => (each.kind === "size" && !tied.has(each.name) ? each.name : [])),
    ...result.launch.counts,
  ];
  const stated = statedSizes(result.text ?? "", names, result.dialect);
  const plan = probedPlan(result, { names, extents, launch, stated: stated.sizes });
  const spec: KernelSpec = {
    file: result.file,
    kernel: result.kernel,
    dialect: result.dialect,
    run: { kind: "launch", launch },
    inputs,
    outputs,
    shapes: proposeProbedShapes(plan),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    origins: facts.origins,
  };
  const inferred = withStated({ spec, unknowns: [...facts.unknowns, baselineUnknown] }, stated);
  return { inferred, plan };
}

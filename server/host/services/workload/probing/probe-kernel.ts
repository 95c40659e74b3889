import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { CudaLaunchFacts } from "../../../../core/language/cuda/launch/launch-facts";
import type { InferredSpec } from "../../../../core/language/inference";
import type { FileReader } from "../../../../core/ports/files";
import type { Prober, ProbeSource } from "../../../../core/ports/prober";
import type { BuildService } from "../../services";
import type { WorkloadRequest } from "../finders";
import { boundByTold, shapesTold, withEqualSizes } from "./arguments/accessor-sizes";
import { elementsOf } from "../entries/plan-entry";
import { type ProbedWorkload, stillZero, withFilledConstants } from "../unfilled-constants";
import { allowedBlocks } from "./find-launch";
import { planArguments, productOf, strideNames, withChosenInstance } from "./arguments/plan-arguments";
import { measuredSpec } from "./extents/measured-extents";
import { ProbeSession } from "./probe-session";
import { exploreFitting, isWriting, noOutput } from "./variants/explore-tied";

/** With so many sizes a buffer is large although each of them is small. */
const manySizes = 4;

/** What probing needs of the host. */
export interface ProbeMeans {
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly prober: Prober;
}

/** The file that is compiled with all that it includes, and what it is compiled with. */
export type CompiledFrom = Pick<ProbeSource, "tree" | "build" | "file">;

/** What the text says of the kernel. */
interface TextFacts {
  readonly base: string;
  readonly from: CompiledFrom;
  readonly proposal: Outcome<InferredSpec, string>;
  readonly facts: CudaLaunchFacts;
}

/** Why a kernel cannot be probed. */
export interface ProbeProblem {
  readonly sentence: string;
  /**
   * `opened`: it was not even compiled. `taken`: what it takes is not understood, so that whatever it was
   * launched with would be wrong. `launched`: no launch was found.
   */
  readonly of: "opened" | "taken" | "launched";
}

/** Compiles a kernel, finds its launch and fits its extents. Throws `cancelled`. */
export async function probeKernel(
  { prober }: Pick<ProbeMeans, "prober">,
  { kernel, text, target, signal, passed }: WorkloadRequest,
  { base, proposal, facts, from }: TextFacts,
): Promise<Outcome<ProbedWorkload, ProbeProblem>> {
  const notLaunched = (sentence: string): Outcome<never, ProbeProblem> => fail({ sentence, of: "launched" });
  const instance = facts.sites[0]?.templateArguments ?? [];
  const opened = await prober.open({ ...from, kernel, instance, target, signal });
  if (!opened.ok) return fail({ sentence: opened.problem, of: "opened" });
  const plan = planArguments(withPassed(facts, passed), opened.value, { kernel, text });
  if (!plan.ok) return fail({ sentence: plan.problem, of: "taken" });
  const elements = elementsOf(plan.value.planned);
  const session = new ProbeSession(opened.value, plan.value.planned, plan.value.layout);
  const equal = await withEqualSizes(session, plan.value, {
    ...{ facts, elements },
    blocks: allowedBlocks(session, facts),
  });
  const { planned, layout } = equal.plan;
  const told = shapesTold(layout, plan.value.accessors);
  const words = {
    strides: strideNames(planned),
    isTiny: plan.value.accessors.some(({ sizes }) => sizes.length >= manySizes),
    parts: facts.parts,
    ...{ terms: facts.terms, said: facts.said },
    told: new Map([...told].map(([name, shape]) => [name, productOf(shape)])),
  };
  const inSizes = { ...facts, sites: equal.sites };
  const asked = { plain: { planned, layout, lesser: facts.lesser }, facts: inSizes, words, source: text };
  const { seen, ranges, lesser, launched } = await exploreFitting(session, asked, elements);
  if (!seen.ok) return notLaunched(withReasonOfTrap(seen.problem, from, target));
  const { unfilled } = opened.value;
  if (!isWriting(seen)) {
    const zeros = unfilled.length === 0 ? "" : `; ${stillZero(unfilled.map(({ name }) => name))}`;
    return notLaunched(`${noOutput(kernel, text)}${zeros}`);
  }
  const measured = await measuredSpec(session, {
    file: base,
    ...{ kernel, dialect: "cuda" as const },
    planned: session.planned,
    layout: session.layout,
    told: shapesTold(session.layout, plan.value.accessors),
    elements,
    ...seen.value,
    ...{
      held: session.held,
      flags: facts.flags,
      letters: facts.letters,
      parts: facts.parts,
      lesser,
      ranges,
      ...{ tied: session.tied, relations: session.relations },
      text,
      passed: { ...launched, ...passed },
    },
    indices: boundByTold(seen.value.indices, told),
    compiled: withChosenInstance(opened.value, facts, kernel),
    proposal: proposal.ok ? proposal.value.spec : undefined,
  });
  return succeed(withFilledConstants(measured, unfilled, facts.constants));
}

/** Parameters with what a program passes, where the launch of the text does not tell. */
function withPassed(facts: CudaLaunchFacts, told: WorkloadRequest["passed"] = {}): CudaLaunchFacts {
  const parameters = facts.parameters.map((each) => {
    const passed = each.passed ?? told[each.name];
    return passed === undefined ? each : { ...each, passed };
  });
  return { ...facts, parameters };
}

/** Code for newer GPUs traps on older ones, where its source asks for the architecture. */
function withReasonOfTrap(
  problem: string,
  { tree }: CompiledFrom,
  target: WorkloadRequest["target"],
): string {
  const asks = Object.values(tree).some((text) => /\b__CUDA_ARCH__\b/.test(text));
  if (!problem.includes("executed trap") || !asks) return problem;
  return `${problem}; its source asks for __CUDA_ARCH__ and may need a newer GPU than ${target.architecture}: --target vgpu:sm_90 models one`;
}

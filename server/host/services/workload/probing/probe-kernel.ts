import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { CudaLaunchFacts } from "../../../../core/language/cuda/launch/launch-facts";
import type { InferredSpec } from "../../../../core/language/inference";
import type { FileReader } from "../../../../core/ports/files";
import type { Prober } from "../../../../core/ports/prober";
import { itemBytes } from "../../../../core/workload/item-bytes";
import type { BuildService } from "../../services";
import { readTree } from "../../sources/source-tree";
import type { WorkloadRequest } from "../finders";
import { boundByTold, shapesTold, withEqualSizes } from "./arguments/accessor-sizes";
import { exploreKernel } from "./explore-kernel";
import { allowedBlocks } from "./find-launch";
import { planArguments, productOf } from "./arguments/plan-arguments";
import { ProbeSession } from "./probe-session";
import { probedSpec } from "./probed-spec";

/** With so many sizes a buffer is large although each of them is small. */
const manySizes = 4;

/** What probing needs of the host. */
export interface ProbeMeans {
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly prober: Prober;
}

/** What the text says of the kernel. */
interface TextFacts {
  readonly base: string;
  readonly proposal: Outcome<InferredSpec, string>;
  readonly facts: CudaLaunchFacts;
}

/**
 * Compiles a kernel, finds its launch and fits its extents. The problem: why it cannot be probed, as a
 * sentence. Throws `cancelled`.
 */
export async function probeKernel(
  { files, builds, prober }: ProbeMeans,
  { file, kernel, target, signal }: WorkloadRequest,
  { base, proposal, facts }: TextFacts,
): Promise<Outcome<InferredSpec, string>> {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
  const build = await builds.settingsFor(file);
  const tree = await readTree(files, [file], { specFolder: folder, build });
  const instance = facts.sites[0]?.templateArguments ?? [];
  const opened = await prober.open({ tree, file, build, kernel, instance, target, signal });
  if (!opened.ok) return opened;
  const plan = planArguments(facts, opened.value);
  if (!plan.ok) return plan;
  const elements = new Map(
    plan.value.planned.flatMap((each) =>
      each.kind === "buffer" ? [[each.name, { type: each.type, itemBytes: itemBytes[each.type.dtype] }]] : [],
    ),
  );
  const session = new ProbeSession(opened.value, plan.value.planned, plan.value.layout);
  const { planned, layout } = await withEqualSizes(session, plan.value, {
    blocks: allowedBlocks(session, facts),
    elements,
  });
  session.arrange(planned, layout);
  session.renew();
  const told = shapesTold(layout, plan.value.accessors);
  const text = {
    isTiny: plan.value.accessors.some(({ sizes }) => sizes.length >= manySizes),
    told: new Map([...told].map(([name, shape]) => [name, productOf(shape)])),
  };
  const seen = await exploreKernel(session, { ...facts, text }, elements);
  if (!seen.ok) return seen;
  if (!seen.value.launch.buffers.some(({ isWritten }) => isWritten))
    return fail(
      `${kernel} wrote through none of its parameters when it was launched: there is no output to check`,
    );
  return succeed(
    probedSpec({
      file: base,
      kernel,
      planned: session.planned,
      layout: session.layout,
      told: shapesTold(session.layout, plan.value.accessors),
      elements,
      ...seen.value,
      indices: boundByTold(seen.value.indices, told),
      compiled: opened.value,
      proposal: proposal.ok ? proposal.value.spec : undefined,
    }),
  );
}

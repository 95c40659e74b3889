import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { CudaLaunchFacts } from "../../../../core/language/cuda/launch/launch-facts";
import type { InferredSpec } from "../../../../core/language/inference";
import type { FileReader } from "../../../../core/ports/files";
import type { Prober } from "../../../../core/ports/prober";
import type { Setting } from "../../../../core/workload/probe/settings";
import { itemBytes } from "../../../../core/workload/item-bytes";
import type { BuildService } from "../../services";
import { readTree } from "../../sources/source-tree";
import type { WorkloadRequest } from "../finders";
import { findIndices } from "./find-indices";
import { findLaunch } from "./find-launch";
import { planArguments } from "./plan-arguments";
import { gridOf, ProbeSession } from "./probe-session";
import { probedSpec } from "./probed-spec";

/** What probing needs of the host. */
export interface ProbeMeans {
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly prober: Prober;
}

/** What the text says of the kernel. */
export interface TextFacts {
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
  const planned = planArguments(facts, opened.value);
  if (!planned.ok) return planned;
  const elements = new Map(
    planned.value.flatMap((each) =>
      each.kind === "buffer" ? [[each.name, { type: each.type, itemBytes: itemBytes[each.type.dtype] }]] : [],
    ),
  );
  const session = new ProbeSession(opened.value, planned.value);
  const launch = await findLaunch(session, facts, elements);
  if (!launch.ok) return launch;
  if (!launch.value.buffers.some(({ isWritten }) => isWritten))
    return fail(
      `${kernel} wrote through none of its parameters when it was launched: there is no output to check`,
    );
  const shapes = launch.value.buffers.map(({ extent }) => extent ?? "");
  const depends = [...launch.value.grid, ...shapes].join(" ");
  const idle = planned.value.flatMap((each) =>
    each.kind === "size" && !new RegExp(`\\b${each.name}\\b`).test(depends) ? each.name : [],
  );
  session.renew();
  const { grid, block, dynamicSharedBytes, isInText, probes } = launch.value;
  const again = {
    block,
    dynamicSharedBytes,
    grid: (sizes: Setting) => (isInText ? undefined : gridOf(grid, sizes)),
  };
  const indices = await findIndices(
    { contents: session.contents, again: () => session.series(again, probes.settings) },
    launch.value,
    { elements, idle },
  );
  return succeed(
    probedSpec({
      file: base,
      kernel,
      planned: planned.value,
      elements,
      launch: launch.value,
      indices,
      compiled: opened.value,
      proposal: proposal.ok ? proposal.value.spec : undefined,
    }),
  );
}

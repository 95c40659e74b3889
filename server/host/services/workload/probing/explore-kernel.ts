import { type Outcome, succeed } from "../../../../core/base/outcome";
import type { CudaLaunchFacts } from "../../../../core/language/cuda/launch/launch-facts";
import { type Elements, unfitPenalty } from "../../../../core/workload/probe/judge-probe";
import { goodFit, type TriedLaunch } from "./find-grid";
import { findIndices, type FoundSearch } from "./find-indices";
import { findLaunch } from "./find-launch";
import { findOffsets } from "./find-offsets";
import type { ProbeSession } from "./probe-session";
import type { ProbeResult } from "./probed-spec";

/** What probes have told of a kernel's launch and of what its buffers hold. */
export type Explored = Pick<ProbeResult, "launch" | "offsets" | "indices" | "searches">;

/** How many whole numbers are tried as none that is a size. */
const mostFixed = 2;

/**
 * Explores a kernel; where no launch explains what it touches, one of its last whole numbers may be a phase
 * or a mode and no size: it is then kept at 1.
 */
export async function exploreKernel(
  session: ProbeSession,
  facts: CudaLaunchFacts,
  elements: Elements,
): Promise<Outcome<Explored, string>> {
  const first = await explore(session, facts, elements);
  if (first.ok && first.value.launch.misfit < goodFit) return first;
  const { planned } = session;
  const sizes = planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  for (const name of sizes.slice(1).reverse().slice(0, mostFixed)) {
    session.renew();
    session.fix(name, 1);
    const fixed = await explore(session, facts, elements);
    if (fixed.ok && fixed.value.launch.misfit < goodFit) return fixed;
    session.planned = planned;
  }
  session.contents.clear();
  return first;
}

/** Finds the launch, and then which values lead where. */
async function explore(
  session: ProbeSession,
  facts: CudaLaunchFacts,
  elements: Elements,
): Promise<Outcome<Explored, string>> {
  session.contents.clear();
  const found = await findLaunch(session, facts, elements);
  if (!found.ok) return found;
  session.renew();
  const { planned, probes, block } = found.value;
  const reprobe = {
    contents: session.contents,
    again: () => session.series(planned, probes.settings),
  };
  const { seen, offsets } = await findOffsets(reprobe, found.value, { elements, divide: [block[0]] });
  const launch = { ...found.value, ...seen };
  const depends = [...launch.grid, ...launch.buffers.map(({ extent }) => extent ?? "")].join(" ");
  const idle = session.planned.flatMap((each) =>
    each.kind === "size" && !new RegExp(`\\b${each.name}\\b`).test(depends) ? each.name : [],
  );
  const { indices, searches } = await findIndices(reprobe, launch, { elements, idle });
  return succeed({ launch: explained(launch, searches), offsets, indices, searches });
}

/** A launch whose misfit no longer counts buffers of which a search with other values has told the extent. */
function explained(launch: TriedLaunch, searches: readonly FoundSearch[]): TriedLaunch {
  const told = launch.buffers.filter(
    ({ name, extent }) => extent === undefined && searches.some(({ into }) => into === name),
  );
  return { ...launch, misfit: launch.misfit - unfitPenalty * told.length };
}

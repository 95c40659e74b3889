import { evaluateLaunchSite } from "../../../../core/language/launch-evaluation";
import type { CudaLaunchFacts } from "../../../../core/language/cuda/launch/launch-facts";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import { unfitPenalty } from "../../../../core/workload/probe/judge-probe";
import type { Extents } from "../../../../core/workload/probe/observation";
import { specArguments } from "./arguments/argument-layout";
import { findGrid, goodFit, type TriedLaunch, tryInText } from "./find-grid";
import type { GridSearch } from "./grid-search";
import type { PlannedArgument } from "./arguments/planned-argument";
import type { ProbeSession } from "./probe-session";

/** What the text says of launches; `text`: what else it says. */
export type ExploredFacts = Pick<CudaLaunchFacts, "sites" | "blocks"> & {
  readonly text?: Pick<
    GridSearch,
    "spans" | "strides" | "lesser" | "within" | "isTiny" | "told" | "parts" | "terms" | "said"
  >;
};

/** Dynamic shared memory of a search; what of it is touched becomes the launch's. */
const roomySharedBytes = 48 * 1024;
const mostBlocks = 6;

/** Finds block and grid of a kernel by launching it. The problem: why no launch gave anything. */
export async function findLaunch(
  session: ProbeSession,
  facts: ExploredFacts,
  elements: GridSearch["elements"],
): Promise<Outcome<TriedLaunch, string>> {
  const { kernel } = session;
  const names = session.planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  const room = Math.max(0, roomySharedBytes - kernel.sharedBytes);
  const search: GridSearch = {
    session,
    names,
    elements,
    dynamicSharedBytes: kernel.usesDynamicShared ? room : 0,
    ...facts.text,
  };
  const stated = await launchInText(search, facts);
  if (stated !== undefined && stated.misfit < goodFit) return succeed(stated);
  const allowed = allowedBlocks(session, facts);
  let best: TriedLaunch | undefined;
  for (const block of allowed) {
    // What the text's launch or another block used up says nothing of this one.
    session.renew();
    const tried = await ofEnoughThreads(session, await findGrid(search, block));
    if (tried !== undefined && (best === undefined || tried.misfit < best.misfit - 0.01)) best = tried;
    if (best !== undefined && best.misfit < goodFit) break;
  }
  if (best !== undefined) return succeed(best);
  const [block = [256, 1, 1] as const] = allowed;
  // That the search has used up what it may would be no reason.
  session.renew();
  const reason = await session.once(
    { block, dynamicSharedBytes: search.dynamicSharedBytes, grid: () => [1, 1, 1] },
    Object.fromEntries(names.map((name) => [name, 32])),
  );
  return fail(
    reason.ok
      ? `no grid suits a block of ${block.join(" × ")}`
      : `a launch of one block, with made-up contents: ${reason.problem}`,
  );
}

/** A launch with fewer threads in a block than the kernel is made for suits it ill. */
async function ofEnoughThreads(
  session: ProbeSession,
  launch: TriedLaunch | undefined,
): Promise<TriedLaunch | undefined> {
  if (launch === undefined || launch.misfit >= goodFit) return launch;
  const [sizes = {}] = launch.probes.settings;
  const isTooSmall = await session.isForMoreThreads(launch.planned, sizes);
  return isTooSmall ? { ...launch, misfit: launch.misfit + unfitPenalty } : launch;
}

/** Blocks to try, best first. */
export function allowedBlocks(
  { kernel, planned }: Pick<ProbeSession, "kernel" | "planned">,
  facts: ExploredFacts,
): readonly Extents[] {
  const proposals = kernel.requiredBlock
    ? [kernel.requiredBlock]
    : [...blocksInText(facts, planned), ...facts.blocks(kernel.axes, kernel.instance)];
  const mostThreads = Math.min(1024, kernel.maxThreads ?? 1024);
  return distinct(proposals)
    .filter(([x, y, z]) => x * y * z <= mostThreads)
    .slice(0, mostBlocks);
}

/** The first launch of the text that can be worked out from the kernel's own sizes. */
async function launchInText(search: GridSearch, { sites }: ExploredFacts): Promise<TriedLaunch | undefined> {
  const passed = specArguments(search.session.layout, search.session.planned);
  for (const site of sites) {
    const tried = await tryInText(search, (sizes) => {
      const shape = evaluateLaunchSite({ site, arguments: passed, sizes });
      return shape.ok ? shape.value : undefined;
    });
    if (tried !== undefined) return site.isInSizes === true ? { ...tried, grid: site.grid } : tried;
  }
  return undefined;
}

/** Blocks of launches in the text that are numbers. */
function blocksInText({ sites }: ExploredFacts, planned: readonly PlannedArgument[]): readonly Extents[] {
  const sizes = Object.fromEntries(
    planned.flatMap((each) => (each.kind === "size" ? [[each.name, 64]] : [])),
  );
  return sites.flatMap((site) => {
    const shape = evaluateLaunchSite({ site: { ...site, grid: ["1"] }, arguments: [], sizes });
    return shape.ok ? [shape.value.block] : [];
  });
}

function distinct(blocks: readonly Extents[]): readonly Extents[] {
  return [...new Map(blocks.map((block) => [block.join(), block])).values()];
}

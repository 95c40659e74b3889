import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import type { exploreKernel } from "../explore-kernel";
import type { PlannedArgument } from "../arguments/planned-argument";
import { goodFit } from "../find-grid";
import type { ProbeSession } from "../probe-session";
import type { ContentVariant } from "./content-variants";
import { type Exploration, exploreVaried } from "./explore-varied";

/** What was explored, and what the kernel was passed before. */
interface Explored {
  readonly facts: Parameters<typeof exploreKernel>[1];
  readonly first: Exploration;
  readonly before: Pick<ProbeSession, "planned" | "layout">;
}

/**
 * Where no launch explains a whole number as a size, the exploration with floats that are all zero, too: a
 * loop over so many steps ends early where a value grows from step to step until it is beyond some bound. The
 * first one where that tells no more.
 */
export async function exploreStill(
  session: ProbeSession,
  { facts, first, before }: Explored,
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const still = stillContents(before.planned);
  const fixed = fixedIn(session.planned);
  if (!first.ok || fixed === 0 || still.size === 0) return first;
  const found = { planned: session.planned, layout: session.layout };
  session.arrange(before.planned, before.layout);
  const isBetter = (again: Exploration): boolean =>
    again.ok && again.value.launch.misfit < goodFit && fixedIn(session.planned) < fixed;
  const again = await exploreVaried(session, { facts, first, variants: [still], isBetter }, elements);
  if (again === first) session.arrange(found.planned, found.layout);
  return again;
}

function stillContents(planned: readonly PlannedArgument[]): ContentVariant {
  const zero: ProbeContent = { kind: "constant", value: 0 };
  const floats = planned.flatMap((each) =>
    each.kind === "buffer" && /^b?float/.test(each.type.dtype) && each.isConst ? each.name : [],
  );
  return new Map(floats.map((name) => [name, zero] as const));
}

/** Whole numbers that are no sizes, since no launch was found with them as sizes. */
function fixedIn(planned: readonly PlannedArgument[]): number {
  return planned.filter((each) => each.kind === "value" && each.isFixed === true).length;
}

import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import type { exploreKernel } from "../explore-kernel";
import type { PlannedArgument } from "../arguments/planned-argument";
import { goodFit } from "../find-grid";
import type { ProbeSession } from "../probe-session";
import type { ContentVariant } from "./content-variants";
import { goesFarther } from "./explore-farther";
import { type Exploration, exploreVaried } from "./explore-varied";

/** What was explored, and what the kernel was passed before. */
interface Explored {
  readonly facts: Parameters<typeof exploreKernel>[1];
  readonly first: Exploration;
  readonly before: Pick<ProbeSession, "planned" | "layout">;
}

/**
 * Where a whole number is used as no size, the exploration with floats that are all zero, too: a
 * loop over so many steps ends early where a value grows from step to step until it is beyond some bound.
 * Numbers that are made up are then tried all different as well: of two equal ones one may be that bound. The
 * first one where that tells no more.
 */
export async function exploreStill(
  session: ProbeSession,
  { facts, first, before }: Explored,
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const still = stillContents(before.planned);
  if (!first.ok || still.size === 0) return first;
  const { planned: found, layout } = session;
  const unused = unusedSizes(found, first.value);
  if (unused === 0) return first;
  const isBetter = (again: Exploration): boolean =>
    again.ok && again.value.launch.misfit < goodFit && unusedSizes(session.planned, again.value) < unused;
  const hasFixed = found.some(isFixed);
  for (const planned of [before.planned, ...withNumbersApart(before.planned)]) {
    session.arrange(planned, before.layout);
    const variants = [still];
    // What is no size under the launch that was found has no place in it.
    if (!hasFixed && !(await goesFarther(session, first.value, { variants, elements }))) continue;
    const again = await exploreVaried(session, { facts, first, variants, isBetter }, elements);
    if (again !== first) return again;
  }
  session.arrange(found, layout);
  return first;
}

/** What is passed with the numbers that nobody tells all different, going up and going down. */
function withNumbersApart(planned: readonly PlannedArgument[]): readonly (readonly PlannedArgument[])[] {
  const names = planned.flatMap((each) => (each.kind === "value" && each.isMadeUp === true ? each.name : []));
  if (names.length < 2) return [];
  return [names, names.toReversed()].map((order) =>
    planned.map((each): PlannedArgument => {
      const place = order.indexOf(each.name);
      return each.kind !== "value" || place < 0
        ? each
        : { ...each, value: step * (place + 1), isMadeUp: "apart" };
    }),
  );
}

/** How far numbers that are made up lie apart. */
const step = 0.5;

function stillContents(planned: readonly PlannedArgument[]): ContentVariant {
  const zero: ProbeContent = { kind: "constant", value: 0 };
  const floats = planned.flatMap((each) =>
    each.kind === "buffer" && /^b?float/.test(each.type.dtype) && each.isConst ? each.name : [],
  );
  return new Map(floats.map((name) => [name, zero] as const));
}

function isFixed(planned: PlannedArgument): boolean {
  return planned.kind === "value" && planned.isFixed === true;
}

/** Whole numbers that no launch was found with as sizes, or that nothing depends on. */
function unusedSizes(
  planned: readonly PlannedArgument[],
  { launch: { grid, buffers } }: Extract<Exploration, { readonly ok: true }>["value"],
): number {
  const text = [...grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  const isIdle = ({ kind, name }: PlannedArgument): boolean =>
    kind === "size" && !new RegExp(`\\b${name}\\b`).test(text);
  return planned.filter((each) => isFixed(each) || isIdle(each)).length;
}

import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import { elementBytes, type Elements } from "../../../../../core/workload/probe/judge-probe";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type { exploreKernel } from "../explore-kernel";
import { goodFit } from "../find-grid";
import type { ProbeSession } from "../probe-session";
import type { ContentVariant } from "./content-variants";
import { type Exploration, exploreVaried } from "./explore-varied";

/** Floats that go down and up in turn, and are all below one. */
const floats = [0.75, 0.25, 0.5, 0.125, 0.875, 0.375];

/**
 * Where a launch with floats that are not all equal goes farther in some buffer than its extent says, the
 * exploration with such floats, too: what is read where a value falls below the one before it shows then.
 */
export async function exploreFarther(
  session: ProbeSession,
  { facts, first }: { readonly facts: Parameters<typeof exploreKernel>[1]; readonly first: Exploration },
  elements: Elements,
): Promise<Exploration> {
  // The last element is below the one before it in one of both.
  const variants = [0, 1].map((turn) => floatVariant(session, turn));
  if (!first.ok || !variants.every(({ size }) => size > 0)) return first;
  if (!(await goesFarther(session, first.value, { variants, elements }))) return first;
  // Where equal floats go as far, they are the index: how far those may lead is found out by their bounds.
  const equal = [floatVariant(session, 0, [Math.max(...floats)])];
  if (await goesFarther(session, first.value, { variants: equal, elements })) return first;
  const before = first.value.launch.misfit;
  const isBetter = (again: Exploration): boolean =>
    again.ok && again.value.launch.misfit <= Math.max(before, goodFit);
  return exploreVaried(session, { facts, first, variants, isBetter }, elements);
}

function floatVariant({ planned }: ProbeSession, turn: number, values = floats): ContentVariant {
  const names = planned.flatMap((each) =>
    each.kind === "buffer" && /^b?float/.test(each.type.dtype) ? each.name : [],
  );
  return new Map(
    names.map((name, index): readonly [string, ProbeContent] => {
      const start = (index + turn) % values.length;
      return [name, { kind: "cycle", values: [...values.slice(start), ...values.slice(0, start)] }];
    }),
  );
}

/** Whether a launch with a variant of contents touches what lies behind the extent of a buffer. */
export async function goesFarther(
  session: ProbeSession,
  { launch }: Extract<Exploration, { readonly ok: true }>["value"],
  { variants, elements }: { readonly variants: readonly ContentVariant[]; readonly elements: Elements },
): Promise<boolean> {
  const [sizes] = launch.probes.settings;
  if (sizes === undefined) return false;
  const usual = session.variants;
  session.variants = variants;
  session.renew();
  const seen = await session.once(launch.planned, sizes);
  session.variants = usual;
  if (!seen.ok || seen.value.faults.length > 0) return false;
  return launch.buffers.some(({ name, extent }) => {
    const known = extent === undefined ? undefined : evaluateSizeExpression(extent, sizes);
    const touched = seen.value.buffers.find((each) => each.name === name);
    const end = Math.max(touched?.read?.to ?? 0, touched?.written?.to ?? 0);
    return known?.ok === true && end > known.value * elementBytes(elements, name);
  });
}

import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import type { exploreKernel } from "../explore-kernel";
import type { ProbeSession } from "../probe-session";
import { type Exploration, exploreVaried } from "./explore-varied";
import { valueVariants } from "./value-variants";

type Facts = Parameters<typeof exploreKernel>[1] & Pick<CudaLaunchFacts, "asked" | "flags">;

/**
 * Where a buffer was not touched in an exploration, another one with all values that the text asks elements
 * for. The first one where that tells no more.
 */
export async function exploreUntouched(
  session: ProbeSession,
  { facts, first }: { readonly facts: Facts; readonly first: Exploration },
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const untouched = untouchedBuffers(first);
  const variants = untouched === 0 ? [] : valueVariants(session.planned, facts);
  if (variants.length === 0) return first;
  const isBetter = (again: Exploration): boolean => {
    const isNoWorse = again.ok && first.ok && again.value.launch.misfit <= first.value.launch.misfit;
    return isNoWorse && untouchedBuffers(again) < untouched;
  };
  return exploreVaried(session, { facts, first, variants, isBetter }, elements);
}

function untouchedBuffers(seen: Exploration): number {
  if (!seen.ok) return 0;
  return seen.value.launch.buffers.filter(({ isRead, isWritten }) => !isRead && !isWritten).length;
}

import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import { exploreKernel } from "../explore-kernel";
import type { ProbeSession } from "../probe-session";
import { valueVariants } from "./value-variants";

type Exploration = Awaited<ReturnType<typeof exploreKernel>>;
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
  const before = {
    ...{ planned: session.planned, layout: session.layout, variants: session.variants },
    contents: new Map(session.contents),
  };
  session.variants = [...before.variants, ...variants];
  session.renew();
  const again = await exploreKernel(session, facts, elements);
  const isNoWorse = again.ok && first.ok && again.value.launch.misfit <= first.value.launch.misfit;
  if (isNoWorse && untouchedBuffers(again) < untouched) return again;
  session.variants = before.variants;
  session.arrange(before.planned, before.layout);
  session.contents.clear();
  for (const [name, content] of before.contents) session.contents.set(name, content);
  return first;
}

function untouchedBuffers(seen: Exploration): number {
  if (!seen.ok) return 0;
  return seen.value.launch.buffers.filter(({ isRead, isWritten }) => !isRead && !isWritten).length;
}

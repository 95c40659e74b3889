import { countedSizes, withCounts } from "../arguments/counted-buffers";
import type { ProbeSession } from "../probe-session";
import { exploreWriting, isWriting } from "./explore-writing";

export { isWriting };

type WritingExploration = Awaited<ReturnType<typeof exploreWriting>>;

/**
 * Explores a kernel with the counts that lie in the device's memory as sizes. Where nothing that it touches
 * depends on one of them, what the text takes for counts are values like others.
 */
export async function exploreCounted(
  session: ProbeSession,
  facts: Parameters<typeof exploreWriting>[1],
  elements: Parameters<typeof exploreWriting>[2],
): Promise<WritingExploration> {
  const { planned, layout } = session;
  const counted = withCounts(planned, facts.counts);
  if (counted === undefined) return exploreWriting(session, facts, elements);
  session.arrange(counted, layout);
  const found = await exploreWriting(session, facts, elements);
  if (isWriting(found.seen) && dependsOnEach(countedSizes(counted), found.seen)) return found;
  session.arrange(planned, layout);
  session.renew();
  return exploreWriting(session, facts, elements);
}

/** Whether how far some buffer is touched depends on each of these sizes, or how many blocks there are. */
function dependsOnEach(sizes: readonly string[], seen: WritingExploration["seen"]): boolean {
  if (!seen.ok) return false;
  const { grid, buffers } = seen.value.launch;
  const text = [...grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  return sizes.every((name) => new RegExp(`\\b${name}\\b`).test(text));
}

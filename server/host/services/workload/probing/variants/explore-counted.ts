import { countedSizes, sizeIn, withCounts } from "../arguments/counted-buffers";
import type { ProbeSession } from "../probe-session";
import { exploreWriting, isWriting, noOutput } from "./explore-writing";

export { isWriting, noOutput };

type WritingExploration = Awaited<ReturnType<typeof exploreWriting>>;

/** So often counts are tried, each time without those that nothing depended on. */
const mostTries = 2;

/**
 * Explores a kernel with the counts that lie in the device's memory as sizes. Where nothing that it touches
 * depends on one of them, what the text takes for a count is a value like others.
 */
export async function exploreCounted(
  session: ProbeSession,
  facts: Parameters<typeof exploreWriting>[1],
  elements: Parameters<typeof exploreWriting>[2],
): Promise<WritingExploration> {
  const { planned, layout } = session;
  let { counts } = facts;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const counted = withCounts(planned, counts);
    if (counted === undefined) break;
    session.arrange(counted, layout);
    session.renew();
    const found = await exploreWriting(session, facts, elements);
    if (!isWriting(found.seen)) break;
    const idle = idleOf(countedSizes(counted), found.seen);
    if (idle.length === 0) return found;
    counts = new Set([...counts].filter((name) => !idle.includes(sizeIn(name))));
  }
  session.arrange(planned, layout);
  session.renew();
  return exploreWriting(session, facts, elements);
}

/** Those of the sizes on which neither how far a buffer is touched depends nor how many blocks there are. */
function idleOf(sizes: readonly string[], seen: WritingExploration["seen"]): readonly string[] {
  if (!seen.ok) return sizes;
  const { grid, buffers } = seen.value.launch;
  const text = [...grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  return sizes.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
}

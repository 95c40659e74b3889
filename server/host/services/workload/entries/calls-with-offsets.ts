import type { EntryObservation } from "../../../../core/ports/entry-prober";
import type { Elements } from "../../../../core/workload/probe/judge-probe";
import { findOffsets, type FoundOffsets } from "../probing/find-offsets";
import type { EntrySession } from "./entry-session";
import { type FoundCalls, fittedCalls } from "./find-domains";

/** Calls, in which buffers hold ascending numbers that were seen to say where rows of others begin. */
interface LedCalls {
  readonly calls: FoundCalls;
  readonly offsets: readonly FoundOffsets[];
}

/**
 * Buffers of whole numbers may say where rows of others begin: what an entry touches with ascending ones in
 * them. The overrun that they look like is none then.
 */
export async function callsWithOffsets(
  session: EntrySession,
  calls: FoundCalls,
  elements: Elements,
): Promise<LedCalls> {
  session.renew();
  const again = (): ReturnType<EntrySession["series"]> => session.series(calls.probes.settings);
  const buffers = calls.buffers.map((each) => ({ ...each, overrun: undefined }));
  const { offsets } = await findOffsets(
    { contents: session.contents, again },
    { buffers, probes: calls.probes },
    { elements, divide: [], threads: calls.probes.observations.map(mostThreads) },
  );
  const probes = offsets.length === 0 ? undefined : await again();
  if (probes?.ok !== true) return { calls, offsets: [] };
  return {
    calls: fittedCalls(session, calls, { probes: probes.value, elements }),
    offsets,
  };
}

/** Threads of the largest launch of a call. */
function mostThreads({ launches }: EntryObservation): number {
  const volume = ([x, y, z]: EntryObservation["launches"][number]["grid"]): number => x * y * z;
  return Math.max(...launches.map(({ grid, block }) => volume(grid) * volume(block)));
}

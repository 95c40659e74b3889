import { type Elements, fitBuffers } from "../../../../core/workload/probe/judge-probe";
import { findOffsets, type FoundOffsets } from "../probing/find-offsets";
import type { EntrySession } from "./entry-session";
import type { FoundCalls } from "./find-domains";

/**
 * Buffers of whole numbers may say where rows of others begin: what an entry touches with ascending ones in
 * them. The overrun that they look like is none then.
 */
export async function callsWithOffsets(
  session: EntrySession,
  calls: FoundCalls,
  elements: Elements,
): Promise<{ readonly calls: FoundCalls; readonly offsets: readonly FoundOffsets[] }> {
  session.renew();
  const again = (): ReturnType<EntrySession["series"]> => session.series(calls.probes.settings);
  const buffers = calls.buffers.map((each) => ({ ...each, overrun: undefined }));
  const { offsets } = await findOffsets(
    { contents: session.contents, again },
    { buffers, probes: calls.probes },
    { elements, divide: [] },
  );
  const probes = offsets.length === 0 ? undefined : await again();
  if (probes?.ok !== true) return { calls, offsets: [] };
  return {
    calls: { ...calls, probes: probes.value, buffers: fitBuffers(probes.value, elements) },
    offsets,
  };
}

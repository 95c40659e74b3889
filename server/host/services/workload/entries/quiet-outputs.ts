import type { ProbeContent } from "../../../../core/workload/probe/observation";
import type { Elements } from "../../../../core/workload/probe/judge-probe";
import { withLetters } from "../../../../core/language/cuda/launch/contents/letters";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import type { EntrySession } from "./entry-session";
import { type FoundCalls, fittedCalls } from "./find-domains";
import { apartContents } from "../probing/variants/apart-contents";
import { type ContentVariant, contentVariants } from "../probing/variants/content-variants";
import { valueVariants } from "../probing/variants/value-variants";

/**
 * The calls of an entry, where it has written nothing to some buffer that it may write to, or no more with
 * larger sizes, also with other contents: numbers as far apart as their type allows, or several in turn.
 * Those as they were where no more is written, or something is touched that is not there.
 */
export async function withQuietOutputs(
  session: EntrySession,
  calls: FoundCalls,
  elements: Elements,
): Promise<FoundCalls> {
  const quiet = quietOf(session, calls);
  if (quiet === 0) return calls;
  for (const variants of [[farApart(session)], contentVariants(buffersOf(session), noneAsked)]) {
    const found = await callsAlsoWith(session, calls, { variants, elements });
    if (found !== undefined && quietOf(session, found.calls) < quiet) return found.take();
  }
  return calls;
}

/** How many buffers that may be written are not, or as far under all sizes, where there are sizes. */
export function quietOf({ planned }: EntrySession, { buffers, domains }: FoundCalls): number {
  const mayEnd = domains.size === 0;
  const isFollowed = (name: string): boolean =>
    buffers.some(
      ({ name: own, isWritten, extent }) =>
        own === name && isWritten && (mayEnd || typeof extent !== "number"),
    );
  return planned.filter((each) => each.kind === "buffer" && !each.isConst && !isFollowed(each.name)).length;
}

const noneAsked = { asked: new Map(), ends: new Set<string>() };

function buffersOf({ planned }: EntrySession): Parameters<typeof contentVariants>[0] {
  return planned.flatMap((each) => (each.kind === "buffer" ? each : []));
}

/** Whole numbers of inputs from the least to the greatest of their type; floats of which no two are alike. */
function farApart(session: EntrySession): ContentVariant {
  return new Map(
    buffersOf(session).flatMap((each): readonly (readonly [string, ProbeContent])[] => {
      if (each.kind !== "buffer" || !each.isConst) return [];
      if (each.type.dtype.includes("float")) return [[each.name, { kind: "ramp", step: 1 }]];
      const bits = greatestBits[each.type.dtype];
      return bits === undefined ? [] : [[each.name, { kind: "cycle", values: [0, 2 ** bits - 1, 5] }]];
    }),
  );
}

const greatestBits: Readonly<Record<string, number>> = { int32: 31, uint32: 32, int64: 31, uint64: 32 };

/**
 * The calls of an entry, where nothing depends on one of its sizes, also with another number in each buffer:
 * what is looked for among equal numbers is found at once. Those as they were where that tells no more.
 */
export async function withIdleSizes(
  session: EntrySession,
  calls: FoundCalls,
  elements: Elements,
): Promise<FoundCalls> {
  const idle = idleNames(calls).length;
  const apart = apartContents(session.planned.flatMap((each) => (each.kind === "stream" ? [] : [each])));
  if (idle === 0 || apart === undefined) return calls;
  const found = await callsAlsoWith(session, calls, { variants: [apart], elements });
  return found !== undefined && idleNames(found.calls).length < idle ? found.take() : calls;
}

/**
 * The calls of an entry, where one of its buffers was not touched, or no expression gives how far, also with
 * all values that the text asks elements for. Those as they were where that tells no more.
 */
export async function withAskedValues(
  session: EntrySession,
  calls: FoundCalls,
  {
    elements,
    flags = new Map(),
    letters,
  }: { readonly elements: Elements } & Pick<EntryFunction, "flags" | "letters">,
): Promise<FoundCalls> {
  const open = openBuffers(calls);
  if (open === 0) return calls;
  const variants = valueVariants(buffersOf(session), { asked: withLetters(new Map(), letters), flags });
  if (variants.length === 0) return calls;
  const found = await callsAlsoWith(session, calls, { variants, elements });
  return found !== undefined && openBuffers(found.calls) < open ? found.take() : calls;
}

/** How many buffers no call has touched, or no expression gives how far. */
function openBuffers({ buffers }: FoundCalls): number {
  return buffers.filter(({ seen, extent }) => seen === 0 || extent === undefined).length;
}

/** How many buffers no call has touched. */
export function untouchedBuffers({ buffers }: FoundCalls): number {
  return buffers.filter(({ seen }) => seen === 0).length;
}

/**
 * What calls with further contents tell; undefined where something is touched that is not there. `take`: from
 * now on all calls are made with these contents, too.
 */
async function callsAlsoWith(
  session: EntrySession,
  calls: FoundCalls,
  { variants, elements }: { readonly variants: readonly ContentVariant[]; readonly elements: Elements },
): Promise<{ readonly calls: FoundCalls; take(): FoundCalls } | undefined> {
  const usual = session.variants;
  const all = [...usual, ...variants];
  session.renew();
  session.variants = all;
  const probes = await session.series(calls.probes.settings);
  const isSound = probes.ok && probes.value.observations.every(({ faults }) => faults.length === 0);
  const found = isSound ? fittedCalls(session, calls, { probes: probes.value, elements }) : undefined;
  session.variants = usual;
  if (found === undefined) return undefined;
  const take = (): FoundCalls => {
    session.variants = all;
    return found;
  };
  return { calls: found, take };
}

/** Sizes that nothing depends on. */
export function idleNames({ domains, buffers }: FoundCalls): readonly string[] {
  const extents = buffers.map(({ extent }) => extent ?? "").join(" ");
  return [...domains.keys()].filter((name) => !new RegExp(`\\b${name}\\b`).test(extents));
}

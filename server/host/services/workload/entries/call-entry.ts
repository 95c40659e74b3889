import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import type { ProbedEntry } from "../../../../core/ports/entry-prober";
import type { Elements } from "../../../../core/workload/probe/judge-probe";
import type { FoundWorkload, WorkloadRequest } from "../finders";
import { withScratch } from "../../../../core/workload/probe/scratch";
import { type FoundSearch, isPlain } from "../probing/find-indices";
import { entrySpec } from "./entry-spec";
import { tryShapes } from "./entry-shapes";
import { findArguments } from "./find-arguments";
import { findLeading, findValues } from "../probing/extents/find-values";
import { allowed, type FoundCalls } from "./find-domains";
import { type EntrySession, launchedByAll } from "./entry-session";
import { elementsOf, type EntryPlan, withTypes } from "./plan-entry";
import { shapePlan, withSaidSizes } from "./shape-plan";

/** A function that is to be called. */
export interface Called {
  readonly request: WorkloadRequest;
  readonly entry: EntryFunction;
  /** What is compiled with the entry's file as one. */
  readonly sources: readonly string[];
}

/** Finds arguments with which a compiled entry runs, and the spec that its calls stand for. */
export async function callEntry(
  { request, entry, sources }: Called,
  probed: ProbedEntry,
  plan: EntryPlan,
): Promise<Outcome<FoundWorkload, string>> {
  const found = await findArguments(probed, request.kernel, { entry, plan });
  if (!found.ok) return fail(`no call of ${entry.name} with made-up arguments ran: ${found.problem}`);
  const { session, calls: led, offsets, elements, bound } = found.value;
  if (!led.buffers.some(({ isWritten }) => isWritten))
    return fail(`${entry.name} wrote to none of its arguments, and returned nothing that can be checked`);
  const typed = withTypes(session.planned, { entry, probes: led.probes });
  session.renew();
  const idle = [...led.domains.keys()].filter(
    (name) => !led.buffers.some(({ extent }) => new RegExp(`\\b${name}\\b`).test(String(extent))),
  );
  const {
    buffers,
    places,
    indices: rows,
    searches,
  } = await findLeading(
    trialsOf(session),
    {
      ...{ probes: led.probes, buffers: led.buffers, elements, known: namesOf(offsets), idle, offsets },
      ...{ again: () => session.series(led.probes.settings), renew: () => session.renew() },
    },
    led.probes,
  );
  const plain = rows.filter((index) => isPlain(index, led, elements));
  const known = namesOf([...plain, ...offsets, ...places]);
  const bounds = await boundsOf(session, { ...led, buffers }, { elements, known, searches });
  session.renew();
  const calls = { ...led, buffers: bounds.buffers };
  const indices = [...places, ...plain, ...bounds.indices];
  const sized = shapePlan({
    ...{ calls, text: request.text, passed: request.passed },
    indices: plain,
    starts: bounds.indices,
    nearest: (name, value) => allowed(calls.domains, name, value),
    offsets,
  });
  const tried = await tryShapes(session, sized, calls.probes);
  if (tried.shapes.length === 0)
    return fail(`${entry.name} ran with none of the sizes that were tried twice`);
  const whole = entrySpec({
    ...{ request, entry, sources, calls, offsets, indices, searches, tried },
    elements: elementsOf([...typed, ...plan.returned]),
    planned: typed,
    returned: plan.returned,
    lengths: session.lengths,
  });
  const observed = [...calls.probes.observations, ...tried.probes.observations];
  const parted = { ...whole, ...withScratch(whole, calls), launches: launchedByAll(observed) };
  return succeed(withSaidSizes(withBound(parted, bound), request.text, [...calls.domains.keys()]));
}

/** A workload in which a number has one value alone. */
function withBound(found: FoundWorkload, name: string | undefined): FoundWorkload {
  if (name === undefined) return found;
  const sentence = `${name} is always 1: with larger numbers the function left some of its data alone.`;
  return { ...found, unknowns: [{ path: "entry.arguments", sentence }, ...found.unknowns] };
}

interface Known {
  readonly elements: Elements;
  /** Buffers of which it is known what their values lead to. */
  readonly known: ReadonlySet<string>;
  readonly searches: readonly FoundSearch[];
}

function namesOf(found: readonly { readonly index: string }[]): ReadonlySet<string> {
  return new Set(found.map(({ index }) => index));
}

/** Calls again, with other contents in some buffer. */
function trialsOf(session: EntrySession): Parameters<typeof findValues>[0] {
  return { contents: session.contents, once: (sizes) => session.once(sizes, "bound") };
}

/** What bounds the values of buffers that are no plain row numbers. */
function boundsOf(
  session: EntrySession,
  { probes, buffers, domains }: FoundCalls,
  { elements, known, searches }: Known,
): ReturnType<typeof findValues> {
  return findValues(
    trialsOf(session),
    {
      ...{ probes, buffers, elements, sizes: [...domains.keys()] },
      known,
    },
    { searches, renew: () => session.renew() },
  );
}

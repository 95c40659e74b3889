import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import type { EntryProber, ProbedEntry } from "../../../../core/ports/entry-prober";
import type { FoundWorkload, WorkloadRequest } from "../finders";
import { findIndices } from "../probing/find-indices";
import type { PlannedArgument } from "../probing/probe-session";
import { type EntryFiles, readEntryTree } from "./entry-sources";
import { entrySpec } from "./entry-spec";
import { tryShapes } from "./entry-shapes";
import { callsWithOffsets } from "./calls-with-offsets";
import { findArguments } from "./find-arguments";
import { findBounds, isPlain } from "./find-bounds";
import { allowed } from "./find-domains";
import { elementsOf, type EntryPlan, plannedArgument, withTypes } from "./plan-entry";
import { shapePlan } from "./shape-plan";

export interface EntryMeans extends EntryFiles {
  readonly prober: EntryProber;
}

/** Calls one function with made-up arguments. The problem: why no workload comes of it, as a sentence. */
export async function probeEntry(
  means: EntryMeans,
  request: WorkloadRequest,
  entry: EntryFunction,
): Promise<Outcome<FoundWorkload, string>> {
  const { kernel, target, signal } = request;
  const build = await means.builds.settingsFor(entry.file);
  const tree = { ...(await readEntryTree(means, entry.file)), [request.file]: request.text };
  const planned = entry.parameters.map(plannedArgument);
  const result = entry.result && { name: resultName(entry), type: entry.result };
  const opened = await means.prober.open({
    ...{ tree, build, target, signal, file: request.file },
    call: `${entry.file}::${entry.name}`,
    parameters: planned.map((each) => {
      if (each.kind === "buffer") return { kind: "buffer", name: each.name, type: each.type };
      if (each.kind === "stream") return { kind: "bytes", name: each.name, bytes: defaultStream };
      return { kind: "number", name: each.name, dtype: each.dtype };
    }),
    structures: entry.structures,
    ...(result === undefined ? {} : { result }),
  });
  if (!opened.ok) return opened;
  try {
    const returned: PlannedArgument[] =
      result === undefined ? [] : [{ kind: "buffer", isConst: false, ...result }];
    return await callEntry({ request, entry, kernel }, opened.value, { planned, returned });
  } finally {
    await opened.value.close();
  }
}

/** Eight bytes of zeros. */
export const defaultStream = "0000000000000000";

interface Called {
  readonly request: WorkloadRequest;
  readonly entry: EntryFunction;
  readonly kernel: string;
}

async function callEntry(
  { request, entry, kernel }: Called,
  probed: ProbedEntry,
  plan: EntryPlan,
): Promise<Outcome<FoundWorkload, string>> {
  const found = await findArguments(probed, kernel, { entry, plan });
  if (!found.ok) return fail(`no call of ${entry.name} with made-up arguments ran: ${found.problem}`);
  const { session, calls: shown, elements } = found.value;
  if (!shown.buffers.some(({ isWritten }) => isWritten))
    return fail(`${entry.name} wrote to none of its arguments, and returned nothing that can be checked`);
  const typed = withTypes(session.planned, { entry, probes: shown.probes });
  const { calls, offsets } = await callsWithOffsets(session, shown, elements);
  session.renew();
  const idle = [...calls.domains.keys()].filter(
    (name) => !calls.buffers.some(({ extent }) => new RegExp(`\\b${name}\\b`).test(String(extent))),
  );
  const seen = { buffers: calls.buffers, probes: calls.probes };
  const { indices: rows, searches } = await findIndices(
    { contents: session.contents, again: () => session.series(calls.probes.settings) },
    seen,
    { elements, idle },
  );
  session.renew();
  const plain = rows.filter((index) => isPlain(index, calls, elements));
  const bounds = await findBounds(session, { calls, elements }, plain);
  const indices = [...plain, ...bounds];
  session.renew();
  const sized = shapePlan({
    calls,
    indices: plain,
    nearest: (name, value) => allowed(calls.domains, name, value),
    hasRows: offsets.length > 0,
  });
  const tried = await tryShapes(session, sized, calls.probes);
  if (tried.shapes.length === 0)
    return fail(`${entry.name} ran with none of the sizes that were tried twice`);
  return succeed(
    entrySpec({
      ...{
        request,
        entry,
        elements: elementsOf([...typed, ...plan.returned]),
        calls,
        offsets,
        indices,
        searches,
        tried,
      },
      planned: typed,
      returned: plan.returned,
      lengths: session.lengths,
    }),
  );
}

function resultName({ parameters }: EntryFunction): string {
  return parameters.some(({ name }) => name === "result") ? "returned" : "result";
}

import { type Outcome, fail } from "../../../../core/base/outcome";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import type { EntryProber } from "../../../../core/ports/entry-prober";
import type { FoundWorkload, WorkloadRequest } from "../finders";
import type { PlannedArgument } from "../probing/arguments/planned-argument";
import { callEntry, type Called } from "./call-entry";
import { type EntryFiles, readEntryTree, readLinkedTree } from "./entry-sources";
import { fillingProblem, withEntryConstants } from "./entry-constants";
import { plannedArgument } from "./plan-entry";
import { plannedSymbol } from "./planned-symbol";

export interface EntryMeans extends EntryFiles {
  readonly prober: EntryProber;
}

/** Calls one function with made-up arguments. The problem: why no workload comes of it, as a sentence. */
export async function probeEntry(
  means: EntryMeans,
  request: WorkloadRequest,
  entry: EntryFunction,
): Promise<Outcome<FoundWorkload, string>> {
  const { tree, besides } = await readLinkedTree(means, entry.file);
  const called = { request, entry, sources: besides };
  const found = await openAndCall(means, called, tree);
  // What they define may be there in another way, and they may be of another program.
  if (found.ok || besides.length === 0) return found;
  const alone = await openAndCall(means, { ...called, sources: [] }, await readEntryTree(means, entry.file));
  return alone.ok ? alone : found;
}

async function openAndCall(
  means: EntryMeans,
  called: Called,
  drawnIn: SourceTree,
): Promise<Outcome<FoundWorkload, string>> {
  const { request, entry, sources } = called;
  const { target, signal } = request;
  const build = await means.builds.settingsFor(entry.file);
  const tree = { ...drawnIn, [request.file]: request.text };
  const planned = entry.parameters.map((each) => plannedArgument(each, request.passed?.[each.name]));
  const symbols = entry.left.constants.flatMap((each) => plannedSymbol(each) ?? []);
  const result = entry.result && { name: resultName(entry), type: entry.result };
  const opened = await means.prober.open({
    ...{ tree, build, target, signal, sources, file: request.file },
    call: `${entry.file}::${entry.name}`,
    parameters: planned.map((each) => {
      if (each.kind === "buffer") return { kind: "buffer", name: each.name, type: each.type };
      if (each.kind === "stream") return { kind: "bytes", name: each.name, bytes: defaultStream };
      return { kind: "number", name: each.name, dtype: each.dtype };
    }),
    structures: entry.structures,
    symbols: symbols.map(({ name, variable, holds }) =>
      holds.kind === "buffer"
        ? { kind: "buffer", name, variable, type: holds.type }
        : { kind: "numbers", variable, byteLength: holds.byteLength },
    ),
    ...(result === undefined ? {} : { result }),
  });
  if (!opened.ok) return opened;
  try {
    const returned: PlannedArgument[] =
      result === undefined ? [] : [{ kind: "buffer", isConst: false, ...result }];
    const problem = fillingProblem(symbols, opened.value.constantBytes);
    if (problem !== undefined) return fail(problem);
    const found = await callEntry(called, opened.value, { planned, returned, symbols, terms: entry.terms });
    return found.ok
      ? withEntryConstants(found.value, { symbols, left: entry.left, bytes: opened.value.constantBytes })
      : found;
  } finally {
    await opened.value.close();
  }
}

/** Eight bytes of zeros. */
const defaultStream = "0000000000000000";

function resultName({ parameters }: EntryFunction): string {
  return parameters.some(({ name }) => name === "result") ? "returned" : "result";
}

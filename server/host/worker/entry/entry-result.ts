import { at, mustGet } from "../../../core/base/known";
import { mergeCounters } from "../../../core/timing/counters";
import type { CompiledFacts, Finding } from "../../../core/judge/verdict";
import type { EntryEnd, EntryOutcome, KeptThings } from "../../../core/ports/entry-programs";
import type { ProgramTrouble } from "../../../core/ports/program-runner";
import { namedLaunches } from "../../../core/words/profile";
import type { CompiledEntry } from "../compile/compiled-module";
import { asksForNothing, inputFindings } from "../evaluation/buffers";
import type { RunOutcome, RunRequest } from "../evaluation/kernel-runner";
import { callFile, harnessFile, supportFile } from "./harness";

/** Troubles that end a run whatever was computed: the program did not do what its text says. */
const ending = new Set([
  "invalid-launch",
  "endless",
  "endless-loop",
  "out-of-bounds",
  "misaligned",
  "trap",
  "read-only-write",
  "use-after-free",
  "stopped",
]);

interface RunPlace {
  /** `FILE::FUNCTION` and the file of findings that have no place. */
  readonly call: string;
  readonly file: string;
  readonly limitSeconds: number;
  readonly remarks: readonly string[];
}

/** Which buffer each input and output is. */
type BufferIndex = ReadonlyMap<string, number>;

/** What one call of the entry comes to. */
export function runOutcome(
  request: RunRequest,
  outcome: EntryOutcome,
  about: {
    readonly place: RunPlace;
    readonly index: BufferIndex;
    readonly entries: readonly CompiledEntry[];
  },
): RunOutcome {
  const { place, index, entries } = about;
  const { end, troubles } = outcome;
  if (end.kind === "timed-out") return { kind: "timed-out", stage: "run", limitSeconds: place.limitSeconds };
  const refused = troubles.find(({ kind }) => kind === "refused");
  if (refused !== undefined)
    return { kind: "refused", reason: refused.message, file: refused.file, line: refused.line };
  const findings = troubles
    .filter(({ kind }) => kind !== "told")
    .map((trouble) => findingOf(trouble, place.file));
  const fatal = findings.find(({ kind }) => ending.has(kind));
  if (fatal !== undefined) return { kind: "did-not-run", reason: fatal.message, findings };
  const failure = failureOf(end, place);
  if (failure !== undefined)
    return { kind: "did-not-run", reason: failure.message, findings: [...findings, failure] };
  if (outcome.launchCount === 0 && !asksForNothing(request.shape))
    return { kind: "did-not-run", reason: `the entry ${place.call} launched no kernel`, findings };
  const freed = freedBuffer(outcome, index, place);
  if (freed !== undefined)
    return { kind: "did-not-run", reason: freed.message, findings: [...findings, freed] };
  const contents = outcome.contents.filter((content) => content !== undefined);
  const remarks = troubles.filter(({ kind }) => kind === "told").map(({ message }) => message);
  const counted = outcome.kernels.map(({ counters }) => counters);
  return {
    kind: "ran",
    outputs: request.shape.outputs.map(({ name }) => at(contents, mustGet(index, name))),
    findings: [...findings, ...inputFindings(request, index, contents, place.file)],
    remarks: [...new Set([...place.remarks, ...remarks])],
    counters: counted.length === 0 ? undefined : mergeCounters(counted),
    launches: namedLaunches(outcome.kernels),
    facts: factsOf(outcome, entries),
    hostWritten: outcome.traffic.made,
    movedBytes: outcome.traffic.movedBytes,
    moves: outcome.traffic.moves,
    hostCalls: outcome.traffic.calls,
    hostTraffic: outcome.traffic,
    ...(outcome.heap && { heap: outcome.heap }),
    ...(outcome.kept && { kept: outcome.kept, behind: behindOf(outcome.kept) }),
    ...(outcome.writer && { writer: outcome.writer }),
  };
}

/** What a call makes of the current device, and of how its caller's numbers are rounded. */
function behindOf({ strays }: KeptThings): Readonly<Record<string, string>> {
  return {
    ...((strays & 1) !== 0 && { "device-current": "other" }),
    ...((strays & 2) !== 0 && { "device-launches": "other" }),
    ...((strays & 4) !== 0 && { "host-arithmetic": "other" }),
  };
}

/** A buffer that the entry did not leave to its caller: what it holds in the end is not known. */
function freedBuffer(
  { contents }: EntryOutcome,
  index: BufferIndex,
  { call, file }: RunPlace,
): Finding | undefined {
  const freed = [...index].find(([, position]) => contents[position] === undefined);
  if (freed === undefined) return undefined;
  const why = "memory of arguments has to be there when the call has returned";
  const message = `the entry ${call} frees ${freed[0]}, which is its caller's: ${why}`;
  return { kind: "freed-argument", file, line: 0, message };
}

/** Figures of the kernels that were launched, in the order of their first launch. */
function factsOf({ launches }: EntryOutcome, entries: readonly CompiledEntry[]): readonly CompiledFacts[] {
  const seen = new Map<string, CompiledFacts>();
  for (const { kernel, block } of launches) {
    const entry = entries.find(({ symbol }) => symbol === kernel);
    const threadsPerBlock = block.reduce((product, size) => product * size, 1);
    const key = `${kernel} ${block.join()}`;
    if (entry !== undefined && !seen.has(key)) seen.set(key, { ...entry.facts, threadsPerBlock, block });
  }
  return [...seen.values()];
}

function findingOf(
  { kind, file, line, message }: Omit<ProgramTrouble, "related">,
  fallback: string,
): Finding {
  const isOurs = ["", harnessFile, callFile, supportFile].includes(file);
  return { kind, file: isOurs ? fallback : file, line: isOurs ? 0 : line, message };
}

function failureOf(end: EntryEnd, { call, file: fallback }: RunPlace): Finding | undefined {
  switch (end.kind) {
    case "raised":
      return findingOf(
        {
          kind: "exception",
          file: end.file,
          line: end.line,
          message: `the entry ${call} threw: ${end.told}`,
        },
        fallback,
      );
    case "crashed":
      return findingOf({ kind: "crash", file: end.file, line: end.line, message: end.told }, fallback);
    case "failed":
      return findingOf(
        {
          kind: "cuda-error",
          file: end.file,
          line: end.line,
          message: `the entry ${call} leaves ${end.told}`,
        },
        fallback,
      );
    case "lost":
      return findingOf(
        { kind: "exit", file: "", line: 0, message: `the entry ${call} did not return: ${end.told}` },
        fallback,
      );
    default:
      return undefined;
  }
}

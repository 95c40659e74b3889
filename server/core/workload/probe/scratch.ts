import type { EntrySpec, KernelSpec } from "../spec";
import type { UnknownPart } from "../spec-write";
import type { FittedBuffer } from "./judge-probe";
import type { BufferObservation, ProbeObservation } from "./observation";

/** What a call of host code showed, with how many launches it made. */
interface CallObservation extends Pick<ProbeObservation, "buffers"> {
  readonly launchCount: number;
}

/** Words of a name that say what a buffer is for; a number behind one says no more. */
const scratchWords: ReadonlySet<string> = new Set([
  ...["scratch", "scratchpad", "workspace", "work", "ws", "wksp", "temp", "tmp", "temporary"],
  ...["partial", "partials", "intermediate", "intermediates", "interim", "staging", "aux"],
]);

/** Calls of an entry, and what was fitted to what they touched. */
interface SeenCalls {
  readonly buffers: readonly FittedBuffer[];
  readonly probes: { readonly observations: readonly CallObservation[] };
}

/** A workload with what is to be said of it. */
interface Said {
  readonly spec: KernelSpec;
  readonly unknowns: readonly UnknownPart[];
}

/**
 * Takes those of an entry's outputs for scratch by which its launches alone hand values to each other: their
 * names say so, each of their elements is written before it is read, and all that is written is read again by
 * a call of several launches. An entry that has no other outputs keeps them.
 */
export function withScratch(found: Said, calls: SeenCalls): Said {
  const { spec, unknowns } = found;
  const { run } = spec;
  if (run.kind !== "entry") return found;
  const names = new Set(scratchNames(run.entry, calls));
  const outputs = Object.entries(spec.outputs);
  const scratch = Object.fromEntries(outputs.filter(([name]) => names.has(name)));
  const left = Object.fromEntries(outputs.filter(([name]) => !names.has(name)));
  if (Object.keys(scratch).length === 0 || Object.keys(left).length === 0) return found;
  const moved = (path: string): string =>
    Object.keys(scratch).some((name) => path.startsWith(`outputs.${name}.`))
      ? path.replace(/^outputs/, "entry.scratch")
      : path;
  return {
    spec: {
      ...spec,
      run: { ...run, entry: { ...run.entry, scratch } },
      outputs: left,
      origins: Object.fromEntries(
        Object.entries(spec.origins ?? {}).map(([path, origin]) => [moved(path), origin]),
      ),
    },
    unknowns: [
      ...Object.keys(scratch).map((name) => ({ path: `entry.scratch.${name}`, sentence: takenWords(name) })),
      ...unknowns.map((each) => ({ ...each, path: moved(each.path) })),
    ],
  };
}

function takenWords(name: string): string {
  return `${name} is taken for scratch memory, as its name says and later launches read all that is written there: it is not compared. If callers read it, move it to "outputs".`;
}

/** What the function returns is no argument, and no scratch. */
function scratchNames({ arguments: given }: EntrySpec, { buffers, probes }: SeenCalls): readonly string[] {
  const isHandedOn = (name: string): boolean =>
    probes.observations.every(
      (call) => call.launchCount > 1 && isConsumed(call.buffers.find((each) => each.name === name)),
    );
  return buffers
    .filter(({ name, isWritten, isRead }) => isWritten && !isRead && given.includes(name))
    .map(({ name }) => name)
    .filter((name) => isNamedScratch(name) && isHandedOn(name));
}

function isConsumed(seen: BufferObservation | undefined): boolean {
  if (seen?.written === undefined) return seen?.read === undefined;
  return seen.read !== undefined && seen.read.bytes >= seen.written.bytes;
}

/** Words are parted by underscores, by letters after small ones, and by digits. */
function isNamedScratch(name: string): boolean {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").split(/[_\d]+/);
  return words.some((word) => scratchWords.has(word.toLowerCase()));
}

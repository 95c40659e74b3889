import type { Finding } from "../../../core/judge/verdict";
import type { ResolvedTensor } from "../evaluation/case-shapes";
import type { RunOutcome } from "../evaluation/kernel-runner";

type Ran = Extract<RunOutcome, { kind: "ran" }>;

export interface HostWork {
  readonly run: Ran;
  /** The kernel is the baseline itself: two runs of it say nothing against it. */
  readonly isBaseline: boolean;
  /** Runs the baseline on the same case; gives nothing when it does not run. */
  readonly before: () => Promise<Ran | undefined>;
  /** The most bytes that the baseline's host code has made in any run of the shape so far. */
  readonly mostBefore: () => number;
  /** What the baseline's host code made in the run that gave the expected values; left out where none did. */
  readonly madeFor?: readonly Uint8Array[] | undefined;
  /** Runs the candidate with other inputs of the same shape; gives nothing when it does not run. */
  readonly again: () => Promise<Ran | undefined>;
  readonly outputs: readonly ResolvedTensor[];
  readonly inputs: readonly Uint8Array[];
  /** Whether contents of the outputs would pass. */
  readonly isRight: (outputs: readonly Uint8Array[]) => Promise<boolean>;
  /** The kernel's file, for the findings. */
  readonly file: string;
}

/**
 * Of the outputs' size: how much more than the original a candidate's host code may compute for its kernels
 * (small tables).
 */
const hostShare = 1 / 16;
/** Flags and counts that host code reads between launches. */
const fewBytes = 64;
/** Outputs of fewer bytes stand in other contents by chance. */
const leastTelling = 64;

const why = "work may not move out of the kernel, where it is not counted";

/**
 * Work that the host code does is not counted, so that it may not be moved there: what the host hands to
 * launches may not be the answer already, and may not be much more than what the baseline got handed;
 * and host code may not look at much more of the device's memory than it did. It may take what kernels have
 * computed to other places, in whatever pieces, as long as nothing that it has the device do depends on
 * values. The baseline is compared with nothing: only that its host code makes all outputs is told of it.
 */
export async function hostComputed(work: HostWork): Promise<readonly Finding[]> {
  const { outputs, file } = work;
  const finding = (message: string): readonly Finding[] => [
    { kind: "host-computed", file, line: 0, message },
  ];
  const run = await asWritten(work);
  const answer = await answerOfHost({ ...work, run });
  if (answer !== undefined && (await isToldOf(answer, { ...work, run })))
    return finding(`the host code computed ${answer.name} itself; the kernel was handed the answer`);
  if (work.isBaseline) return [];
  const [handed, seen] = [hostBytes(run), seenBytes(run)];
  const allowed = outputs.reduce((sum, output) => sum + output.bytes, 0) * hostShare;
  const more = allowed + fewBytes;
  if (handed <= allowed && seen <= more) return [];
  // Tables that do not depend on the inputs are no work on them.
  if (seen <= more && areSame(run.hostWritten, (await work.again())?.hostWritten)) return [];
  const was = await workBefore(work);
  if (handed > was.handed + allowed)
    return finding(
      `the host code computes ${handed} bytes that it hands to kernels, the original ${was.handed}: ${why}`,
    );
  const readsInputs = inputBytes(run) > was.inputs + more;
  if (seen > was.seen + more && (readsInputs || !(await actsAlike(run, work.again))))
    return finding(`the host code reads ${seen} bytes of device memory, the original ${was.seen}: ${why}`);
  return [];
}

/** Bytes that the original's host code hands over and sees. */
async function workBefore({ before, mostBefore }: HostWork): Promise<{
  readonly handed: number;
  readonly seen: number;
  readonly inputs: number;
}> {
  const original = await before();
  if (original === undefined) return { handed: mostBefore(), seen: 0, inputs: 0 };
  // What it makes in one run may be there already in the next one on the same inputs.
  const handed = Math.max(mostBefore(), hostBytes(original));
  return { handed, seen: seenBytes(original), inputs: inputBytes(original) };
}

/** The run, with what host code has put together of pieces as its own work where that depends on values. */
async function asWritten({ run, again }: HostWork): Promise<Ran> {
  const { copied = [] } = run.hostTraffic ?? {};
  if (copied.length === 0 || (await actsAlike(run, again))) return run;
  return { ...run, hostWritten: [...run.hostWritten, ...copied] };
}

/**
 * Whether host code has the device do the same, whatever the inputs are: in two of this run and two others.
 * Of inputs with few values pieces are found in other places, too.
 */
async function actsAlike({ hostTraffic }: Ran, again: HostWork["again"]): Promise<boolean> {
  const other = (await again())?.hostTraffic?.acts;
  if (hostTraffic === undefined || other === undefined) return false;
  if (hostTraffic.acts === other) return true;
  const third = (await again())?.hostTraffic?.acts;
  return third !== undefined && [hostTraffic.acts, other].includes(third);
}

interface HostAnswer {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Whether an answer is told. The original may give back what it hands to its kernels, such as the order of
 * rows, beside what these compute of it.
 */
async function isToldOf(answer: HostAnswer, work: HostWork): Promise<boolean> {
  if (await madeBefore(answer, work)) return false;
  if (!work.isBaseline) return true;
  for (const { name } of work.outputs) if ((await answerOfHost(work, name)) === undefined) return false;
  return true;
}

/**
 * Whether the original's host code made the answer on the same inputs, too: where all that is computed is
 * infinite or no number, what is handed over looks like the answer. Host code that is run for real may add up
 * the last few numbers, if it always did.
 */
async function madeBefore(answer: HostAnswer, work: HostWork): Promise<boolean> {
  const isReal = work.run.hostTraffic !== undefined;
  if (work.isBaseline && !isReal) return false;
  const run = await work.before();
  if (isReal && makes(run, answer.content.byteLength)) return true;
  const made = [...(run?.hostWritten ?? []), ...(work.madeFor ?? [])];
  return made.some((content) => Buffer.compare(content, answer.content) === 0);
}

/** The output that host code made whole, in one content that it wrote: any, or that of a name. */
async function answerOfHost(
  { run, outputs, inputs, isRight }: HostWork,
  wanted?: string,
): Promise<HostAnswer | undefined> {
  for (const content of run.hostWritten) {
    for (const [position, output] of outputs.entries()) {
      if (wanted !== undefined && output.name !== wanted) continue;
      const instead = run.outputs.map((each, index) => (index === position ? content : each));
      const right =
        content.byteLength === output.bytes
          ? await isRight(instead)
          : holdsWhole(content, run.outputs[position] ?? content, inputs);
      if (right) return { name: output.name, content };
    }
  }
  return undefined;
}

function areSame(one: readonly Uint8Array[], other: readonly Uint8Array[] | undefined): boolean {
  if (other?.length !== one.length) return false;
  return one.every((content, index) => Buffer.compare(content, other[index] ?? Buffer.alloc(0)) === 0);
}

/** True when host code made a content of so many bytes. */
function makes(run: Ran | undefined, bytes: number): boolean {
  return run?.hostWritten.some(({ byteLength }) => byteLength === bytes) === true;
}

function seenBytes({ hostTraffic }: Ran): number {
  return hostTraffic === undefined ? 0 : hostTraffic.readBytes + hostTraffic.readResultBytes;
}

function inputBytes(run: Ran | undefined): number {
  return run?.hostTraffic?.readBytes ?? 0;
}

/** Bytes of what host code made and handed to launches. */
export function hostBytes(run: Pick<Ran, "hostWritten">): number {
  return run.hostWritten.reduce((sum, content) => sum + content.byteLength, 0);
}

/**
 * Whether an output stands, byte for byte, in a larger buffer that the host code wrote, and is no part of an
 * input.
 */
function holdsWhole(content: Uint8Array, output: Uint8Array, inputs: readonly Uint8Array[]): boolean {
  if (output.byteLength < leastTelling || content.byteLength < output.byteLength) return false;
  const within = (bytes: Uint8Array): boolean =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(output));
  return within(content) && !inputs.some(within);
}

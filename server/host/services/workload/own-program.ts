import { fail, type Outcome, succeed } from "../../../core/base/outcome";
import { failureSaid } from "../../../core/workload/capture/failure-said";
import { smallerArguments } from "../../../core/workload/build/run-arguments";
import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import type { Patience } from "../../../core/ports/program-runner";
import type { CapturedProgram, CapturedWorkload, CaptureService } from "../services";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "./finders";
import { limitMet, ownComplaint } from "./own-complaint";
import { usualArguments } from "./usual-arguments";
import { whyUnusable } from "./why-unusable";
import { hasMain, programsAround, type WorkspaceProgram } from "./workspace-programs";

/** A program that nobody asked for by name may work this long, however long a busy machine takes for that. */
const patience: Patience = { seconds: 25, of: "work" };
/** To be compiled and waited for besides. */
const mostSeconds = 600;

/** Of warps, in one launch: one with more takes minutes to judge, since a verdict runs it again and again. */
const mostInstructions = 200_000_000;
/** A launch with more counts as endless where it is judged, since counting and watching it takes so long. */
const mostJudged = 1_000_000_000;
/** By what the numbers that a program is handed are divided where its launches are too much work. */
const divisors = [4, 16];

/**
 * The program in the kernel's own file, else one of the workspace that uses what the file defines: it is run
 * once, without input, and shows the launches; with the arguments of the makefile beside it where it shows
 * none without any. `otherwise` is asked where it shows none, or
 * such as have too much work to be judged.
 */
export function ownProgram(
  captures: CaptureService,
  files: FileReader,
  otherwise: WorkloadFinder,
): WorkloadFinder {
  const runs = new Map<string, Promise<CapturedProgram>>();
  return {
    looksFor: "a program",
    find: async (request) => {
      const { file, text } = request;
      if (!/\.(?:cu|cuh|cpp|h|hpp)$/.test(file)) return otherwise.find(request);
      const programs = hasMain(file, text)
        ? [{ file, text, compileOptions: [] }]
        : await programsAround(files, request);
      let problem = "";
      for (const program of programs) {
        const once = { ...request, ...program, beside: { file, text } };
        const ran = await runAsUsual(runs, { captures, files }, once);
        const run = (words: readonly string[]): ReturnType<typeof runOnce> =>
          runOnce(runs, captures, { ...once, arguments: words });
        const shown = await shownBy({ ran, program, run }, request, otherwise);
        if (shown.ok) return shown;
        problem = shown.problem;
      }
      const other = await otherwise.find(request);
      if (!hasMain(file, text)) return other;
      return other.ok
        ? succeed(withAssumed(other.value, problem))
        : fail(`${problem}; by itself: ${other.problem}`);
    },
  };
}

/** Says of a launch whose grid stands in the text alone that no run has shown it. */
function withAssumed(found: FoundWorkload, problem: string): FoundWorkload {
  const { run } = found.spec;
  if (run.kind !== "launch" || run.launch.grid !== undefined) return found;
  const sentence = `${problem}: its grid is taken from the text beside sizes that are made up, so that the two may not belong together.`;
  return { ...found, unknowns: [...found.unknowns, { path: "launch.grid", sentence }] };
}

/** A program and its run; a text is why there is none. */
interface Shown {
  readonly program: WorkspaceProgram;
  readonly ran: CapturedProgram | string;
  /** Runs it with other arguments. */
  readonly run: (words: readonly string[]) => Promise<CapturedProgram | string>;
}

/** What a program shows of the kernel: its launches, or smaller ones where they are too much work. */
async function shownBy(
  { ran, program, run }: Shown,
  request: WorkloadRequest,
  otherwise: WorkloadFinder,
): Promise<Outcome<FoundWorkload, string>> {
  if (typeof ran === "string") return fail(ran);
  const own = ran.workloads.find(isOf(request));
  if (own === undefined) {
    const large = await withSmaller(otherwise, request, { ran, program });
    return large === undefined ? fail(unusable(ran, program, request)) : succeed(large);
  }
  const complaint = ownComplaint(ran, program.file, request);
  const said = complaint === undefined ? {} : { complaint };
  const other =
    (await withLessWork(otherwise, request, { own, program: program.file })) ??
    (await withSmallerArguments(run, request, { own, program }));
  if (other !== undefined) return succeed({ ...other, ...said });
  if (workOf(own) > mostJudged)
    return fail(
      `${tooMuchWork(own, program.file)}. kernelwright capture ${program.file} -- ARGUMENTS records smaller launches`,
    );
  const { spec, specFolder } = own.found;
  return succeed({ spec, unknowns: failureOf(ran, program), specFolder, ...said });
}

/** A workload with less work than the launches of the program; undefined where theirs can be judged. */
async function withLessWork(
  otherwise: WorkloadFinder,
  request: WorkloadRequest,
  { own, program }: { readonly own: CapturedWorkload; readonly program: string },
): Promise<FoundWorkload | undefined> {
  if (!isTooMuchWork(own)) return undefined;
  const passed = passedBy(own);
  const found = await otherwise.find({ ...request, passed });
  if (!found.ok) return undefined;
  const sentence = `${tooMuchWork(own, program)}; smaller sizes are checked, made of those that it passes. kernelwright capture ${program} -- ARGUMENTS records smaller ones of your own`;
  return { ...found.value, unknowns: [...found.value.unknowns, { path: "shapes", sentence }] };
}

/** What the program launches where it is handed smaller numbers; undefined where that is no less work. */
async function withSmallerArguments(
  run: (words: readonly string[]) => Promise<CapturedProgram | string>,
  request: WorkloadRequest,
  { own, program }: { readonly own: CapturedWorkload; readonly program: WorkspaceProgram },
): Promise<FoundWorkload | undefined> {
  if (!isTooMuchWork(own)) return undefined;
  const words = own.found.spec.program?.arguments ?? [];
  for (const divisor of divisors) {
    const smaller = smallerArguments(words, divisor);
    if (smaller === undefined) return undefined;
    const ran = await run(smaller);
    if (typeof ran === "string" || (ran.code !== 0 && ran.cut === undefined)) continue;
    const found = ran.workloads.find(isOf(request));
    if (found === undefined || workOf(found) > mostInstructions) continue;
    const { spec, specFolder } = found.found;
    const sentence = `${tooMuchWork(own, program.file)}; it was run with smaller arguments: ${smaller.join(" ")}. kernelwright capture ${program.file} -- ARGUMENTS records others of your own`;
    return { spec, unknowns: [...failureOf(ran, program), { path: "shapes", sentence }], specFolder };
  }
  return undefined;
}

/** Instructions of warps in the longest launch. */
function workOf({ warpInstructions = 0 }: CapturedWorkload): number {
  return warpInstructions;
}

/** Whether a verdict on what a program launches would take minutes. */
export function isTooMuchWork(own: CapturedWorkload): boolean {
  return workOf(own) > mostInstructions;
}

/** Says that of a program. */
export function tooMuchWork(own: CapturedWorkload, program: string): string {
  const millions = Math.round(workOf(own) / 1e6).toLocaleString("en-US");
  return `the program ${program} launches it with so much work (${millions} million instructions of warps) that a verdict would take minutes`;
}

/** A workload with smaller sizes than those of the program; undefined where its launches can be recorded. */
async function withSmaller(
  otherwise: WorkloadFinder,
  request: WorkloadRequest,
  { ran, program }: { readonly ran: CapturedProgram; readonly program: WorkspaceProgram },
): Promise<FoundWorkload | undefined> {
  const large = ran.tooLarge?.find(({ file, kernel }) => file === request.file && kernel === request.kernel);
  if (large === undefined) return undefined;
  const found = await otherwise.find({ ...request, passed: large.passed });
  if (!found.ok) return undefined;
  const why =
    ran.cut === undefined
      ? "larger buffers than are recorded"
      : "so much work that no launch of it ended in time";
  const sentence = `the program ${program.file} launches it with ${why}; smaller sizes are checked, made of those that it passes.`;
  return { ...found.value, unknowns: [...found.value.unknowns, { path: "shapes", sentence }] };
}

/** The numbers of the launch with the most threads, by their parameters. */
function passedBy({ found }: CapturedWorkload): Readonly<Record<string, number>> {
  const [most] = found.spec.shapes;
  return { ...most?.sizes, ...most?.values };
}

function isOf({ file, kernel }: WorkloadRequest): (workload: CapturedWorkload) => boolean {
  return (workload) => workload.file === file && workload.found.spec.kernel === kernel;
}

/** A program may say itself that its kernels are wrong. */
function failureOf(ran: CapturedProgram, { file }: WorkspaceProgram): FoundWorkload["unknowns"] {
  const { code, cut, output } = ran;
  if (cut !== undefined)
    return [{ path: "program", sentence: `of the program ${file} not all was run: ${cut}` }];
  const words = failureSaid(output);
  if (code === 0 && words === undefined) return [];
  const said = words === undefined ? "" : ` and says "${words}"`;
  const limit = limitMet(ran);
  const why = limit === undefined ? "" : `, which may be for want of what it has not (${limit})`;
  const sentence = `the program ${file} ended with ${code}${said} on the virtual GPU${why}: what its kernels leave, which is the reference, may be wrong`;
  return [{ path: "reference", sentence }];
}

function unusable(ran: CapturedProgram, { file }: WorkspaceProgram, { kernel }: WorkloadRequest): string {
  const { code, cut, launches } = ran;
  if (cut !== undefined && launches === 0)
    return `the program ${file} launched nothing within ${patience.seconds} s of work`;
  const limit = limitMet(ran);
  const met = limit === undefined ? "" : ` (${limit})`;
  return `the program ${file} ended with ${code}${met} after ${launches} launches, none of them usable for ${kernel}${whyUnusable(
    ran,
    kernel,
  )
    .map((why) => `; ${why}`)
    .join("")}`;
}

/** A program to be run once; `beside`: a source that it draws in, by which it is told from other programs. */
type OneRun = Omit<WorkloadRequest, "kernel"> & {
  readonly compileOptions?: readonly string[];
  readonly arguments?: readonly string[];
  readonly beside?: { readonly file: string; readonly text: string };
};

/** The program's run without arguments, or where it launches nothing then, with its usual ones. */
async function runAsUsual(
  runs: Map<string, Promise<CapturedProgram>>,
  { captures, files }: { readonly captures: CaptureService; readonly files: FileReader },
  program: OneRun,
): Promise<CapturedProgram | string> {
  const ran = await runOnce(runs, captures, program);
  if (typeof ran === "string" || ran.launches > 0 || ran.cut !== undefined) return ran;
  const usual = await usualArguments(files, program.file);
  if (usual === undefined) return ran;
  const again = await runOnce(runs, captures, { ...program, arguments: usual.words });
  return typeof again === "string" || again.launches === 0 ? ran : again;
}

/** The program's run; a text is why there is none. Equal texts are run once. */
export async function runOnce(
  programs: Map<string, Promise<CapturedProgram>>,
  captures: CaptureService,
  { file, text, target, signal, compileOptions = [], arguments: words = [], beside }: OneRun,
): Promise<CapturedProgram | string> {
  const limit = AbortSignal.timeout(mostSeconds * 1000);
  const key = JSON.stringify([file, target.architecture, text, beside, words]);
  const running =
    programs.get(key) ??
    captures.capture({
      file,
      arguments: words,
      compileOptions,
      target,
      patience,
      signal: AbortSignal.any([signal, limit]),
    });
  programs.set(key, running);
  try {
    return await running;
  } catch (thrown) {
    programs.delete(key);
    if (!(thrown instanceof OperationalError) || signal.aborted) throw thrown;
    return limit.aborted ? `its program did not end within ${mostSeconds} s` : thrown.message;
  }
}

import { fail, succeed } from "../../../core/base/outcome";
import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import type { Patience } from "../../../core/ports/program-runner";
import type { CapturedProgram, CapturedWorkload, CaptureService } from "../services";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "./finders";
import { ownComplaint } from "./own-complaint";
import { usualArguments } from "./usual-arguments";
import { whyUnusable } from "./why-unusable";
import { hasMain, programsAround, type WorkspaceProgram } from "./workspace-programs";

/** A program that nobody asked for by name may work this long, however long a busy machine takes for that. */
const patience: Patience = { seconds: 25, of: "work" };
/** To be compiled and waited for besides. */
const mostSeconds = 600;

/** Of warps, in one launch: one with more takes minutes to judge, since a verdict runs it again and again. */
const mostInstructions = 200_000_000;

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
        const ran = await runAsUsual(
          runs,
          { captures, files },
          { ...request, ...program, beside: { file, text } },
        );
        const own = typeof ran === "string" ? undefined : ran.workloads.find(isOf(request));
        if (typeof ran !== "string" && own !== undefined) {
          const complaint = ownComplaint(ran, program.file, request);
          const said = complaint === undefined ? {} : { complaint };
          const other = await withLessWork(otherwise, request, { own, program: program.file });
          if (other !== undefined) return succeed({ ...other, ...said });
          const { spec, specFolder } = own.found;
          return succeed({ spec, unknowns: failureOf(ran, program), specFolder, ...said });
        }
        problem = typeof ran === "string" ? ran : unusable(ran, program, request);
        const large =
          typeof ran === "string" ? undefined : await withSmaller(otherwise, request, { ran, program });
        if (large !== undefined) return succeed(large);
      }
      const other = await otherwise.find(request);
      return other.ok || !hasMain(file, text) ? other : fail(`${problem}; by itself: ${other.problem}`);
    },
  };
}

/** A workload with less work than the launches of the program; undefined where theirs can be judged. */
async function withLessWork(
  otherwise: WorkloadFinder,
  request: WorkloadRequest,
  { own, program }: { readonly own: CapturedWorkload; readonly program: string },
): Promise<FoundWorkload | undefined> {
  const { warpInstructions = 0 } = own;
  if (warpInstructions <= mostInstructions) return undefined;
  const passed = passedBy(own);
  const found = await otherwise.find({ ...request, passed });
  if (!found.ok) return undefined;
  const millions = Math.round(warpInstructions / 1e6).toLocaleString("en-US");
  const sentence = `the program ${program} launches it with so much work (${millions} million instructions of warps) that a verdict would take minutes; smaller sizes are checked, made of those that it passes. kernelwright capture ${program} -- ARGUMENTS records smaller ones of your own`;
  return { ...found.value, unknowns: [...found.value.unknowns, { path: "shapes", sentence }] };
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
function failureOf({ code, cut }: CapturedProgram, { file }: WorkspaceProgram): FoundWorkload["unknowns"] {
  if (cut !== undefined)
    return [{ path: "program", sentence: `of the program ${file} not all was run: ${cut}` }];
  if (code === 0) return [];
  const sentence = `the program ${file} ended with ${code}: what its kernels leave, which is the reference, may be wrong`;
  return [{ path: "reference", sentence }];
}

function unusable(ran: CapturedProgram, { file }: WorkspaceProgram, { kernel }: WorkloadRequest): string {
  const { code, cut, launches } = ran;
  if (cut !== undefined && launches === 0)
    return `the program ${file} launched nothing within ${patience.seconds} s of work`;
  return `the program ${file} ended with ${code} after ${launches} launches, none of them usable for ${kernel}${whyUnusable(
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

import { last } from "../../../../core/base/known";
import { fail, type Outcome, succeed } from "../../../../core/base/outcome";
import type { SeenCall } from "../../../../core/workload/capture/recorded-call";
import type { FileReader } from "../../../../core/ports/files";
import type { CapturedProgram, CaptureService } from "../../services";
import type { Finding } from "../../../../core/judge/verdict";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "../finders";
import { ownComplaint } from "../own-complaint";
import { isTooMuchWork, runOnce, tooMuchWork } from "../own-program";
import { whyUnusable } from "../why-unusable";
import { hasTests, type PythonFile, scriptsOf } from "./callers";

/** What programs in a kernel's own file say against it. */
interface OwnWords {
  /** Undefined where they say nothing, or there are none. */
  readonly complaint: Finding | undefined;
  /** A sentence for each that could not be heard to its end. */
  readonly unknowns: FoundWorkload["unknowns"];
}

/** What a program has shown of a kernel. */
export interface RecordedWorkload {
  /** The launches as they were. */
  readonly workload: FoundWorkload;
  /** The largest call of a function that made them. */
  readonly call?: SeenCall;
}

/** Finds workloads in Python programs, and knows what those say against a kernel. */
export interface PythonPrograms extends WorkloadFinder {
  /** As `find`, with what calls of other sizes can be made from. */
  record(request: WorkloadRequest): Promise<Outcome<RecordedWorkload, string>>;
  /** What the tests in the kernel's own file say against it, and where `withScript`, the file as program. */
  say(request: WorkloadRequest, withScript: boolean): Promise<OwnWords>;
}

/**
 * A Python program that launches the kernel: the kernel's own file where it does something when it runs, else
 * tests, examples and benchmarks of the workspace. Each is run once; its calls are recorded.
 */
export function pythonProgram(files: FileReader, captures: CaptureService): PythonPrograms {
  const programs = new Map<string, Promise<CapturedProgram>>();
  const run = (request: WorkloadRequest, { path, text }: PythonFile): Promise<CapturedProgram | string> => {
    const { target, signal } = request;
    return runOnce(programs, captures, { file: path, text: text + request.text, target, signal });
  };
  const record: PythonPrograms["record"] = (request) =>
    recordedBy(files, request, (script) => run(request, script));
  return {
    looksFor: "a script or a test that launches the kernel",
    find: async (request) => {
      const recorded = await record(request);
      return recorded.ok ? succeed(recorded.value.workload) : recorded;
    },
    record,
    say: async (request, withScript) => {
      const { file, text } = request;
      const scripts = withScript || hasTests.test(text) ? await scriptsOf(files, request) : [];
      const unknowns: FoundWorkload["unknowns"][number][] = [];
      for (const script of scripts) {
        if (script.path !== `${file}::` && !(withScript && script.path === file)) continue;
        const ran = await run(request, script);
        const unheard = typeof ran === "string" ? ran : unheardOf(ran);
        if (unheard !== undefined)
          unknowns.push({
            path: "program",
            sentence: `what ${script.path} says of the kernel is not known: ${unheard}.`,
          });
        const complaint = typeof ran === "string" ? undefined : ownComplaint(ran, script.path, request);
        if (complaint !== undefined) return { complaint, unknowns };
      }
      return { complaint: undefined, unknowns };
    },
  };
}

/** A script that has PyTorch compile the kernel's CUDA source: its launches are the kernel's workload. */
export function loadingScript(programs: PythonPrograms): WorkloadFinder {
  return {
    looksFor: "a script that loads the kernel's file as an extension",
    find: async (request) =>
      request.file.endsWith(".py") ? fail(`${request.file} is no CUDA source`) : programs.find(request),
  };
}

/** What the first program that launches the kernel has shown of it; the problem: why none has. */
async function recordedBy(
  files: FileReader,
  request: WorkloadRequest,
  run: (script: PythonFile) => Promise<CapturedProgram | string>,
): Promise<Outcome<RecordedWorkload, string>> {
  const problems: string[] = [];
  for (const script of await scriptsOf(files, request)) {
    const { path } = script;
    const ran = await run(script);
    if (typeof ran === "string") {
      problems.push(`${path}: ${ran}`);
      continue;
    }
    const own = ran.workloads.find(
      ({ file, found }) => file === request.file && found.spec.kernel === request.kernel,
    );
    if (own === undefined) {
      problems.push(unusable(ran, path, request));
      continue;
    }
    if (isTooMuchWork(own)) {
      problems.push(tooMuchWork(own, path));
      continue;
    }
    const { spec, specFolder } = own.found;
    const complaint = ownComplaint(ran, path, request);
    const said = complaint === undefined ? {} : { complaint };
    const workload = { spec, unknowns: [], specFolder, ...said };
    return succeed(own.call === undefined ? { workload } : { workload, call: own.call });
  }
  return fail(problems.length > 0 ? problems.join("; ") : "no script or test of the workspace launches it");
}

function unusable(ran: CapturedProgram, path: string, { kernel }: WorkloadRequest): string {
  const { code, launches, output } = ran;
  const told = lastWords(output);
  const said = told === "" ? "" : ` (${told})`;
  const why = whyUnusable(ran, kernel).map((each) => `; ${each}`);
  return `${path} ended with ${code} after ${launches} launches, none of them usable for ${kernel}${said}${why.join("")}`;
}

/** Why a program that ran has said nothing of the kernel; undefined where it could. */
function unheardOf({ code, cut, launches, output }: CapturedProgram): string | undefined {
  if (cut !== undefined) return cut;
  if (code === 0 || launches > 0) return undefined;
  return `it ended with ${code} before it launched anything (${lastWords(output)})`;
}

/** What a test runner has raised, where it tells that, else the last line. */
function lastWords(output: string): string {
  const lines = output.trimEnd().split("\n");
  const raised = lines.flatMap((line) => /^E {2,}(\S.*)$/.exec(line)?.[1] ?? []);
  return raised.at(-1) ?? last(lines);
}

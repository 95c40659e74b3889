import { last } from "../../../core/base/known";
import { fail, succeed } from "../../../core/base/outcome";
import type { FileReader } from "../../../core/ports/files";
import type { CapturedProgram, CaptureService } from "../services";
import type { Finding } from "../../../core/judge/verdict";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "./finders";
import { ownComplaint } from "./own-complaint";
import { runOnce } from "./own-program";
import { hasTests, type PythonFile, scriptsOf } from "./python-callers";

/** What programs in a kernel's own file say against it. */
interface OwnWords {
  /** Undefined where they say nothing, or there are none. */
  readonly complaint: Finding | undefined;
  /** A sentence for each that could not be heard to its end. */
  readonly unknowns: FoundWorkload["unknowns"];
}

/** Finds workloads in Python programs, and knows what those say against a kernel. */
export interface PythonPrograms extends WorkloadFinder {
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
  return {
    looksFor: "a script or a test that launches the kernel",
    find: async (request) => {
      const problems: string[] = [];
      for (const script of await scriptsOf(files, request)) {
        const { path } = script;
        const ran = await run(request, script);
        if (typeof ran === "string") {
          problems.push(`${path}: ${ran}`);
          continue;
        }
        const own = ran.workloads.find(
          ({ file, found }) => file === request.file && found.spec.kernel === request.kernel,
        );
        if (own !== undefined) {
          const { spec, specFolder } = own.found;
          const complaint = ownComplaint(ran, path, request);
          return succeed({
            spec,
            unknowns: [],
            specFolder,
            ...(complaint === undefined ? {} : { complaint }),
          });
        }
        const lastLine = last(ran.output.trimEnd().split("\n"));
        problems.push(
          `${path} ended with ${ran.code} after ${ran.launches} launches, none of them usable for ${request.kernel}${lastLine === "" ? "" : ` (${lastLine})`}`,
        );
      }
      return fail(
        problems.length > 0 ? problems.join("; ") : "no script or test of the workspace launches it",
      );
    },
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

/** Why a program that ran has said nothing of the kernel; undefined where it could. */
function unheardOf({ code, cut, launches, output }: CapturedProgram): string | undefined {
  if (cut !== undefined) return cut;
  if (code === 0 || launches > 0) return undefined;
  return `it ended with ${code} before it launched anything (${last(output.trimEnd().split("\n"))})`;
}

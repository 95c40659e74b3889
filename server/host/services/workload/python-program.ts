import { last } from "../../../core/base/known";
import { fail, succeed } from "../../../core/base/outcome";
import type { FileReader } from "../../../core/ports/files";
import type { CapturedProgram, CaptureService } from "../services";
import type { Finding } from "../../../core/judge/verdict";
import type { WorkloadFinder, WorkloadRequest } from "./finders";
import { ownComplaint } from "./own-complaint";
import { runOnce } from "./own-program";
import { hasTests, type PythonFile, scriptsOf } from "./python-callers";

/** Finds workloads in Python programs, and knows what those say against a kernel. */
export interface PythonPrograms extends WorkloadFinder {
  /**
   * What the tests in the kernel's own file say against it, and where `withScript`, the file when it is run:
   * undefined where they say nothing, or there are none.
   */
  complaint(request: WorkloadRequest, withScript: boolean): Promise<Finding | undefined>;
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
    complaint: async (request, withScript) => {
      const { file, text } = request;
      const scripts = withScript || hasTests.test(text) ? await scriptsOf(files, request) : [];
      for (const script of scripts) {
        if (script.path !== `${file}::` && !(withScript && script.path === file)) continue;
        const ran = await run(request, script);
        const said = typeof ran === "string" ? undefined : ownComplaint(ran, script.path, request);
        if (said !== undefined) return said;
      }
      return undefined;
    },
  };
}

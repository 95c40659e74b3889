import { last } from "../../../core/base/known";
import { fail, succeed } from "../../../core/base/outcome";
import type { FileReader } from "../../../core/ports/files";
import type { CapturedProgram, CaptureService } from "../services";
import type { WorkloadFinder } from "./finders";
import { runOnce } from "./own-program";
import { scriptsOf } from "./python-callers";

/**
 * A Python program that launches the kernel: the kernel's own file where it does something when it runs, else
 * tests, examples and benchmarks of the workspace. Each is run once; its calls are recorded.
 */
export function pythonProgram(files: FileReader, captures: CaptureService): WorkloadFinder {
  const programs = new Map<string, Promise<CapturedProgram>>();
  return {
    looksFor: "a script or a test that launches the kernel",
    find: async (request) => {
      const problems: string[] = [];
      for (const { path, text } of await scriptsOf(files, request)) {
        const { target, signal } = request;
        const ran = await runOnce(programs, captures, {
          file: path,
          text: text + request.text,
          target,
          signal,
        });
        if (typeof ran === "string") {
          problems.push(`${path}: ${ran}`);
          continue;
        }
        const own = ran.workloads.find(
          ({ file, found }) => file === request.file && found.spec.kernel === request.kernel,
        );
        if (own !== undefined)
          return succeed({ spec: own.found.spec, unknowns: [], specFolder: own.found.specFolder });
        const lastLine = last(ran.output.trimEnd().split("\n"));
        problems.push(
          `${path} ended with ${ran.code} after ${ran.launches} launches, none of them usable for ${request.kernel}${lastLine === "" ? "" : ` (${lastLine})`}`,
        );
      }
      return fail(
        problems.length > 0 ? problems.join("; ") : "no script or test of the workspace launches it",
      );
    },
  };
}

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { fail, succeed } from "../../../core/base/outcome";
import { OperationalError } from "../../../core/base/operational-error";
import type { CapturedProgram, CaptureService } from "../services";
import type { WorkloadFinder, WorkloadRequest } from "./finders";

/** A program that nobody asked for by name may run this long. */
const mostSeconds = 120;

/** Host code that begins a program. Comments are not looked at: a run without launches says the same. */
const mainFunction = /^[ \t]*(?:int|auto|signed)[ \t\n]+main[ \t]*\(/m;

/**
 * The program in the kernel's own file: it is run once, without arguments and input, and shows the launches.
 */
export function ownProgram(captures: CaptureService): WorkloadFinder {
  const programs = new Map<string, Promise<CapturedProgram>>();
  return {
    looksFor: "a program in the file",
    find: async (request) => {
      if (!/\.(?:cu|cpp)$/.test(request.file) || !mainFunction.test(request.text))
        return fail(`${request.file} has no main()`);
      const ran = await runOnce(programs, captures, request);
      if (typeof ran === "string") return fail(ran);
      const own = ran.workloads.find(({ found }) => found.spec.kernel === request.kernel);
      if (own !== undefined)
        return succeed({ spec: own.found.spec, unknowns: [], specFolder: own.found.specFolder });
      return fail(
        `its program ended with ${ran.code} after ${ran.launches} launches, none of them usable for ${request.kernel}${ran.notes.map((note) => `; ${note}`).join("")}`,
      );
    },
  };
}

/** The program's run; a text is why there is none. Equal texts are run once. */
export async function runOnce(
  programs: Map<string, Promise<CapturedProgram>>,
  captures: CaptureService,
  { file, text, target, signal }: Omit<WorkloadRequest, "kernel">,
): Promise<CapturedProgram | string> {
  const limit = AbortSignal.timeout(mostSeconds * 1000);
  const key = JSON.stringify([file, target.architecture, text]);
  const nothing = openSync(devNull, "r+");
  const running =
    programs.get(key) ??
    captures.capture({
      file,
      arguments: [],
      compileOptions: [],
      target,
      descriptors: [nothing, nothing, nothing],
      signal: AbortSignal.any([signal, limit]),
    });
  programs.set(key, running);
  try {
    return await running;
  } catch (thrown) {
    programs.delete(key);
    if (!(thrown instanceof OperationalError) || signal.aborted) throw thrown;
    return limit.aborted ? `its program did not end within ${mostSeconds} s` : thrown.message;
  } finally {
    closeSync(nothing);
  }
}

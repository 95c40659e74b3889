import { relative, sep } from "node:path";
import { realpathSync } from "node:fs";
import { entry } from "../../../core/base/known";
import type { MissedLaunch, RecordedCall, SeenCall } from "../../../core/workload/capture/recorded-call";
import { specOfCalls } from "../../../core/workload/capture/spec-of-calls";
import type { Identity } from "../../../core/ports/identity";
import type { Recordings } from "../../../core/ports/recordings";
import type { CapturedWorkload, CaptureRequest } from "../services";
import { commonFolder } from "../sources/draw-in";
import { recordedSpec } from "./recorded-spec";

export interface PythonWorkloadOptions {
  readonly workspaceFolder: string;
  readonly recordings: Recordings;
  readonly identity: Pick<Identity, "sha256">;
}

/** What was recorded of a program. */
interface Recorded {
  readonly calls: readonly RecordedCall[];
  readonly missed: readonly MissedLaunch[];
}

/** Workloads of the Triton kernels that a Python program launched, and why a kernel has none. */
export async function pythonWorkloads(
  { workspaceFolder, recordings, identity }: PythonWorkloadOptions,
  request: CaptureRequest,
  { calls, missed }: Recorded,
): Promise<{ readonly workloads: readonly CapturedWorkload[]; readonly notes: readonly string[] }> {
  const root = realpathSync(workspaceFolder);
  const inWorkspace = (path: string): string => relative(root, path).split(sep).join("/");
  const program = programFile(request.file);
  const workloads: CapturedWorkload[] = [];
  const notes: string[] = [];
  for (const { kernel, file } of kernelsOf(calls)) {
    const source = inWorkspace(file);
    const own = calls.filter(({ kernels }) =>
      kernels.some((each) => each.kernel === kernel && each.file === file),
    );
    const folder = [program, ...own.map((call) => inWorkspace(call.file))].reduce(
      (sofar, path) => commonFolder(`${sofar}/x`, path),
      folderOf(source),
    );
    const inFolder = (path: string): string => (folder === "" ? path : path.slice(folder.length + 1));
    const made = specOfCalls(
      {
        file: inFolder(source),
        kernel,
        program: { file: inFolder(program), arguments: request.arguments, compileOptions: [] },
        pathOf: (path) => inFolder(inWorkspace(path)),
        calls: own,
      },
      (bytes) => identity.sha256(bytes),
    );
    if (!made.ok) {
      notes.push(`${kernel}: ${made.problem}`);
      continue;
    }
    for (const content of made.value.contents) await recordings.keep(content);
    const { spec, leftOut, largest } = made.value;
    workloads.push({
      ...(largest.isLaunch ? {} : { call: seenCall(largest, inWorkspace(largest.file)) }),
      found: recordedSpec(spec, { folder, source, kernel }),
      kernel,
      file: source,
      launches: spec.shapes.reduce((sum, { weight }) => sum + (weight ?? 1), 0),
      leftOut,
    });
  }
  const told = new Set(kernelsOf(calls).map(({ kernel, file }) => `${file}::${kernel}`));
  for (const { kernel, file, reason } of missed)
    if (!told.has(`${file}::${kernel}`)) notes.push(`${kernel}: its launches cannot be recorded: ${reason}`);
  return { workloads, notes };
}

function seenCall({ call, numbers, inputs, values }: RecordedCall, file: string): SeenCall {
  return {
    file,
    call,
    numbers,
    inputs: inputs.map(({ name, dtype, shape }) => ({ name, dtype, shape, values: entry(values, name) })),
  };
}

/** The file of a program that may be one test of it: `FILE.py::TEST`. */
export function programFile(program: string): string {
  return program.replace(/::.*$/, "");
}

function kernelsOf(calls: readonly RecordedCall[]): RecordedCall["kernels"] {
  const all = calls.flatMap(({ kernels }) => kernels);
  return [...new Map(all.map((each) => [`${each.file}::${each.kernel}`, each])).values()];
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

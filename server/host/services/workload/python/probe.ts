import { isJsonObject, type Json, type JsonObject } from "../../../../core/base/json";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { ParameterFacts } from "../../../../core/language/facts";
import type { InferredSpec } from "../../../../core/language/inference";
import { baselineUnknown } from "../../../../core/language/spec-draft";
import type { EntryProbe } from "../../../../core/ports/entry-probe";
import type { FileReader } from "../../../../core/ports/files";
import type { SeenCall } from "../../../../core/workload/capture/recorded-call";
import { statedNumbers } from "../../../../core/workload/probe/stated-sizes";
import { parseKernelSpec } from "../../../../core/workload/spec-parse";
import { commonFolder, drawIn } from "../../sources/draw-in";
import type { FoundWorkload, WorkloadRequest } from "../finders";
import type { PythonFile } from "./callers";
import type { RecordedWorkload } from "./program";

const mostFiles = 2000;

/** The call that a program was seen to make, with its sizes and others; as it was where only that runs. */
export async function withOtherSizes(
  parts: ProbeParts,
  request: WorkloadRequest,
  { workload, call }: RecordedWorkload,
): Promise<FoundWorkload> {
  const text = call === undefined ? undefined : await parts.files.read(call.file);
  if (call === undefined || text === undefined) return workload;
  const found = await probe({ ...parts, recorded: call }, request, { path: call.file, text });
  if (!found.ok) return workload;
  return workload.complaint === undefined ? found.value : { ...found.value, complaint: workload.complaint };
}

interface ProbeParts {
  readonly files: FileReader;
  readonly prober: EntryProbe;
  /** Of the kernel. */
  readonly parameters: readonly ParameterFacts[];
  readonly recorded?: SeenCall;
}

/** Calls code of a file that launches the kernel, with made-up tensors or as it was seen; gives a spec. */
export async function probe(
  { files, prober, parameters, recorded }: ProbeParts,
  request: WorkloadRequest,
  caller: PythonFile,
): Promise<Outcome<FoundWorkload, string>> {
  const { file, text, kernel, target, signal } = request;
  const specFolder = commonFolder(file, caller.path);
  const tree = await drawIn(
    files,
    { [file]: text, [caller.path]: caller.text },
    { root: specFolder, includeFolders: [] },
    (sofar) => Object.keys(sofar).length < mostFiles,
  );
  const probed = await prober.probe({
    file: caller.path,
    tree,
    kernel,
    parameters: parameters.map(({ name }) => name),
    pointers: parameters.filter(({ pointer }) => pointer).map(({ name }) => name),
    ...(recorded === undefined ? {} : { recorded }),
    stated: statedNumbers(caller.text),
    target,
    signal,
  });
  if (!probed.ok) return probed;
  const spec = specOf({ ...request, specFolder }, caller.path, probed.value);
  return spec.ok ? succeed({ ...spec.value, specFolder }) : spec;
}

/** What a candidate's process said is read as a user's file would be. */
function specOf(
  { file, kernel, specFolder }: WorkloadRequest & { readonly specFolder: string },
  caller: string,
  found: JsonObject,
): Outcome<InferredSpec, string> {
  const inFolder = (path: string): string => (specFolder === "" ? path : path.slice(specFolder.length + 1));
  const parsed = parseKernelSpec(
    JSON.stringify({
      version: 1,
      kernel: `${inFolder(file)}::${kernel}`,
      entry: { call: `${inFolder(caller)}::${String(found["call"])}` },
      inputs: found["inputs"] ?? {},
      outputs: found["outputs"] ?? {},
      shapes: found["shapes"] ?? [],
      reference: "baseline",
      origins: found["origins"] ?? {},
    }),
  );
  if (!parsed.ok) return fail(parsed.problem.map(({ message }) => message).join("; "));
  const told: readonly Json[] = Array.isArray(found["unknowns"]) ? found["unknowns"] : [];
  const unknowns = told
    .filter(isJsonObject)
    .map(({ path, sentence }) => ({ path: String(path), sentence: String(sentence) }));
  return succeed({ spec: parsed.value, unknowns: [...unknowns, baselineUnknown] });
}

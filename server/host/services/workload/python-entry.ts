import { isJsonObject, type Json, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { InferredSpec } from "../../../core/language/inference";
import { findKernels, withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import { baselineUnknown } from "../../../core/language/spec-draft";
import type { EntryProbe } from "../../../core/ports/entry-probe";
import type { FileReader } from "../../../core/ports/files";
import { parseKernelSpec } from "../../../core/workload/spec-parse";
import { drawIn } from "../sources/draw-in";
import type { WorkloadFinder, WorkloadRequest } from "./finders";

const mostFiles = 300;

/** The Python code of the kernel's own file that launches it, called for real with made-up tensors. */
export function pythonEntry(
  files: FileReader,
  grammars: () => Promise<Grammars>,
  prober: EntryProbe,
): WorkloadFinder {
  return {
    looksFor: "Python code that launches the kernel",
    find: async (request) => {
      const { file, text, kernel, target, signal } = request;
      if (!file.endsWith(".py")) return fail(`${file} is no Python file`);
      const pointers = withSource(await grammars(), file, text, (source) =>
        findKernels(source)
          .filter(({ name }) => name === kernel)
          .flatMap(({ parameters }) => parameters.filter(({ pointer }) => pointer).map(({ name }) => name)),
      );
      const tree = await drawIn(
        files,
        { [file]: text },
        { root: folderOf(file), includeFolders: [] },
        (sofar) => Object.keys(sofar).length < mostFiles,
      );
      try {
        const probed = await prober.probe({ file, tree, kernel, pointers: pointers ?? [], target, signal });
        if (probed.ok) return specOf(request, probed.value);
        throw new OperationalError("spec-invalid", {
          forUser: `${file} has no kernel spec, and no call of its code was found that runs ${kernel}: ${probed.problem}. Write ${file.slice(file.lastIndexOf("/") + 1)}.kernel.json beside it, with the call as its entry.`,
        });
      } catch (thrown) {
        // Without torch the text alone has to do.
        if (thrown instanceof OperationalError && thrown.code === "tool-missing") return fail(thrown.message);
        throw thrown;
      }
    },
  };
}

/** What a candidate's process said is read as a user's file would be. */
function specOf({ file, kernel }: WorkloadRequest, found: JsonObject): Outcome<InferredSpec, string> {
  const base = file.slice(file.lastIndexOf("/") + 1);
  const parsed = parseKernelSpec(
    JSON.stringify({
      version: 1,
      kernel: `${base}::${kernel}`,
      entry: { call: `${base}::${String(found["call"])}` },
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

function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
}

import { resolve } from "node:path";
import type { Target } from "../../../../core/timing/target";
import type { KernelProfile } from "../../../../core/words/profile";
import type { ServerContext } from "../../context";
import { textOnDisk, uriOfPath } from "../../uris";
import { programFacts } from "../../views/program/convert-program-facts";

/** Where a program was run, and for which GPU it was counted. */
interface RunPlace {
  readonly folder: string;
  readonly target: Target;
}

/** Lets the editor know what a profiled program's lines cost: one view for each of its files. */
export async function tellProgramFacts(
  context: ServerContext,
  kernels: readonly KernelProfile[],
  place: RunPlace,
): Promise<void> {
  const files = new Set(kernels.flatMap(({ counters }) => counters.lines.map(({ file }) => file)));
  for (const file of files) {
    // A header of the toolkit that cannot be read here has no lines to show.
    const text = await textOnDisk(uriOfPath(resolve(place.folder, file)));
    const own = kernels.filter(({ counters }) => counters.lines.some((line) => line.file === file));
    if (text !== undefined) tellFile(context, { file, text, kernels: own }, place);
  }
}

/** A file as it was counted, and the kernels that run lines of it. */
interface CountedFile {
  readonly file: string;
  readonly text: string;
  readonly kernels: readonly KernelProfile[];
}

function tellFile(
  context: ServerContext,
  { file, text, kernels }: CountedFile,
  { folder, target }: RunPlace,
): void {
  const uri = uriOfPath(resolve(folder, file));
  const document = context.documents.get(uri);
  const named = document?.text === text ? document.findKernels() : [];
  const facts = programFacts(kernels, { uri, file, text, target, named });
  if (facts === undefined) return;
  context.lineCounters.set(uri, {
    digest: facts.textDigest,
    kernels: [],
    lines: kernels.flatMap(({ counters }) => counters.lines.filter((line) => line.file === file)),
    profiles: kernels,
    target,
  });
  context.background("facts", context.connection.sendNotification("kernelwright/facts", facts));
}

import { posix } from "node:path";
import { OperationalError } from "../../../../core/base/operational-error";
import { gpuOfTarget } from "../../../../core/timing/gpu-model";
import { cpuProfileOf } from "../../../../core/words/cpu-profile";
import { summarizeProfile } from "../../../../core/words/profile";
import type { Handler } from "../handler";
import { uriOfSource } from "../judged";

/** What was counted last of a file's lines, as a CPU profile. Nothing is run for it. */
export const cpuProfile: Handler<"kernelwright/cpuProfile"> = async (context, { uri }) => {
  const { folder, file } = await context.workspaces.placeOf(uri);
  const { lineCounters } = context;
  // Clients write the addresses of some files in another way than we do.
  const counted = lineCounters.get(uri) ?? lineCounters.get(context.workspaces.uriOf(folder, file));
  if (counted === undefined || counted.profiles.length === 0)
    throw new OperationalError("usage", {
      forUser: `Nothing was counted of the lines of ${file} yet: profile a kernel of it, or its program, first.`,
    });
  const gpu = gpuOfTarget(counted.target);
  const profile = cpuProfileOf(
    counted.profiles.map((kernel) => summarizeProfile(kernel, gpu)),
    (source) => uriOfSource(context, uri, source),
  );
  return { text: `${JSON.stringify(profile)}\n`, fileName: `${posix.basename(file)}.cpuprofile` };
};

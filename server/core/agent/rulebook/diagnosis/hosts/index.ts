import { repeatedAllocations } from "./allocations";
import { handedThrough } from "./handed-through";
import { hostWaits, launchLoop } from "./host-loops";
import { copiesWithin, copyingKernel } from "./copies-within";
import type { Diagnosis } from "../measured";
import { recompiledSizes, retunedSizes } from "./recompiled";
import { manyLaunches, repeatedInput } from "./repeated";
import { torchCasts, torchCopies, torchOperations } from "./torch-operations";
import { unfusedLaunches } from "./unfused";
import { unfusedPrograms } from "./unfused-programs";

/** What several launches cost, and the host between them, by the identifiers of diagnoses.json. */
export const launchesDiagnoses: Readonly<Record<string, Diagnosis>> = {
  "unfused-launches": (measured) => [...unfusedLaunches(measured), ...unfusedPrograms(measured)],
  "handed-through": handedThrough,
  "repeated-input": repeatedInput,
  "many-launches": manyLaunches,
  "launch-loop": launchLoop,
  "device-copies": (measured, entry) => [...copiesWithin(measured, entry), ...copyingKernel(measured)],
  "host-waits": hostWaits,
  "repeated-allocations": repeatedAllocations,
  "recompiled-sizes": recompiledSizes,
  "retuned-sizes": retunedSizes,
  "torch-operations": torchOperations,
  "torch-copies": torchCopies,
  "torch-casts": torchCasts,
};

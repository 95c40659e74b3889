import { hostWaits, launchLoop } from "./host-loops";
import type { Diagnosis } from "./measured";
import { manyLaunches, repeatedInput } from "./repeated";
import { unfusedLaunches } from "./unfused";

/** What several launches cost, and the host between them, by the identifiers of diagnoses.json. */
export const launchesDiagnoses: Readonly<Record<string, Diagnosis>> = {
  "unfused-launches": unfusedLaunches,
  "repeated-input": repeatedInput,
  "many-launches": manyLaunches,
  "launch-loop": launchLoop,
  "host-waits": hostWaits,
};

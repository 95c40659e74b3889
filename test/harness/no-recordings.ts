import type { Recordings } from "../../server/core/ports/recordings";

/** For tests whose kernels have no recorded inputs: asking for one is a fault of the test. */
export const noRecordings: Recordings = {
  load: (hash) => Promise.reject(new Error(`nothing was recorded, but ${hash} was asked for`)),
  keep: () => Promise.reject(new Error("nothing is recorded here")),
};

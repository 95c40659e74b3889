import type { Bench } from "../bench";
import { kernelIndexMeasurements } from "./kernel-index";
import { pageMeasurements } from "./page";
import { typingMeasurements } from "./typing";

/** What a user of the editor waits for: their own typing, the list of kernels, and the page of a session. */
export const editorBench: Bench = {
  name: "editor",
  run: async () => [
    ...(await typingMeasurements()),
    ...(await kernelIndexMeasurements()),
    ...(await pageMeasurements()),
  ],
};

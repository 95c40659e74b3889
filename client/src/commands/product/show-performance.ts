import { kernelFrom } from "../arguments";
import type { Command } from "../command";
import { settleUnsaved } from "../running/unsaved";

/** Roofline, resources, memory and one multiprocessor over time, on a page of its own. */
export const showPerformance: Command = {
  id: "kernelwright.showPerformance",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    parts.performance.open(kernel);
  },
};

import { kernelFrom } from "../arguments";
import type { Command } from "../command";
import { followRun } from "./follow-run";
import { settleUnsaved } from "./unsaved";

export const optimize: Command = {
  id: "kernelwright.optimize",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const { sessionId } = await parts.connection.request("kernelwright/optimize", kernel);
    await followRun(parts, sessionId);
  },
};

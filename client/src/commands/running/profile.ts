import { l10n, window } from "vscode";
import { kernelFrom } from "../arguments";
import { tickStep } from "../../starting/walkthrough";
import type { Command } from "../command";
import { settleUnsaved } from "./unsaved";

/** The facts stand on the lines; the sentence need not stay. */
const shownMilliseconds = 15_000;

export const profile: Command = {
  id: "kernelwright.profile",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const result = await parts.tasks.run(l10n.t("Profiling {0}", kernel.kernel), (token) =>
      parts.connection.request("kernelwright/profile", kernel, token),
    );
    if (result === undefined) return;
    tickStep("didProfile");
    window.setStatusBarMessage(`$(graph) ${result.summary}`, shownMilliseconds);
  },
};

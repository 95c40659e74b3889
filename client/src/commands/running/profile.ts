import { commands, l10n, Uri, window } from "vscode";
import type { KernelParams, ProfileRefusal } from "../../../../server/protocol/requests";
import { buttonsFor } from "../../messages";
import { reveal } from "../../review/conflict-message";
import { kernelFrom } from "../arguments";
import { tickStep } from "../../starting/walkthrough";
import type { Command } from "../command";
import { withCasesTold } from "./cases-told";
import { settleUnsaved } from "./unsaved";

/** The facts stand on the lines; the sentence need not stay. */
const shownMilliseconds = 15_000;

export const profile: Command = {
  id: "kernelwright.profile",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const title = l10n.t("Profiling {0}", kernel.kernel);
    const result = await withCasesTold(parts, title, { method: "kernelwright/profile", kernel });
    if (result === undefined) return;
    if (result.refusal !== null) {
      tellRefusal(kernel, result.summary, result.refusal);
      return;
    }
    tickStep("didProfile");
    window.setStatusBarMessage(`$(graph) ${statusText(result.summary)}`, shownMilliseconds);
  },
};

/**
 * What the status bar has room for, which cuts the end: it names the GPU elsewhere, and the numbers of the
 * line stand on it.
 */
function statusText(summary: string): string {
  return summary.replace(/ on [^·(]*(?=\()/, " ").replace(/( · [^:·]+: [^:·]+): [^·]*$/, "$1");
}

/** Says why there is no profile, with the one thing to do: mend the guess, or the line that failed. */
function tellRefusal(kernel: KernelParams, summary: string, { isGuess, place }: ProfileRefusal): void {
  if (isGuess) {
    const setUp = l10n.t("Set Up");
    void window
      .showInformationMessage(summary, setUp)
      .then((chosen) =>
        chosen === undefined ? undefined : commands.executeCommand("kernelwright.createSpec", kernel),
      );
    return;
  }
  const choices = place === null ? [] : [l10n.t("Show Line")];
  void window
    .showWarningMessage(summary, ...buttonsFor(summary, choices))
    .then((chosen) =>
      chosen === undefined || place === null ? undefined : reveal(Uri.parse(place.uri), place.line - 1),
    );
}

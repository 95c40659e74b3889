import { l10n } from "vscode";
import { candidateName } from "../../../webview/common/candidates";
import { complain } from "../arguments";
import type { Command } from "../command";
import { followRun } from "../running/follow-run";
import { settleUnsaved } from "../running/unsaved";
import { candidateFrom, noCandidate } from "./candidates";

/** A new run whose first version has the changes of a candidate, dropped ones too. */
export const continueFromCandidate: Command = {
  id: "kernelwright.continueFromCandidate",
  runsCode: true,
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    const { files } = await parts.connection.request("kernelwright/candidate", {
      ...candidate,
      against: "baseline",
    });
    for (const { uri } of files) if (!(await settleUnsaved(uri))) return;
    const title = l10n.t("Continuing from {0}", candidateName(candidate.candidate));
    const begun = await parts.tasks.run(title, (token) =>
      parts.connection.request("kernelwright/continueFrom", candidate, token),
    );
    if (begun !== undefined) await followRun(parts, begun.sessionId);
  },
};

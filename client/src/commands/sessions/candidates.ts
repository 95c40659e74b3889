import { commands, l10n, Uri, workspace } from "vscode";
import type { CandidateParams } from "../../../../server/protocol/requests";
import { candidateAddress } from "../../documents/candidate-documents";
import { complain, hasTexts } from "../arguments";
import type { Command, Parts } from "../command";

/** The candidate of a row of a tree. */
export function candidateFrom(
  argument: unknown,
): { readonly sessionId: string; readonly candidate: string } | undefined {
  if (!hasTexts(argument, "sessionId")) return undefined;
  const row: unknown = Reflect.get(argument, "candidate");
  return hasTexts(row, "id") ? { sessionId: argument.sessionId, candidate: row.id } : undefined;
}

export const noCandidate = l10n.t("Choose a candidate in the Kernelwright view.");

/** What a candidate changes, dropped ones too: against the baseline. */
export const openCandidate: Command = {
  id: "kernelwright.openCandidate",
  run: async (parts, argument) => showChanges(parts, argument, "baseline"),
};

/** What a candidate changes of the one that it was made from. */
export const compareWithParent: Command = {
  id: "kernelwright.compareWithParent",
  run: async (parts, argument) => showChanges(parts, argument, "parent"),
};

/** The verdict on a candidate: cases, terms of the bound, what the compiler says. */
export const showVerdict: Command = {
  id: "kernelwright.showVerdict",
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    await showDetail(parts, { ...candidate, against: "baseline" });
  },
};

/** Makes a candidate the proposal under review, and shows it. */
export const proposeCandidate: Command = {
  id: "kernelwright.proposeCandidate",
  runsCode: true,
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    const title = l10n.t("Checking candidate {0}", candidate.candidate);
    const proposal = await parts.tasks.run(title, (token) =>
      parts.connection.request("kernelwright/adopt", candidate, token),
    );
    if (proposal !== undefined) await parts.desk.open(candidate.sessionId);
  },
};

async function showChanges(
  parts: Parts,
  argument: unknown,
  against: CandidateParams["against"],
): Promise<void> {
  const named = candidateFrom(argument);
  if (named === undefined) return complain(noCandidate);
  const candidate: CandidateParams = { ...named, against };
  const { files } = await parts.connection.request("kernelwright/candidate", candidate);
  const sides = files.map(
    ({ uri }) =>
      [
        Uri.parse(uri),
        candidateAddress(candidate, uri, "base"),
        candidateAddress(candidate, uri, "proposed"),
      ] as const,
  );
  const [only] = sides;
  if (only === undefined) return showDetail(parts, candidate);
  const before = against === "parent" ? l10n.t("parent") : l10n.t("baseline");
  const title = l10n.t(
    "{0}: {1} ↔ candidate {2}",
    workspace.asRelativePath(only[0]),
    before,
    candidate.candidate,
  );
  if (sides.length > 1) await commands.executeCommand("vscode.changes", title, sides);
  else await commands.executeCommand("vscode.diff", only[1], only[2], title, { preview: true });
}

async function showDetail(parts: Parts, candidate: CandidateParams): Promise<void> {
  const { detail } = await parts.connection.request("kernelwright/candidate", candidate);
  await parts.reports.showPage(l10n.t("Candidate {0}", candidate.candidate), detail);
}

import { commands, l10n, Uri, window, workspace } from "vscode";
import type { CandidateParams } from "../../../../server/protocol/requests";
import { candidateName } from "../../../webview/common/candidates";
import { stateWord } from "../../../webview/common/status-words";
import { candidateAddress } from "../../documents/candidate-documents";
import { candidateTitle } from "../../sessions/session-words";
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

/** What a candidate changes of another one that the user picks. */
export const compareWithCandidate: Command = {
  id: "kernelwright.compareWithCandidate",
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    const { candidates } = await parts.feed.whole(candidate.sessionId);
    const others = candidates.filter(({ id }) => id !== candidate.candidate);
    if (others.length === 0) return complain(l10n.t("This session has no other candidate."));
    const items = others.map((other) => ({
      label: candidateTitle(other),
      description: `${candidateName(other.id)} · ${stateWord(other.state)}`,
      id: other.id,
    }));
    const placeHolder = l10n.t("Compare {0} with which candidate?", candidateName(candidate.candidate));
    const chosen = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
    if (chosen !== undefined) await showChanges(parts, argument, chosen.id);
  },
};

/** The kernel's file as a candidate has it, dropped ones too. */
export const openCandidateSource: Command = {
  id: "kernelwright.openCandidateSource",
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    const params: CandidateParams = { ...candidate, against: "nothing" };
    const { files } = await parts.connection.request("kernelwright/candidate", params);
    const { file } = await parts.feed.whole(candidate.sessionId);
    const source = files.find((each) => each.file === file) ?? files[0];
    if (source === undefined) return complain(l10n.t("The log holds no file of this candidate."));
    const address = candidateAddress(params, source.uri, "proposed");
    await window.showTextDocument(address, { preview: true });
  },
};

/** The verdict on a candidate: cases, terms of the bound, counters, what the compiler says. */
export const showVerdict: Command = {
  id: "kernelwright.showVerdict",
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    await showDetail(parts, { ...candidate, against: "baseline" });
  },
};

/** Pictures of what a candidate does to a GPU, beside its baseline. */
export const showCandidatePerformance: Command = {
  id: "kernelwright.showCandidatePerformance",
  run: (parts, argument) => {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) complain(noCandidate);
    else parts.performance.open(candidate);
    return Promise.resolve();
  },
};

/** Makes a candidate the proposal under review, and shows it. */
export const proposeCandidate: Command = {
  id: "kernelwright.proposeCandidate",
  runsCode: true,
  async run(parts, argument) {
    const candidate = candidateFrom(argument);
    if (candidate === undefined) return complain(noCandidate);
    const title = l10n.t("Checking {0}", candidateName(candidate.candidate));
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
  const before = against === "parent" ? l10n.t("parent") : candidateName(against);
  const title = l10n.t(
    "{0}: {1} ↔ {2}",
    workspace.asRelativePath(only[0]),
    before,
    candidateName(candidate.candidate),
  );
  if (sides.length > 1) await commands.executeCommand("vscode.changes", title, sides);
  else await commands.executeCommand("vscode.diff", only[1], only[2], title, { preview: true });
}

async function showDetail(parts: Parts, candidate: CandidateParams): Promise<void> {
  const { detail } = await parts.connection.request("kernelwright/candidate", candidate);
  await parts.reports.showPage(titleOf(candidate.candidate), detail);
}

/** `Candidate 3` for a tab. */
function titleOf(candidate: string): string {
  const name = candidateName(candidate);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

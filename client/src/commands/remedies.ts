import { commands, FileType, l10n, Uri, workspace } from "vscode";
import type { RequestErrorData } from "../../../server/protocol/requests";
import { reveal } from "../review/conflict-message";

/** What a message about a failure offers to do. */
interface Remedy {
  readonly title: string;
  act(): Thenable<unknown>;
}

/** Commands that mend a failure, or show what is amiss, by the server's code for it. */
const commandsByCode: { readonly [code: string]: () => readonly [title: string, command: string] } = {
  "tool-missing": () => [l10n.t("Doctor"), "kernelwright.doctor"],
  "target-unknown": () => [l10n.t("Select Target"), "kernelwright.selectTarget"],
  "transport-failed": () => [l10n.t("Select Target"), "kernelwright.selectTarget"],
  "model-unavailable": () => [l10n.t("Select Model"), "kernelwright.selectModel"],
  "model-refused-credentials": () => [l10n.t("Change Key"), "kernelwright.setModelKey"],
  "workspace-untrusted": () => [l10n.t("Manage Workspace Trust"), "workbench.trust.manage"],
};

/** The one thing to do about a failed request; undefined where nobody knows one. */
export function remedyFor(error: unknown): Remedy | undefined {
  const data = dataOf(error);
  if (data === undefined) return undefined;
  const { code, place, recordAgain } = data;
  if (recordAgain !== undefined)
    return {
      title: l10n.t("Record Again"),
      act: () => commands.executeCommand("kernelwright.record", recordAgain),
    };
  if (place !== undefined) return { title: l10n.t("Open File"), act: () => openPlace(place) };
  if (!Object.hasOwn(commandsByCode, code)) return undefined;
  const [title, command] = commandsByCode[code]?.() ?? [];
  if (title === undefined || command === undefined) return undefined;
  return { title, act: () => commands.executeCommand(command) };
}

function dataOf(error: unknown): RequestErrorData | undefined {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  const isOurs = typeof data === "object" && data !== null && "code" in data;
  return isOurs && typeof data.code === "string" ? (data as RequestErrorData) : undefined;
}

/** Shows a line of the first folder of the workspace that has the file. */
async function openPlace({ file, line }: NonNullable<RequestErrorData["place"]>): Promise<void> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const candidate = Uri.joinPath(uri, file);
    const isThere = await workspace.fs.stat(candidate).then(
      ({ type }) => type !== FileType.Directory,
      () => false,
    );
    if (isThere) return reveal(candidate, line - 1);
  }
}

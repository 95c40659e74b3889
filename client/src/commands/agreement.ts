import { ConfigurationTarget, l10n, window, workspace } from "vscode";

/** True for the server's refusal to run candidates on a machine that has no walls for them. */
export function isWallsMissing(error: unknown): error is Error {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  return typeof data === "object" && data !== null && "code" in data && data.code === "walls-missing";
}

/**
 * Asks, with the server's own words for what is at stake, whether candidates may run on this machine without
 * walls. A yes is kept for the machine, never for a workspace; a no changes nothing.
 */
export async function agreeToDoWithoutWalls(refusal: Error): Promise<boolean> {
  const agree = l10n.t("Run Without Walls on This Machine");
  const question = l10n.t("Run candidates that can read and change your files?");
  const chosen = await window.showWarningMessage(question, { modal: true, detail: refusal.message }, agree);
  if (chosen !== agree) return false;
  await workspace
    .getConfiguration("kernelwright")
    .update("allowUnwalledCandidates", true, ConfigurationTarget.Global);
  return true;
}

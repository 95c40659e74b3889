import { commands, l10n, window, workspace } from "vscode";

/**
 * Asked before every command that compiles or runs something of the workspace: commands stay callable in
 * Restricted Mode even where menus hide them. Says why nothing happens, and offers the editor's own page
 * about trust.
 */
export function isAllowedToRun(): boolean {
  if (workspace.isTrusted) return true;
  const manage = l10n.t("Manage Workspace Trust");
  const message = l10n.t(
    "Kernelwright compiles and runs code of this folder only when you trust it. Finding kernels and reading sessions work without.",
  );
  void window
    .showWarningMessage(message, manage)
    .then((chosen) => (chosen === manage ? commands.executeCommand("workbench.trust.manage") : undefined));
  return false;
}

import * as vscode from "vscode";

/** Called by VS Code when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand("kernelwright.showVersion", async () => {
      const { version } = context.extension.packageJSON as { version: string };
      await vscode.window.showInformationMessage(`Kernelwright ${version}`);
      return version;
    }),
  );
}

import { type ExtensionContext, l10n } from "vscode";
import { speak } from "../webview/common/localized";
import { compose, type Kernelwright } from "./compose";

let running: Kernelwright | undefined;

/**
 * Called once by VS Code. Wires the parts and returns at once: the language server starts when something
 * first needs it.
 */
export function activate(context: ExtensionContext): void {
  speak(l10n.bundle ?? {});
  running = compose(context);
}

/** Called by VS Code before the window goes: ends the language server and everything that it started. */
export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

import { equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { EditorCase } from "../editor-case";

/** Our extension as VS Code has it. */
function ourExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension("kernelwright.kernelwright");
  ok(extension, "VS Code does not have the extension kernelwright.kernelwright");
  return extension;
}

export const activationCases: readonly EditorCase[] = [
  {
    name: "the extension activates",
    run: async () => {
      await ourExtension().activate();
      equal(ourExtension().isActive, true);
    },
  },
  {
    name: "every command of the manifest is registered",
    run: async () => {
      await ourExtension().activate();
      const { contributes } = ourExtension().packageJSON as { contributes?: { commands?: readonly { command: string }[] } };
      const registered = new Set(await vscode.commands.getCommands(true));
      const missing = (contributes?.commands ?? []).map(({ command }) => command).filter((command) => !registered.has(command));
      equal(missing.join(", "), "");
    },
  },
  {
    name: "CUDA sources have the language that VS Code itself gives them",
    run: async () => {
      const document = await vscode.workspace.openTextDocument({ language: "cuda-cpp", content: "__global__ void empty() {}\n" });
      equal(document.languageId, "cuda-cpp");
    },
  },
];

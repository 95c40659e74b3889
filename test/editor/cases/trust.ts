import { deepEqual, equal } from "node:assert/strict";
import { readdirSync } from "node:fs";
import * as vscode from "vscode";
import type { EditorCase } from "../editor-case";
import { lensArgument, show } from "../editor-window";

/** Sessions kept so far in the folder that the suite has set. */
function keptSessions(): readonly string[] {
  const folder = vscode.workspace.getConfiguration("kernelwright").get<string>("sessionsFolder", "");
  return readdirSync(folder);
}

export const trustCases: readonly EditorCase[] = [
  {
    name: "nothing runs in a restricted window, whoever calls the command",
    trusted: false,
    run: async () => {
      const { document } = await show("transpose.cu");
      const argument = await lensArgument(document, "Optimize");
      for (const command of [
        "kernelwright.optimize",
        "kernelwright.check",
        "kernelwright.profile",
        "kernelwright.resume",
        "kernelwright.doctor",
      ]) {
        await vscode.commands.executeCommand(command, argument);
      }
      deepEqual(keptSessions(), []);
    },
  },
  {
    name: "a restricted window does not take programs and hosts from the folder",
    trusted: false,
    run: async () => {
      const configuration = vscode.workspace.getConfiguration("kernelwright");
      await configuration.update("target", "ssh:evil", vscode.ConfigurationTarget.Workspace);
      equal(vscode.workspace.getConfiguration("kernelwright").get("target"), "vgpu:sm_80");
      await configuration.update("target", undefined, vscode.ConfigurationTarget.Workspace);
    },
  },
];

import { commands } from "vscode";
import type { Command } from "../command";

export const openWalkthrough: Command = {
  id: "kernelwright.openWalkthrough",
  async run() {
    await commands.executeCommand(
      "workbench.action.openWalkthrough",
      "kernelwright.kernelwright#kernelwright.start",
      false,
    );
  },
};

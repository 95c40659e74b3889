import { commands } from "vscode";
import type { Command } from "../command";

/** What can be tried on the sample, by the command that does it. */
const steps = ["check", "profile", "optimize"] as const;

/** Opens the sample kernel; `argument` is what the walkthrough then does with it, one of the steps. */
export const trySample: Command = {
  id: "kernelwright.trySample",
  async run(parts, argument) {
    const kernel = await parts.sample.open();
    const step = steps.find((each) => each === argument);
    if (step !== undefined) await commands.executeCommand(`kernelwright.${step}`, kernel);
  },
};

import { l10n, type QuickPickItem, window } from "vscode";
import type { CommandTargetView } from "../../../../server/protocol/requests";
import { complain } from "../arguments";
import type { Command, Parts } from "../command";
import { followRun } from "../running/follow-run";

interface TargetItem extends QuickPickItem {
  readonly target: CommandTargetView;
}

/** Begins a run on a target of kernelwright.json that has a number of its own. */
export const optimizeCommand: Command = {
  id: "kernelwright.optimizeCommand",
  runsCode: true,
  async run(parts) {
    const target = await chooseTarget(parts);
    if (target === undefined || !(await isAgreed(target))) return;
    const { folder, name, commands } = target;
    const asked = { folder, name, seen: commands };
    const { sessionId } = await parts.connection.request("kernelwright/optimizeCommand", asked);
    await followRun(parts, sessionId);
  },
};

async function chooseTarget(parts: Parts): Promise<CommandTargetView | undefined> {
  const targets = await parts.connection.request("kernelwright/commandTargets", {});
  if (targets.length === 0) {
    return complain(
      l10n.t(
        'No kernelwright.json of this workspace names a target with a command. Add one under "commands": how it is built, checked and measured.',
      ),
    );
  }
  const items = targets.map((target): TargetItem => ({
    label: target.name,
    detail: target.commands.join(" · "),
    target,
  }));
  const placeHolder = l10n.t("What should get a better number?");
  return (await window.showQuickPick(items, { placeHolder, matchOnDetail: true }))?.target;
}

/** Whether the user wants these commands to run; asked each time, as a file of the workspace names them. */
async function isAgreed({ name, commands }: CommandTargetView): Promise<boolean> {
  const run = l10n.t("Run These Commands");
  const question = l10n.t("Run the commands of “{0}”, behind walls, in a copy of the workspace?", name);
  const detail = commands.join("\n");
  return (await window.showWarningMessage(question, { modal: true, detail }, run)) === run;
}

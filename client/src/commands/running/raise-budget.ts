import { l10n, type QuickPickItem, window } from "vscode";
import type { BudgetView } from "../../../../server/protocol/requests";
import { amountsIn, amountsText, times } from "../../starting/budget-amounts";
import { settingOptions } from "../../starting/option-store";
import { budgetWords } from "../../starting/start-rows";
import type { Command } from "../command";
import { runFrom } from "./steer-run";

interface AmountItem extends QuickPickItem {
  /** Left out for the row that asks for amounts. */
  readonly more?: BudgetView;
}

/** A run gets more money, minutes, candidates, tokens and GPU minutes on top of what it has. */
export const raiseBudget: Command = {
  id: "kernelwright.raiseBudget",
  async run(parts, argument) {
    const sessionId = await runFrom(parts, argument);
    if (sessionId === undefined) return;
    const usual = settingOptions().budget;
    const chosen = await window.showQuickPick<AmountItem>(
      [
        {
          label: l10n.t("The budget of the settings once more"),
          description: budgetWords(usual),
          more: usual,
        },
        ...[0.5, 2].map((factor) => amount(times(usual, factor), factor)),
        { label: l10n.t("$(edit) Other amounts …") },
      ],
      { title: l10n.t("What comes on top of the run's budget?") },
    );
    if (chosen === undefined) return;
    const more =
      chosen.more ?? (await askForAmounts(l10n.t("US dollars, minutes and candidates on top"), usual));
    if (more === undefined) return;
    await parts.connection.request("kernelwright/raiseBudget", { sessionId, more });
    window.setStatusBarMessage(l10n.t("The run has {0} on top of what it had.", budgetWords(more)), 5000);
  },
};

function amount(more: BudgetView, factor: number): AmountItem {
  const label = factor < 1 ? l10n.t("Half of it") : l10n.t("Twice as much");
  return { label, description: budgetWords(more), more };
}

/** Asks for three to five numbers; undefined when the user steps back. */
export async function askForAmounts(title: string, usual: BudgetView): Promise<BudgetView | undefined> {
  const text = await window.showInputBox({
    title,
    value: amountsText(usual),
    prompt: l10n.t("Tokens and minutes of a real GPU may follow, where they are to be limited too."),
    validateInput: (value) =>
      amountsIn(value) === undefined
        ? l10n.t("Write three numbers, or up to five: 0.5, 10, 20, 200000, 5.")
        : undefined,
  });
  return text === undefined ? undefined : amountsIn(text);
}

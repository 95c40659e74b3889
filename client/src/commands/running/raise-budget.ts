import { l10n, type QuickPickItem, window } from "vscode";
import type { BudgetView } from "../../../../server/protocol/requests";
import { settingOptions } from "../../starting/option-store";
import { budgetWords } from "../../starting/start-rows";
import type { Command } from "../command";
import { runFrom } from "./steer-run";

interface AmountItem extends QuickPickItem {
  /** Left out for the row that asks for amounts. */
  readonly more?: BudgetView;
}

/** A run gets more money, minutes and candidates on top of what it has. */
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

function times({ usd, minutes, candidates }: BudgetView, factor: number): BudgetView {
  return { usd: usd * factor, minutes: minutes * factor, candidates: Math.ceil(candidates * factor) };
}

/** Asks for three numbers; undefined when the user steps back. */
export async function askForAmounts(
  title: string,
  { usd, minutes, candidates }: BudgetView,
): Promise<BudgetView | undefined> {
  const text = await window.showInputBox({
    title,
    value: [usd, minutes, candidates].join(", "),
    validateInput: (value) =>
      amountsIn(value) === undefined ? l10n.t("Write three numbers: 0.5, 10, 20.") : undefined,
  });
  return text === undefined ? undefined : amountsIn(text);
}

function amountsIn(text: string): BudgetView | undefined {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [usd = Number.NaN, minutes = Number.NaN, candidates = Number.NaN] = numbers;
  const areRight =
    numbers.length === 3 &&
    numbers.every((each) => Number.isFinite(each) && each >= 0) &&
    Number.isInteger(candidates);
  return areRight ? { usd, minutes, candidates } : undefined;
}

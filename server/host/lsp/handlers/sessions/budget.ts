import { t } from "../../../../core/base/localized";
import { OperationalError } from "../../../../core/base/operational-error";
import type { BudgetLimits, BudgetUsed } from "../../../../core/trajectory/events";
import type { ServerContext } from "../../context";

/** What a session may use by the settings. Throws `usage` where a limit is no number from zero on. */
export function budgetOfSettings({ settings }: ServerContext["client"]): BudgetLimits {
  const budget = {
    usd: settings["budget.usd"],
    minutes: settings["budget.minutes"],
    candidates: settings["budget.candidates"],
  };
  return requireLimits(
    budget,
    t`kernelwright.budget.* must be zero or a positive number. Correct the settings.`,
  );
}

/** A budget as it came in. Throws `usage`, with these words, where a limit is no number from zero on. */
export function requireLimits({ usd, minutes, candidates }: BudgetLimits, words: string): BudgetLimits {
  if ([usd, minutes, candidates].some((limit) => !Number.isFinite(limit) || limit < 0))
    throw new OperationalError("usage", { forUser: words });
  return { usd, minutes, candidates };
}

/** A budget on top of what was used before. */
export function onTopOf(used: BudgetUsed, budget: BudgetLimits): BudgetLimits {
  return {
    usd: used.usd + budget.usd,
    minutes: used.minutes + budget.minutes,
    candidates: used.candidates + budget.candidates,
  };
}

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
  if (Object.values(budget).some((limit) => !Number.isFinite(limit) || limit < 0))
    throw new OperationalError("usage", {
      forUser: "kernelwright.budget.* must be zero or a positive number. Correct the settings.",
    });
  return budget;
}

/** A budget on top of what was used before. */
export function onTopOf(used: BudgetUsed, budget: BudgetLimits): BudgetLimits {
  return {
    usd: used.usd + budget.usd,
    minutes: used.minutes + budget.minutes,
    candidates: used.candidates + budget.candidates,
  };
}

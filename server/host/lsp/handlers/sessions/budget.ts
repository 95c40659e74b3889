import { t } from "../../../../core/base/localized";
import { OperationalError } from "../../../../core/base/operational-error";
import type { BudgetLimits } from "../../../../core/trajectory/events";
import type { ServerContext } from "../../context";

/** What a session may use by the settings. Throws `usage` where a limit is no number from zero on. */
export function budgetOfSettings({ settings }: ServerContext["client"]): BudgetLimits {
  const budget = {
    usd: settings["budget.usd"],
    minutes: settings["budget.minutes"],
    candidates: settings["budget.candidates"],
    // There zero is no limit.
    tokens: settings["budget.tokens"] === 0 ? undefined : settings["budget.tokens"],
    gpuMinutes: settings["budget.gpuMinutes"] === 0 ? undefined : settings["budget.gpuMinutes"],
  };
  return requireLimits(
    budget,
    t`kernelwright.budget.* must be zero or a positive number. Correct the settings.`,
  );
}

/** A budget as it came in. Throws `usage`, with these words, where a limit is no number from zero on. */
export function requireLimits(asked: BudgetLimits, words: string): BudgetLimits {
  const { usd, minutes, candidates, tokens, gpuMinutes } = asked;
  const limits = [usd, minutes, candidates, tokens ?? 0, gpuMinutes ?? 0];
  if (limits.some((limit) => !Number.isFinite(limit) || limit < 0))
    throw new OperationalError("usage", { forUser: words });
  return {
    ...{ usd, minutes, candidates },
    ...(tokens !== undefined && { tokens }),
    ...(gpuMinutes !== undefined && { gpuMinutes }),
  };
}

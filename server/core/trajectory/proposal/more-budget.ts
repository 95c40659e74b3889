import type { BudgetLimits, BudgetUsed } from "../events";
import type { SessionState } from "../state";
import { endedAtBudget } from "./endings";

/** A budget on top of what was used before. */
export function onTopOf(used: BudgetUsed, budget: BudgetLimits): BudgetLimits {
  const { tokens, gpuMinutes } = budget;
  return {
    usd: used.usd + budget.usd,
    minutes: used.minutes + budget.minutes,
    candidates: used.candidates + budget.candidates,
    ...(tokens !== undefined && { tokens: (used.tokens ?? 0) + tokens }),
    ...(gpuMinutes !== undefined && { gpuMinutes: (used.gpuMinutes ?? 0) + gpuMinutes }),
  };
}

/**
 * What a session that ended at its limits may use in all when it is given a budget; a limit that the budget
 * has none for is not lifted: it gets as much again as it began with.
 */
export function givenMore(
  { used, task }: Pick<SessionState, "used" | "task">,
  budget: BudgetLimits,
): BudgetLimits {
  return onTopOf(used, { ...task?.budget, ...budget });
}

/**
 * What a session that goes on may use in all: what the user says (`told`), else what its own limits leave; as
 * much again as it began with (`begun`) where it ended at them.
 */
export function resumedBudget(
  state: Pick<SessionState, "status" | "ending" | "used" | "limits">,
  begun: BudgetLimits,
  told: Partial<BudgetLimits> = {},
): BudgetLimits {
  const isSaid = Object.values(told).some((limit) => limit !== undefined);
  const own = !isSaid && endedAtBudget(state) ? onTopOf(state.used, begun) : (state.limits ?? begun);
  return { ...own, ...told };
}

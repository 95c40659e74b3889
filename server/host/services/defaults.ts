import type { BudgetLimits } from "../../core/trajectory/events";

/** What a session may cost unless the user says otherwise; the editor's settings have the same defaults. */
export const defaultBudget: BudgetLimits = { usd: 1, minutes: 10, candidates: 24 };

import { t } from "../../../../../core/base/localized";
import { budgetOfSettings, requireLimits } from "../budget";
import type { Handler } from "../../handler";
import { controlOf } from "./control-of";

/** Gives a run more on top of what it has: what was asked for, or the budget of the settings once more. */
export const raiseBudget: Handler<"kernelwright/raiseBudget"> = async (context, { sessionId, more }) => {
  const raised =
    more === undefined
      ? budgetOfSettings(context.client)
      : requireLimits(more, t`What comes on top of a budget is zero or a positive number, each.`);
  await (await controlOf(context, sessionId)).raise(raised);
  return {};
};

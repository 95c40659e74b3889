import { budgetOfSettings } from "../budget";
import type { Handler } from "../../handler";
import { controlOf } from "./control-of";

/** Gives a run the budget of the settings once more, on top of what it has. */
export const raiseBudget: Handler<"kernelwright/raiseBudget"> = async (context, { sessionId }) => {
  await (await controlOf(context, sessionId)).raise(budgetOfSettings(context.client));
  return {};
};

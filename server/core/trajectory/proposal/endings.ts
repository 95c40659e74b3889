import { retold, t } from "../../base/localized";
import type { BudgetLimit } from "../events";
import type { SessionState } from "../state";

/** How a session ended, by name, and what the name says. */
const endings = {
  "model-finished": "the model found nothing more to try",
  "model-stuck": "the model did not get on",
  "model-unreachable": "the model could not be asked",
  "no-price": "the price of the model is not known",
  "at-floor": "the best version is at the floor of the task",
  "nothing-left": "nothing is left to try",
  repetition: "the proposals repeated themselves",
  "budget-usd": "the money of the budget",
  "budget-minutes": "the minutes of the budget",
  "budget-candidates": "the candidates of the budget",
  "budget-tokens": "the tokens of the budget",
  "budget-gpu-minutes": "the GPU minutes of the budget",
  "baseline-not-correct": "the baseline is not correct",
  "no-rule-mends": "the baseline is not correct, and no rule mends a kernel",
  taken: "you, for the best version so far",
  cancelled: "you",
  failed: "a failure",
} as const;

export type EndingName = keyof typeof endings;

/** How a session ends at each limit. */
export const limitEndings: Readonly<Record<BudgetLimit, EndingName>> = {
  usd: "budget-usd",
  minutes: "budget-minutes",
  candidates: "budget-candidates",
  tokens: "budget-tokens",
  gpuMinutes: "budget-gpu-minutes",
};

/** A limit by its name: `GPU minutes`. */
export function limitWords(limit: BudgetLimit): string {
  return limit === "gpuMinutes" ? t`GPU minutes` : retold(limit);
}

/** Whether a session ended because its budget did not allow more, whatever it had found. */
export function endedAtBudget({ status, ending }: Pick<SessionState, "status" | "ending">): boolean {
  return status === "limit" || (status === "succeeded" && ending?.startsWith("budget-") === true);
}

/** What an ending says, for readers: `nothing is left to try`. */
export function endingWords(name: string | undefined): string {
  if (name === undefined) return t`not named in the log`;
  return Object.hasOwn(endings, name) ? retold(endings[name as EndingName]) : name;
}

/** `at-floor (the best version is at the floor of the task)`; names of later versions stand alone. */
export function describeEnding(name: string | undefined): string {
  const words = endingWords(name);
  return name === undefined || words === name ? words : `${name} (${words})`;
}

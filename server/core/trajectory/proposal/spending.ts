import { t } from "../../base/localized";
import { plural } from "../../words/quantities";
import type { SessionState } from "../state";

/** What a session used, and of each what one gain took. */
interface Spending {
  readonly gains: number;
  readonly candidates: number;
  readonly minutes: number;
  readonly usd: number;
}

/** A gain is a version that became the best. */
export function spendingOf({ candidates, used }: Pick<SessionState, "candidates" | "used">): Spending {
  const gains = candidates.filter(({ accepted }) => accepted).length;
  return { gains, candidates: used.candidates, minutes: used.minutes, usd: used.usd };
}

/** `12 candidates, 3 minutes and 0.24 USD for 3 gains: 4 candidates, 1 minute and 0.08 USD each`. */
export function describeSpending(spending: Spending): string {
  const { gains } = spending;
  const all = t`${amounts(spending)} for ${plural(gains, "gain")}`;
  if (gains < 2) return all;
  const { candidates, minutes, usd } = spending;
  return t`${all}: ${amounts({ candidates: candidates / gains, minutes: minutes / gains, usd: usd / gains })} each`;
}

function amounts({ candidates, minutes, usd }: Omit<Spending, "gains">): string {
  const some = (value: number, what: string): string =>
    `${short(value)} ${what}${short(value) === 1 ? "" : "s"}`;
  return t`${some(candidates, "candidate")}, ${some(minutes, "minute")} and ${short(usd)} USD`;
}

function short(value: number): number {
  return Number(value.toPrecision(2));
}

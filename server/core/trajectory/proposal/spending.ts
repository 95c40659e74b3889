import { t } from "../../base/localized";
import { describeDollars, describeMinutes, plural } from "../../words/quantities";
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

/** `12 candidates, 3 min and $0.24 for 3 gains: 4 candidates, 1 min and $0.08 each`. */
export function describeSpending(spending: Spending): string {
  const { gains } = spending;
  const all = t`${amounts(spending)} for ${plural(gains, "gain")}`;
  if (gains < 2) return all;
  const { candidates, minutes, usd } = spending;
  return t`${all}: ${amounts({ candidates: candidates / gains, minutes: minutes / gains, usd: usd / gains })} each`;
}

function amounts({ candidates, minutes, usd }: Omit<Spending, "gains">): string {
  const tried = plural(Number(candidates.toPrecision(2)), "candidate");
  return t`${tried}, ${describeMinutes(minutes)} and ${describeDollars(usd)}`;
}

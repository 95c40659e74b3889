import { t } from "../../base/localized";
import { describeCount, describeDollars, describeMinutes, plural } from "../../words/quantities";
import type { SessionState } from "../state";

/** What a session used, and of each what one gain took. */
interface Spending {
  readonly gains: number;
  readonly candidates: number;
  readonly minutes: number;
  readonly usd: number;
  /** That models read and wrote; left out where none was asked. */
  readonly tokens?: number;
  /** For which a real GPU was held; left out where none was. */
  readonly gpuMinutes?: number;
}

/** A gain is a version that became the best. */
export function spendingOf({ candidates, used }: Pick<SessionState, "candidates" | "used">): Spending {
  const gains = candidates.filter(({ accepted }) => accepted).length;
  const { minutes, usd, tokens, gpuMinutes } = used;
  return {
    ...{ gains, candidates: used.candidates, minutes, usd },
    ...(tokens && { tokens }),
    ...(gpuMinutes && { gpuMinutes }),
  };
}

/** `12 candidates, 3 min, 60 k tokens and $0.24 for 3 gains: 4 candidates, 1 min, 20 k …`. */
export function describeSpending(spending: Spending): string {
  const { gains } = spending;
  const all = t`${amounts(spending)} for ${plural(gains, "gain")}`;
  if (gains < 2) return all;
  const { candidates, minutes, usd, tokens, gpuMinutes } = spending;
  const each = {
    ...{ candidates: candidates / gains, minutes: minutes / gains, usd: usd / gains },
    ...(tokens !== undefined && { tokens: Math.round(tokens / gains) }),
    ...(gpuMinutes !== undefined && { gpuMinutes: gpuMinutes / gains }),
  };
  return t`${all}: ${amounts(each)} each`;
}

function amounts({ candidates, minutes, usd, tokens, gpuMinutes }: Omit<Spending, "gains">): string {
  const parts = [
    plural(Number(candidates.toPrecision(2)), "candidate"),
    describeMinutes(minutes),
    ...(gpuMinutes === undefined ? [] : [t`${describeMinutes(gpuMinutes)} of the GPU`]),
    ...(tokens === undefined ? [] : [t`${describeCount(tokens)} tokens`]),
  ];
  return t`${parts.join(", ")} and ${describeDollars(usd)}`;
}

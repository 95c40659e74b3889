import type { HostTime } from "../../timing/host/host-calls";
import { describeHostChange } from "../../words/names/host-words";
import thresholds from "../comparison.json";
import type { Comparison } from "../comparison-result";
import type { CorrectVerdict, ModelledBound } from "../verdict";

/** Times of two versions on one scale, in nanoseconds. */
interface Times {
  readonly now: number;
  readonly then: number;
}

/**
 * A comparison of what two versions take on the GPU, with what their host code takes beside. What both take
 * alike cancels: the difference alone is added to the one that takes more. Where it comes to a fiftieth of
 * the time, all together decides, by the bound and by the simulated time; otherwise the GPU does, but what is
 * won there may not be lost by the host.
 */
export function withHost(
  onGpu: Comparison,
  challenger: Pick<CorrectVerdict, "bound">,
  champion: Pick<CorrectVerdict, "bound">,
): Comparison {
  const more = hostDifference(challenger.bound.host, champion.bound.host);
  if (more === 0) return onGpu;
  const sums = timesOf(challenger.bound, champion.bound).map((times) => withDifference(times, more));
  const gains = sums.map(({ now, then }) => 1 - now / then);
  const least = Math.min(...gains);
  const sentence = `${describeHostChange(champion.bound.host, challenger.bound.host)}; ${onGpu.sentence}`;
  const isTold = sums.some(({ then }) => Math.abs(more) >= thresholds.boundGain * then);
  if (!isTold) {
    const isLost = onGpu.kind === "better" && least < 0;
    return isLost ? { kind: "same", by: "host calls", gain: 0, sentence } : onGpu;
  }
  if (least >= thresholds.boundGain) return { kind: "better", by: "host calls", gain: least, sentence };
  if (least < -thresholds.boundTie) return { kind: "worse", by: "host calls", gain: least, sentence };
  return { kind: "same", by: "host calls", gain: 0, sentence };
}

/** Times of which the one is longer by what the host takes more, or the other by what it took more. */
export function withDifference({ now, then }: Times, more: number): Times {
  return { now: now + Math.max(0, more), then: then + Math.max(0, -more) };
}

/**
 * Nanoseconds that the host code of one version takes more than that of another. Copies through memory that
 * host and device share are not priced: who has more of them is not credited with what else was saved.
 */
function hostDifference(now: HostTime | undefined, then: HostTime | undefined): number {
  const more = (now?.nanoseconds ?? 0) - (then?.nanoseconds ?? 0);
  const sharesMore = (now?.calls.sharedBytes ?? 0) > (then?.calls.sharedBytes ?? 0);
  return sharesMore ? Math.max(0, more) : more;
}

/** By the bound, and by simulation where both were simulated. */
function timesOf(challenger: ModelledBound, champion: ModelledBound): readonly Times[] {
  const bounds = { now: challenger.nanoseconds, then: champion.nanoseconds };
  const [now, then] = [challenger.simulatedNanoseconds, champion.simulatedNanoseconds];
  return now === undefined || then === undefined ? [bounds] : [bounds, { now, then }];
}

import type { Verdict } from "../../judge/verdict";
import type { SessionEvent } from "../events";

/** The whole verdict on each judged candidate: the state has what lists say of it. */
export function wholeVerdicts(events: readonly SessionEvent[]): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { type, data } of events)
    if (type === "candidate.staged" && data.verdict !== null) verdicts.set(data.candidate, data.verdict);
  return verdicts;
}

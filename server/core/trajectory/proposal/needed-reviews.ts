import { reviewsOf } from "../../judge/reviews";
import type { SessionEvent } from "../events";
import type { SessionState } from "../reduce";
import { wholeVerdicts } from "./whole-verdicts";

/** What somebody has to look at before the proposal is written, a remark each. */
export function reviewsOfProposal(state: SessionState, events: readonly SessionEvent[]): readonly string[] {
  return reviewsOf(wholeVerdicts(events).get(state.proposal?.candidate ?? ""));
}

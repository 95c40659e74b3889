import type { HandMerges } from "../../review/by-hand/hand-merges";
import type { Decider } from "../../review/deciding/decider";
import type { ReviewDesk } from "../../review/review-desk";
import type { ReviewStore } from "../../review/review-store";

/** What commands need to review a proposal. */
export interface ReviewParts {
  readonly reviews: ReviewStore;
  readonly desk: ReviewDesk;
  readonly decider: Decider;
  readonly merges: HandMerges;
}

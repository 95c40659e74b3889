import type { TextDocument } from "vscode";
import { type ReviewedHunk, hunksOf } from "../../../server/core/review/hunk";
import { type Placement, placeHunks } from "../../../server/core/review/placement";
import { addressOf, type Review, type ReviewStore } from "./review-store";

/** A hunk of a review found in a document as it is now. */
export interface LocatedHunk {
  readonly review: Review;
  readonly hunk: ReviewedHunk;
  readonly placement: Placement;
  /** One-based place among the hunks of its proposal, for people. */
  readonly ordinal: number;
}

/** The last answer for a review in a document: threads, lenses and tints ask the same in turn. */
const answers = new WeakMap<
  Review,
  { readonly document: TextDocument; readonly version: number; readonly located: readonly LocatedHunk[] }
>();

/** Every hunk of every review of this document, from top to bottom. */
export function locateHunks(store: ReviewStore, document: TextDocument): readonly LocatedHunk[] {
  return store
    .forFile(document.uri)
    .flatMap((review) => remembered(review, document))
    .sort((a, b) => a.placement.start - b.placement.start);
}

/** A review is a value: a decision makes a new one, so that an answer holds until the document changes. */
function remembered(review: Review, document: TextDocument): readonly LocatedHunk[] {
  const answer = answers.get(review);
  if (answer !== undefined && answer.document === document && answer.version === document.version)
    return answer.located;
  const located = locateReview(review, document);
  answers.set(review, { document, version: document.version, located });
  return located;
}

function locateReview(review: Review, document: TextDocument): readonly LocatedHunk[] {
  const { files, hunks } = review.proposal;
  const address = addressOf(document.uri);
  const file = files.find((candidate) => addressOf(candidate.uri) === address);
  if (file === undefined) return [];
  const placements = placeHunks({
    base: file.base,
    hunks: hunksOf(hunks, file.file),
    present: document.getText(),
  });
  return [...placements].flatMap(([id, placement]) => {
    const index = hunks.findIndex((hunk) => hunk.id === id);
    const hunk = hunks[index];
    return hunk === undefined ? [] : [{ review, hunk, placement, ordinal: index + 1 }];
  });
}

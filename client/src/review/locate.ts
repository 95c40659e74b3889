import { type TextDocument, type TextEditor, workspace } from "vscode";
import { type ReviewedHunk, hunksOf } from "../../../server/core/review/hunk";
import { type Placement, placeHunks } from "../../../server/core/review/placement";
import { sideOf } from "./proposal-documents";
import { addressOf, type Review, type ReviewStore } from "./review-store";

/** A hunk of a review found in a document as it is now. */
export interface LocatedHunk {
  readonly review: Review;
  readonly hunk: ReviewedHunk;
  readonly placement: Placement;
  /** One-based place among the hunks of its proposal, for people. */
  readonly ordinal: number;
}

/** The last answer for a review in a document: hovers, lenses and tints ask the same in turn. */
const answers = new WeakMap<
  Review,
  { readonly document: TextDocument; readonly version: number; readonly located: readonly LocatedHunk[] }
>();

/**
 * Every hunk of every review of this document, from top to bottom. In the right side of a review's diff a
 * hunk has the state that it has in the file.
 */
export function locateHunks(store: ReviewStore, document: TextDocument): readonly LocatedHunk[] {
  const shown = sideOf(document.uri);
  if (shown !== undefined) return shown.side === "merged" ? locateInDiff(store, document) : [];
  return store
    .forFile(document.uri)
    .flatMap((review) => remembered(review, document))
    .sort((a, b) => a.placement.start - b.placement.start);
}

/** Lines, from 1, that open hunks would replace: what would stand there is written behind them. */
export function linesUnderReview(store: ReviewStore, document: TextDocument): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { hunk, placement } of locateHunks(store, document)) {
    if (hunk.decision !== "open" || placement.state !== "base") continue;
    // What is only inserted is written behind the line above.
    const first = placement.end > placement.start ? placement.start : Math.max(0, placement.start - 1);
    for (let line = first; line < Math.max(placement.end, first + 1); line += 1) lines.add(line + 1);
  }
  return lines;
}

/** The reviews that a document shows: of a file itself, or of a side of a proposal. */
export function reviewsShownIn(store: ReviewStore, document: TextDocument): readonly Review[] {
  const shown = sideOf(document.uri);
  if (shown === undefined) return store.forFile(document.uri);
  const review = store.get(shown.sessionId);
  return review === undefined ? [] : [review];
}

/** The review with the open change that is nearest to the cursor, else the newest that the editor shows. */
export function reviewAtHand(store: ReviewStore, { document, selection }: TextEditor): Review | undefined {
  const shown = reviewsShownIn(store, document);
  if (shown.length < 2) return shown[0];
  const open = locateHunks(store, document).filter(({ hunk }) => hunk.decision === "open");
  return nearestTo(selection.active.line, open)?.review ?? shown.at(-1);
}

/** The hunk at a line, else the one that is nearest to it. */
export function nearestTo(line: number, hunks: readonly LocatedHunk[]): LocatedHunk | undefined {
  return [...hunks].sort((a, b) => distance(a, line) - distance(b, line))[0];
}

function distance({ placement }: LocatedHunk, line: number): number {
  if (line < placement.start) return placement.start - line;
  return line < placement.end ? 0 : line - placement.end + 1;
}

function locateInDiff(store: ReviewStore, document: TextDocument): readonly LocatedHunk[] {
  const shown = sideOf(document.uri);
  const review = shown === undefined ? undefined : store.get(shown.sessionId);
  if (shown === undefined || review === undefined) return [];
  const address = addressOf(shown.file);
  const file = workspace.textDocuments.find(({ uri }) => addressOf(uri) === address);
  const inFile = file === undefined ? [] : locateHunks(store, file);
  const located = locateReview(review, address, document.getText());
  return located
    .map((each) => {
      const state = inFile.find(({ hunk }) => hunk.id === each.hunk.id)?.placement.state ?? "base";
      return { ...each, placement: { ...each.placement, state } };
    })
    .sort((a, b) => a.placement.start - b.placement.start);
}

/** A review is a value: a decision makes a new one, so that an answer holds until the document changes. */
function remembered(review: Review, document: TextDocument): readonly LocatedHunk[] {
  const answer = answers.get(review);
  if (answer !== undefined && answer.document === document && answer.version === document.version)
    return answer.located;
  const located = locateReview(review, addressOf(document.uri), document.getText());
  answers.set(review, { document, version: document.version, located });
  return located;
}

function locateReview(review: Review, address: string, present: string): readonly LocatedHunk[] {
  const { files, hunks } = review.proposal;
  const file = files.find((candidate) => addressOf(candidate.uri) === address);
  if (file === undefined) return [];
  const placements = placeHunks({
    base: file.base,
    hunks: hunksOf(hunks, file.file),
    present,
  });
  return [...placements].flatMap(([id, placement]) => {
    const index = hunks.findIndex((hunk) => hunk.id === id);
    const hunk = hunks[index];
    return hunk === undefined ? [] : [{ review, hunk, placement, ordinal: index + 1 }];
  });
}

import { type Disposable, EventEmitter, Uri } from "vscode";
import { hunksOf, type ReviewedHunk } from "../../../server/core/review/hunk";
import { touch } from "../../../server/core/review/overlap";
import type { ReviewChange } from "../../../server/protocol/requests";
import type { ProposalView } from "../../../server/protocol/views";

/** One proposal that is being reviewed in this window: a value, replaced whole whenever something changes. */
export interface Review {
  readonly proposal: ProposalView;
}

/** Where a file was when its proposal was made, and where it is now. */
export type MovedFile = readonly [from: string, to: string];

/** One spelling for an address, whoever wrote it. */
export function addressOf(uri: string | Uri): string {
  return (typeof uri === "string" ? Uri.parse(uri) : uri).toString();
}

/**
 * The proposals under review. What is shown in editors is worked out from here alone, so it can be shown
 * again at any time.
 */
export class ReviewStore implements Disposable {
  private readonly reviews = new Map<string, Review>();
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  /** Where files are that were moved or renamed since their proposals were made, by where they were. */
  private readonly moved: Map<string, string>;

  /** `moved`: what an earlier window knew of moved files, by where they were. */
  constructor(moved: Iterable<MovedFile> = []) {
    this.moved = new Map(moved);
  }

  /**
   * Takes a proposal up; an earlier one steps back (its session keeps it) where it is for the same kernel, or
   * has changes to the same lines. Those for other kernels of the file stay.
   */
  attach(made: ProposalView): void {
    const proposal = this.placed(made);
    const known = this.reviews.get(proposal.sessionId);
    if (known !== undefined && proposal.asOf < known.proposal.asOf) return;
    for (const [sessionId, review] of this.reviews)
      if (sessionId === proposal.sessionId || stepsBack(review.proposal, proposal))
        this.reviews.delete(sessionId);
    this.reviews.set(proposal.sessionId, { proposal });
    this.changed.fire(undefined);
  }

  /**
   * The proposal as the server has it now. What the server read before a decision may come after its answer
   * to that decision: an older view changes nothing.
   */
  update(proposal: ProposalView): void {
    const known = this.reviews.get(proposal.sessionId);
    if (known === undefined || proposal.asOf < known.proposal.asOf) return;
    this.reviews.set(proposal.sessionId, { proposal: this.placed(proposal) });
    this.changed.fire(undefined);
  }

  /** The user has moved or renamed a file or folder: reviews go with it. */
  move(from: Uri, to: Uri): void {
    const [old, now] = [addressOf(from), addressOf(to)];
    const next = (uri: string): string => {
      const address = addressOf(uri);
      if (address !== old && !address.startsWith(`${old}/`)) return uri;
      const original = [...this.moved].find(([, place]) => place === address)?.[0] ?? address;
      this.moved.set(original, now + address.slice(old.length));
      return now + address.slice(old.length);
    };
    for (const { proposal } of this.all())
      this.reviews.set(proposal.sessionId, { proposal: withPlaces(proposal, next) });
    this.changed.fire(undefined);
  }

  /** The files of open reviews that were moved or renamed since their proposals were made. */
  movedFiles(): readonly MovedFile[] {
    const reviewed = new Set(
      this.all().flatMap(({ proposal }) => proposal.files.map(({ uri }) => addressOf(uri))),
    );
    return [...this.moved].filter(([, place]) => reviewed.has(place));
  }

  /** All files that were moved or renamed, those that an earlier window saw among them. */
  allMoves(): readonly MovedFile[] {
    return [...this.moved];
  }

  /** The proposal with its files where they are now; the server knows them by their names of then. */
  private placed(proposal: ProposalView): ProposalView {
    return withPlaces(proposal, (uri) => this.moved.get(addressOf(uri)) ?? uri);
  }

  /** What is known of a proposal under review has changed. */
  change({ sessionId, ...changed }: ReviewChange): void {
    const known = this.reviews.get(sessionId);
    if (known !== undefined) this.update({ ...known.proposal, ...changed });
  }

  detach(sessionId: string): void {
    if (this.reviews.delete(sessionId)) this.changed.fire(undefined);
  }

  get(sessionId: string): Review | undefined {
    return this.reviews.get(sessionId);
  }

  all(): readonly Review[] {
    return [...this.reviews.values()];
  }

  forFile(uri: Uri): readonly Review[] {
    const address = addressOf(uri);
    return this.all().filter((review) =>
      review.proposal.files.some((file) => addressOf(file.uri) === address),
    );
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** True where two proposals cannot be shown beside each other. */
function stepsBack(earlier: ProposalView, later: ProposalView): boolean {
  const pairs = earlier.files.flatMap((file) => {
    const same = later.files.find(({ uri }) => addressOf(uri) === addressOf(file.uri));
    return same === undefined ? [] : [{ file, same }];
  });
  if (pairs.length > 0 && earlier.kernel === later.kernel) return true;
  return pairs.some(({ file, same }) =>
    touch(
      { base: file.base, hunks: hunksOf(earlier.hunks, file.file) },
      { base: same.base, hunks: hunksOf(later.hunks, same.file) },
    ),
  );
}

function withPlaces(proposal: ProposalView, place: (uri: string) => string): ProposalView {
  return { ...proposal, files: proposal.files.map((file) => ({ ...file, uri: place(file.uri) })) };
}

export function openHunks(review: Review): readonly ReviewedHunk[] {
  return review.proposal.hunks.filter((hunk) => hunk.decision === "open");
}

export function rejectedHunks(review: Review): readonly ReviewedHunk[] {
  return review.proposal.hunks.filter((hunk) => hunk.decision === "rejected");
}

/** What a review needs done, as it stands now. */
export interface ReviewWork {
  /** Documents whose edits change what the review claims. */
  readonly uris: readonly string[];
  /** Texts that were not checked; undefined when what the review claims is known. */
  readonly unchecked: UncheckedTexts | undefined;
  /** True while it is not known which hunks need each other. */
  readonly isUngrouped: boolean;
  /** True when no hunk is open any more. */
  readonly isDecided: boolean;
}

interface UncheckedTexts {
  readonly texts: Readonly<Record<string, string>>;
  readonly digest: string;
}

interface ReviewBoardOptions {
  /** Undefined when the session has no proposal. */
  readonly look: (sessionId: string) => Promise<ReviewWork | undefined>;
  readonly group: (sessionId: string, signal: AbortSignal) => Promise<void>;
  readonly check: (sessionId: string, texts: UncheckedTexts, signal: AbortSignal) => Promise<void>;
  /** False while the workspace is not trusted: then nothing is compiled or run. */
  readonly mayRun: () => boolean;
  /** Told whenever what may be said of a review has changed. */
  readonly changed: (sessionId: string) => void;
  readonly failed: (sessionId: string, thrown: unknown) => void;
  /** How long a text must rest before it is checked. */
  readonly restMilliseconds: number;
}

interface Followed {
  uris: readonly string[];
  timer: NodeJS.Timeout | undefined;
  /** The job that runs for this review. */
  job: { readonly what: string; readonly controller: AbortController } | undefined;
  /** False once the text has changed since the client was last told. */
  isTold: boolean;
}

const grouping = "grouping";

/**
 * Keeps the reviews of this server true: finds out in the background which hunks need each other, and checks
 * again what a review claims whenever a decision or an edit has changed it. One job at a time; an edit ends
 * the check of the text before it.
 */
export class ReviewBoard {
  private readonly followed = new Map<string, Followed>();
  private jobs: Promise<void> = Promise.resolve();

  constructor(private readonly options: ReviewBoardOptions) {}

  /** Looks after a review from now on. */
  follow(sessionId: string, uris: readonly string[]): void {
    const known = this.followed.get(sessionId);
    if (known === undefined)
      this.followed.set(sessionId, { uris, timer: undefined, job: undefined, isTold: true });
    else known.uris = uris;
    this.soon(sessionId, 0);
  }

  /** What was claimed of the text before says nothing of the text now. */
  documentChanged(uri: string): void {
    for (const [sessionId, review] of this.followed) {
      if (!review.uris.includes(uri)) continue;
      endCheck(review);
      if (review.isTold) this.options.changed(sessionId);
      review.isTold = false;
      this.soon(sessionId, this.options.restMilliseconds);
    }
  }

  /** A decision has changed what the review claims: the check of the claim before it is ended. */
  decided(sessionId: string): void {
    const review = this.followed.get(sessionId);
    if (review !== undefined) endCheck(review);
  }

  /** Something that all reviews wait for has come about: the workspace is trusted. */
  wake(): void {
    for (const sessionId of this.followed.keys()) this.soon(sessionId, 0);
  }

  isGrouping(sessionId: string): boolean {
    return this.followed.get(sessionId)?.job?.what === grouping;
  }

  isChecking(sessionId: string, digest: string | undefined): boolean {
    return digest !== undefined && this.followed.get(sessionId)?.job?.what === digest;
  }

  /** Ends what runs and waits for it. */
  async close(): Promise<void> {
    const reviews = [...this.followed.values()];
    this.followed.clear();
    for (const review of reviews) {
      clearTimeout(review.timer);
      review.job?.controller.abort();
    }
    await this.jobs;
  }

  private soon(sessionId: string, milliseconds: number): void {
    const review = this.followed.get(sessionId);
    if (review === undefined) return;
    clearTimeout(review.timer);
    review.timer = setTimeout(() => {
      this.jobs = this.jobs
        .then(() => this.work(sessionId, review))
        .catch((thrown: unknown) => this.options.failed(sessionId, thrown));
    }, milliseconds);
  }

  /** The next thing that is worth doing for a review; what follows from it comes in its own turn. */
  private async work(sessionId: string, review: Followed): Promise<void> {
    const work = this.followed.has(sessionId) ? await this.options.look(sessionId) : undefined;
    if (work === undefined) return;
    const { unchecked } = work;
    if (!this.options.mayRun()) return this.tell(sessionId, review);
    if (unchecked !== undefined)
      return this.run(sessionId, review, unchecked.digest, (signal) =>
        this.options.check(sessionId, unchecked, signal),
      );
    if (work.isUngrouped)
      return this.run(sessionId, review, grouping, (signal) => this.options.group(sessionId, signal));
    if (!review.isTold) this.tell(sessionId, review);
    if (work.isDecided) this.followed.delete(sessionId);
  }

  private async run(
    sessionId: string,
    review: Followed,
    what: string,
    job: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    review.job = { what, controller };
    this.tell(sessionId, review);
    try {
      await job(controller.signal);
    } catch (thrown) {
      // A job that an edit has ended is taken up again for the text as it will be.
      if (!controller.signal.aborted) throw thrown;
      return;
    } finally {
      review.job = undefined;
    }
    this.tell(sessionId, review);
    this.soon(sessionId, 0);
  }

  private tell(sessionId: string, review: Followed): void {
    review.isTold = true;
    this.options.changed(sessionId);
  }
}

/** Grouping goes on: it is about the baseline, which no edit and no decision changes. */
function endCheck({ job }: Followed): void {
  if (job !== undefined && job.what !== grouping) job.controller.abort();
}

import type { Disposable, LogOutputChannel, Memento } from "vscode";
import type { ReviewDesk } from "./review-desk";
import { openHunks, type ReviewStore } from "./review-store";

const key = "kernelwright.reviews";

/** Reviews that were open when the window went are open again when it comes back. Kept by the editor. */
export class KeptReviews implements Disposable {
  private subscription: Disposable | undefined;

  constructor(
    private readonly parts: {
      readonly reviews: ReviewStore;
      readonly desk: ReviewDesk;
      readonly log: LogOutputChannel;
    },
    private readonly memory: Memento,
  ) {
    void this.restore();
  }

  /** Takes up the reviews that were open, which starts the server, and from then on keeps which are. */
  private async restore(): Promise<void> {
    for (const sessionId of this.memory.get<readonly string[]>(key, []))
      await this.parts.desk
        .attach(sessionId)
        // A session that was deleted meanwhile, or whose folder is another, has nothing to review.
        .catch((error: unknown) => this.parts.log.info(`review of ${sessionId}: ${String(error)}`));
    this.subscription = this.parts.reviews.onDidChange(() => void this.keep());
    await this.keep();
  }

  dispose(): void {
    this.subscription?.dispose();
  }

  private async keep(): Promise<void> {
    const open = this.parts.reviews.all().filter((review) => openHunks(review).length > 0);
    const ids = open.map(({ proposal }) => proposal.sessionId);
    const known = this.memory.get<readonly string[]>(key, []);
    if (ids.join() !== known.join()) await this.memory.update(key, ids);
  }
}

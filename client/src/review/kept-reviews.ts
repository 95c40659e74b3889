import type { Disposable, LogOutputChannel, Memento } from "vscode";
import type { ReviewDesk } from "./review-desk";
import { type MovedFile, openHunks, type ReviewStore } from "./review-store";

const key = "kernelwright.reviews";
const movedKey = "kernelwright.movedFiles";

/** Files under review that an earlier window saw moved or renamed. */
export function keptMoves(memory: Memento): readonly MovedFile[] {
  return memory.get<readonly MovedFile[]>(movedKey, []);
}

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
    const moves = this.parts.reviews.movedFiles();
    if (String(moves) !== String(keptMoves(this.memory))) await this.memory.update(movedKey, moves);
  }
}

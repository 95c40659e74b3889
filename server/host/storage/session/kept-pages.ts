import type { SessionEvent } from "../../../core/trajectory/events";

/** Of so many bytes of logs the events stay in memory: of a session of hours, and of some short ones. */
const mostBytes = 12 * 1024 * 1024;

interface KeptPage {
  readonly events: readonly SessionEvent[];
  readonly bytes: number;
}

/** Events as they were read from disk, by their page; those asked for longest ago go first. */
export class KeptPages {
  private readonly pages = new Map<object, KeptPage>();
  private bytes = 0;

  constructor(private readonly most = mostBytes) {}

  of(page: object): readonly SessionEvent[] | undefined {
    const kept = this.pages.get(page);
    if (kept === undefined) return undefined;
    this.pages.delete(page);
    this.pages.set(page, kept);
    return kept.events;
  }

  /** `bytes`: how long the lines of the events are. */
  keep(page: object, events: readonly SessionEvent[], bytes: number): void {
    this.drop(page);
    this.pages.set(page, { events, bytes });
    this.bytes += bytes;
    for (const oldest of this.pages.keys()) {
      if (this.bytes <= this.most) return;
      this.drop(oldest);
    }
  }

  private drop(page: object): void {
    this.bytes -= this.pages.get(page)?.bytes ?? 0;
    this.pages.delete(page);
  }
}

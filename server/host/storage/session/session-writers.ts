import type { NewEvent, SessionEvent } from "../../../core/trajectory/events";
import { SerialQueue } from "../serial-queue";
import type { FileSessionLog } from "./session-log";
import { createLog, type LogPlace, reopenLog } from "./session-opening";

export type WriterPlace = Omit<LogPlace, "onClosed">;

/** The logs that this process has open for writing, and the way to append to one that it has not. */
export class SessionWriters {
  private readonly place: LogPlace;
  private readonly openLogs = new Map<string, FileSessionLog>();
  private readonly appends = new Map<string, SerialQueue>();

  constructor(place: WriterPlace) {
    this.place = { ...place, onClosed: (sessionId) => this.openLogs.delete(sessionId) };
  }

  async create(productVersion: string): Promise<FileSessionLog> {
    const log = await createLog(this.place, productVersion);
    this.openLogs.set(log.sessionId, log);
    return log;
  }

  async reopen(sessionId: string): Promise<FileSessionLog> {
    const live = this.openLogs.get(sessionId);
    // What is being closed here holds the lock for a moment longer.
    if (live?.isClosing === true) await live.close();
    const opened = await reopenLog(this.place, sessionId);
    this.openLogs.set(sessionId, opened);
    return opened;
  }

  /**
   * Appends through the open log, else by opening the ended one for one more segment. One at a time for each
   * session: the second of two that open an ended log would find it locked by the first.
   */
  append(sessionId: string, event: NewEvent): Promise<SessionEvent> {
    const queue = this.appends.get(sessionId) ?? new SerialQueue();
    this.appends.set(sessionId, queue);
    return queue.run(() => this.appendNow(sessionId, event));
  }

  private async appendNow(sessionId: string, event: NewEvent): Promise<SessionEvent> {
    const live = this.openLogs.get(sessionId);
    if (live !== undefined && !live.isClosing) return live.append(event);
    const log = await this.reopen(sessionId);
    try {
      return await log.append(event);
    } finally {
      await log.close();
    }
  }
}

import { OperationalError } from "../../../core/base/operational-error";
import type { EventPage, LoggedEvents } from "../../../core/ports/run-store";
import { eventsOfLines } from "../../../core/trajectory/chain";
import type { SessionEvent } from "../../../core/trajectory/events";
import { nothingPassed, type Passed, passedWith } from "../../../core/trajectory/timeline/passed";
import type { KeptPages } from "./kept-pages";
import type { SegmentDisk } from "./segment-disk";

/** A page ends after so many events or bytes: what one question reads at least. */
const pageEvents = 32;
const pageBytes = 256 * 1024;

/** Where the line of an event ends. */
export interface LinePlace {
  /** Of the segment. */
  readonly path: string;
  /** In bytes from the beginning of the segment. */
  readonly end: number;
}

/** Some lines of one segment that follow each other. */
interface Page {
  readonly path: string;
  readonly start: number;
  end: number;
  /** How many events of the session come before it. */
  readonly index: number;
  events: number;
  /** Sequence number of its first event. */
  readonly first: number;
  readonly before: Passed;
}

/** Where pages are read from. */
interface PageSources {
  readonly disk: Pick<SegmentDisk, "readPart">;
  /** What was read lately to be gone through; left out for a log that is written here. */
  readonly kept?: KeptPages;
  /** The log is read to be gone through page by page. */
  readonly keeps?: boolean;
}

/**
 * Where the events of a session stand on disk: all that is kept of them for good. A page for each 32 events
 * takes a hundred bytes, whatever the events hold.
 */
export class LogPages {
  private readonly pages: Page[] = [];
  private count = 0;
  private passed: Passed = nothingPassed;
  /** The events of the newest page, while a log is read. */
  private gathered: SessionEvent[] = [];

  constructor(private readonly sources: PageSources) {}

  /** Notes the next event of a log that is read from its begin; `endReading` comes after the last one. */
  read(event: SessionEvent, place: LinePlace): void {
    const before = this.pages.at(-1);
    this.take(event, place);
    if (this.sources.keeps !== true) return;
    if (this.pages.at(-1) !== before) this.keepGathered(before);
    this.gathered.push(event);
  }

  endReading(): void {
    if (this.sources.keeps === true) this.keepGathered(this.pages.at(-1));
  }

  private keepGathered(page: Page | undefined): void {
    if (page !== undefined) this.sources.kept?.keep(page, this.gathered, page.end - page.start);
    this.gathered = [];
  }

  /** Notes the next event, whose line stands on disk. */
  take(event: SessionEvent, { path, end }: LinePlace): void {
    const last = this.pages.at(-1);
    const start = last?.path === path ? last.end : 0;
    if (last?.path === path && last.events < pageEvents && end - last.start <= pageBytes) {
      last.end = end;
      last.events += 1;
    } else {
      const { count: index, passed: before } = this;
      this.pages.push({ path, start, end, index, events: 1, first: event.seq, before });
    }
    this.count += 1;
    this.passed = passedWith(this.passed, event);
  }

  /** The events as they are read from disk: those so far, or with all that come. */
  events(kind: "so-far" | "growing"): LoggedEvents {
    const { count } = this;
    const countNow = kind === "so-far" ? () => count : () => this.count;
    return new PagedEvents(this.pages, countNow, this.sources);
  }
}

class PagedEvents implements LoggedEvents {
  constructor(
    private readonly pages: readonly Page[],
    private readonly countNow: () => number,
    private readonly sources: PageSources,
  ) {}

  get count(): number {
    return this.countNow();
  }

  async at(seq: number): Promise<SessionEvent | undefined> {
    const likely = this.shown.findLast(({ first }) => first <= seq);
    // In a damaged log the numbers may be in any order.
    for (const page of [...(likely ? [likely] : []), ...this.shown]) {
      const found = (await this.read(page)).find((event) => event.seq === seq);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async findLast<Found extends SessionEvent>(
    isOf: (event: SessionEvent) => event is Found,
  ): Promise<Found | undefined> {
    for (const page of this.shown.toReversed()) {
      const found = (await this.read(page)).findLast(isOf);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async *pagesAfter(seq: number): AsyncIterable<EventPage> {
    const { shown } = this;
    const from = shown.findLastIndex(({ first }) => first <= seq + 1);
    for (const page of shown.slice(Math.max(0, from))) {
      const events = await this.read(page);
      this.sources.kept?.keep(page, events, page.end - page.start);
      yield { events, before: page.before };
    }
  }

  async all(): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    for (const page of this.shown) for (const event of await this.read(page)) events.push(event);
    return events;
  }

  private get shown(): readonly Page[] {
    return this.pages.filter(({ index }) => index < this.count);
  }

  private async read(page: Page): Promise<readonly SessionEvent[]> {
    const shown = Math.min(page.events, this.count - page.index);
    const kept = this.sources.kept?.of(page);
    // The newest page of a log may have grown since.
    if (kept !== undefined && kept.length >= shown) return kept.slice(0, shown);
    return (await this.readFromDisk(page)).slice(0, shown);
  }

  private async readFromDisk(page: Page): Promise<readonly SessionEvent[]> {
    const { path, start, end, index, events } = page;
    const found = eventsOfLines(await this.sources.disk.readPart(path, start, end));
    if (found.length < events)
      throw new OperationalError("session-damaged", {
        forUser: `${path} was changed by another program while it was being read: events after number ${index} are missing.`,
        forModel: "Earlier events of the session cannot be read.",
      });
    return found;
  }
}

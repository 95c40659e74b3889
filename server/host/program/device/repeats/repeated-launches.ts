import type { LaunchOutcome } from "../../../../core/vgpu/index";

/** How a device tells the user something before the program's end, and its clocks, in milliseconds. */
export interface DeviceVoice {
  say(line: string): void;
  now(): number;
  /** Passes only as far as processors work: see `workClock`. */
  worked(): number;
}

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** Milliseconds that a loop has taken when the user is first told of it; twice as long each time. */
const firstQuiet = 5000;
/** Rounds after which a loop can be told from other launches. */
const fewestTold = 2;
/** Different launches of one loop at most; a longer round is not followed. */
const mostRows = 1024;
/** Reads of device memory within a loop after which it counts as one that goes by what it reads. */
const fewestReads = 2;

/** A launch and what the program has done since the launch before. */
interface NextLaunch {
  /** Equal for launches that do the same to the same memory. */
  readonly key: string;
  readonly name: string;
  /** The host has written to device memory. */
  readonly isChanged: boolean;
  /** The host has read device memory: it may go by what it saw. */
  readonly isRead: boolean;
}

/** Equal launches of a loop. */
interface Row {
  count: number;
  /** Of these, those since the host last read device memory. */
  unread: number;
  /** What the last one that ran has given. */
  outcome: Completed | undefined;
}

/**
 * Which way a launch is to go. `last`: it runs, and is the last to run if it changes memory. `over`: beyond
 * the limit.
 */
type Turn = "runs" | "last" | "over";

/**
 * Follows loops that launch the same again and again, one kernel or several in turn: tells how they get on,
 * and ends them at a limit. A loop is over when the host has written to device memory, and when something
 * else is launched. Where the host reads device memory the limit counts anew: a program that iterates until
 * its result is good enough would not end without its launches.
 */
export class RepeatedLaunches {
  private readonly rows = new Map<string, Row>();
  private hasRepeated = false;
  private reads = 0;
  private began = 0;
  /** The next line is due then. */
  private due = 0;
  private current: Row | undefined;

  constructor(
    private readonly voice: Omit<DeviceVoice, "worked">,
    private readonly limit: number | undefined,
  ) {}

  /** Call before each launch. */
  begin(next: NextLaunch): Turn {
    const now = this.voice.now();
    if (this.isOther(next)) this.beginLoop(now);
    else if (next.isRead) this.noteRead();
    const row = this.rows.get(next.key) ?? { count: 0, unread: 0, outcome: undefined };
    this.rows.set(next.key, row);
    this.current = row;
    row.count += 1;
    row.unread += 1;
    this.hasRepeated ||= row.count > 1;
    if (this.limit !== undefined && row.unread > this.limit && row.outcome) return "over";
    this.sayProgress(row, next.name, now);
    return row.unread === this.limit && this.reads < fewestReads ? "last" : "runs";
  }

  /** Call after a launch that was run. */
  end(outcome: LaunchOutcome): void {
    if (this.current) this.current.outcome = outcome.kind === "completed" ? outcome : undefined;
  }

  /** What stands for the launch that has begun, which is over its limit and is not run. */
  skip(name: string, tell: (message: string) => void): Completed | undefined {
    const outcome = this.current?.outcome;
    if (this.limit === undefined || outcome === undefined) return undefined;
    const equal =
      this.limit === 1 ? "the first equal one" : `${this.limit.toLocaleString("en-US")} equal ones`;
    tell(
      `${name}: launches after ${equal} were skipped (the repeat limit), and what they would have changed in memory is missing`,
    );
    return outcome;
  }

  private isOther({ key, isChanged }: NextLaunch): boolean {
    if (isChanged || this.rows.size === 0) return true;
    return !this.rows.has(key) && (this.hasRepeated || this.rows.size >= mostRows);
  }

  private noteRead(): void {
    this.reads += 1;
    for (const row of this.rows.values()) row.unread = 0;
  }

  private beginLoop(now: number): void {
    this.rows.clear();
    this.hasRepeated = false;
    this.reads = 0;
    this.began = now;
    this.due = now + firstQuiet;
  }

  private sayProgress(row: Row, name: string, now: number): void {
    const done = row.count - 1;
    if (done < fewestTold || now < this.due) return;
    this.due = this.began + 2 * (now - this.began);
    const seconds = (now - this.began) / 1000;
    const each = Number((seconds / done).toPrecision(2));
    const many = 10 ** (Math.floor(Math.log10(done)) + 2);
    const remedy =
      this.reads < fewestReads
        ? "--repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them"
        : "the program reads what they leave, so no limit applies";
    this.voice.say(
      `${name}: ${done.toLocaleString("en-US")} equal launches in ${Math.round(seconds)} s, ${many.toLocaleString("en-US")} take ${timeText(many * each)}; ${remedy}`,
    );
  }
}

/** `50 s`, `8 min`, `2.5 h`: to two digits. */
function timeText(seconds: number): string {
  const two = (value: number): string => String(Number(value.toPrecision(2)));
  if (seconds < 120) return `${two(seconds)} s`;
  return seconds < 7200 ? `${two(seconds / 60)} min` : `${two(seconds / 3600)} h`;
}

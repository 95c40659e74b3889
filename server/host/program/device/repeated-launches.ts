import type { LaunchOutcome } from "../../../core/vgpu/index";

/** How a device tells the user something before the program's end, and its clocks, in milliseconds. */
export interface DeviceVoice {
  say(line: string): void;
  now(): number;
  /** Passes only as far as processors work: see `workClock`. */
  worked(): number;
}

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** Milliseconds of equal launches in a row after which the user is told of them; twice as long each time. */
const firstQuiet = 5000;
/** Fewer equal launches are no benchmark's loop. */
const fewestTold = 10;

/** Equal launches in a row. */
interface Row {
  readonly key: string;
  readonly name: string;
  readonly began: number;
  count: number;
  /** The next line is due then. */
  due: number;
  /** What the last one gave. */
  outcome: Completed | undefined;
  /** The last one left memory as it was, so that further ones would too. */
  isUnchanged: boolean;
  isSkipping: boolean;
}

/** Follows loops that launch the same again and again: tells how they get on, and ends them at a limit. */
export class RepeatedLaunches {
  private row: Row | undefined;

  constructor(
    private readonly voice: Omit<DeviceVoice, "worked">,
    private readonly limit: number | undefined,
  ) {}

  /** Call before a launch. Gives its outcome when it is to be skipped. */
  begin(
    { key, name, isChanged }: { readonly key: string; readonly name: string; readonly isChanged: boolean },
    tell: (message: string) => void,
  ): Completed | undefined {
    const now = this.voice.now();
    if (this.row?.key !== key || isChanged) this.row = newRow(key, name, now);
    const { row } = this;
    row.count += 1;
    if (this.limit !== undefined && row.count > this.limit && row.outcome) {
      if (!row.isSkipping && !row.isUnchanged)
        tell(
          `${name}: launches after ${this.limit.toLocaleString("en-US")} equal ones in a row were skipped (--repeat-limit), although each changes memory: results may be others than without the limit`,
        );
      row.isSkipping = true;
      return row.outcome;
    }
    this.sayProgress(row, now);
    return undefined;
  }

  /** Call after a launch that was not skipped. */
  end(outcome: LaunchOutcome, isUnchanged: boolean): void {
    if (!this.row) return;
    this.row.outcome = outcome.kind === "completed" ? outcome : undefined;
    this.row.isUnchanged = isUnchanged;
  }

  private sayProgress(row: Row, now: number): void {
    const done = row.count - 1;
    if (done < fewestTold || now < row.due) return;
    row.due = row.began + 2 * (now - row.began);
    const seconds = (now - row.began) / 1000;
    this.voice.say(
      `${row.name}: ${done.toLocaleString("en-US")} equal launches so far in ${Math.round(seconds)} s, ${Number((seconds / done).toPrecision(2))} s each; --repeat-limit N runs at most N in a row`,
    );
  }
}

function newRow(key: string, name: string, now: number): Row {
  return {
    key,
    name,
    began: now,
    count: 0,
    due: now + firstQuiet,
    outcome: undefined,
    isUnchanged: false,
    isSkipping: false,
  };
}

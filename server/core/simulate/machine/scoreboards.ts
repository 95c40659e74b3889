import { at } from "../../base/known";
import type { StallReason } from "./stalls";
import { units } from "./units";
import type { Step } from "./warp-program";

const scoreboards = 6;
/** Instructions that a scoreboard can count. */
const countedAtMost = 64;

/** What a warp's scoreboard is taken for. */
interface Taken {
  until: number;
  /** Index of the instruction that releases it last. */
  producer: number;
  kind: StallReason;
}

/** The scoreboards of a warp. */
export class Scoreboards {
  readonly taken: Taken[] = Array.from({ length: scoreboards }, () => ({
    until: 0,
    producer: -1,
    kind: "other",
  }));
  /** When the asynchronous copies end that were begun. */
  copiesUntil = 0;
  /** Ends of what a scoreboard counts, for those that are waited for by number. */
  private readonly counted: number[][] = Array.from({ length: scoreboards }, () => []);

  /** The step's scoreboards are taken until its operands are read and its result is there. */
  take(step: Step, { read, done }: { readonly read: number; readonly done: number }): void {
    if (step.read !== undefined) this.hold(step.read, step, read);
    if (step.written !== undefined) this.hold(step.written, step, done);
  }

  private hold(board: number, step: Step, until: number): void {
    const taken = at(this.taken, board);
    at(this.counted, board).push(until);
    if (until < taken.until) return;
    taken.until = until;
    taken.producer = step.index;
    taken.kind = kindOf(step);
  }

  /** When a scoreboard counts no more than so many: they end in order. */
  untilAtMost({ scoreboard, count }: { readonly scoreboard: number; readonly count: number }): number {
    const ends = at(this.counted, scoreboard);
    if (ends.length > countedAtMost) ends.splice(0, ends.length - countedAtMost);
    return ends.length <= count ? 0 : at(ends, ends.length - 1 - count);
  }
}

function kindOf({ access, closesGroup, use }: Step): StallReason {
  if (closesGroup) return "memory";
  if (access !== undefined) return access.space === "shared" ? "shared" : "memory";
  return use.busy.some(({ unit }) => units[unit] === "exchange") ? "shared" : "other";
}

import { at } from "../../../base/known";
import type { WarpProgram, Way } from "../warp-program";

/** Shares below this are rounding of the counts. */
const least = 1e-4;
/** The least share of a way that a block takes before its turn has come; the counts are no more exact. */
const leastOfFirst = 0.05;

/** The way out of a loop that a block has, and the rounds that a warp makes until it takes it. */
interface Exit {
  readonly way: Way;
  readonly rounds: number;
  readonly others: readonly Way[];
}

/**
 * Whose turn it is to take which way, over all warps of a multiprocessor. What one warp leaves over of a
 * fraction goes to the next, so that all of them together run each block as often as was counted, whichever
 * ways depend on each other. Where all warps of a block of threads go the same way, or most end and others go
 * on, the first goes the way that leads to most work: of a launch with fewer tiles than blocks the
 * multiprocessor that has most to do gets a tile.
 */
export class Turns {
  private readonly ways: readonly (readonly Way[])[];
  private readonly exits: readonly (Exit | undefined)[];
  /** Of each way: its turns that have come and were not taken. */
  private readonly due: Float64Array;
  /** Of each exit: parts of a round that were not made. */
  private readonly rest: Float64Array;
  private readonly guards = new Map<number, number>();

  constructor({ blocks }: WarpProgram) {
    this.ways = blocks.map(({ ways }) => ways.filter(({ share }) => share >= least));
    this.exits = this.ways.map(exitOf);
    this.due = new Float64Array(
      1 + Math.max(0, ...blocks.flatMap(({ ways }) => ways.map(({ edge }) => edge))),
    );
    this.rest = new Float64Array(blocks.length).fill(0.5);
    for (const { heaviest, ways } of blocks)
      for (const { edge, share } of ways)
        if (edge === heaviest && share >= leastOfFirst) this.due[edge] = 1 - 2 * least;
  }

  /**
   * The block that a warp goes on to, -1 at its end. `left`: for each block how many rounds the warp has left
   * until it leaves the block's loop, 0 where it has begun none.
   */
  next(block: number, left: Float64Array): number {
    const exit = this.exits[block];
    if (exit === undefined) return this.inTurn(at(this.ways, block));
    const rounds = at(left, block) > 0 ? at(left, block) : this.roundsOf(block, exit);
    left[block] = rounds - 1;
    return rounds > 1 ? this.inTurn(exit.others) : exit.way.to;
  }

  /** Whether a memory instruction with a guard asks for anything this time, as often as a share says. */
  asks(index: number, share: number): boolean {
    if (share >= 1 - least) return true;
    const due = (this.guards.get(index) ?? 0.5) + share;
    this.guards.set(index, due >= 1 ? due - 1 : due);
    return due >= 1;
  }

  private inTurn(ways: readonly Way[]): number {
    const [only] = ways;
    if (only === undefined) return -1;
    if (ways.length === 1) return only.to;
    const sum = ways.reduce((all, { share }) => all + share, 0);
    let next = only;
    for (const way of ways) {
      this.due[way.edge] = at(this.due, way.edge) + way.share / sum;
      if (at(this.due, way.edge) > at(this.due, next.edge) + least) next = way;
    }
    this.due[next.edge] = at(this.due, next.edge) - 1;
    return next.to;
  }

  private roundsOf(block: number, { rounds }: Exit): number {
    const due = at(this.rest, block) + rounds;
    const whole = Math.max(1, Math.floor(due + least));
    this.rest[block] = due - whole;
    return whole;
  }
}

/** Of a loop that is left in several places each counts its own rounds. */
function exitOf(ways: readonly Way[]): Exit | undefined {
  const way = ways.find(({ leaves }) => leaves);
  const others = ways.filter((each) => each !== way && !each.leaves);
  if (way === undefined || others.length === 0) return undefined;
  return { way, rounds: ways.reduce((all, { share }) => all + share, 0) / way.share, others };
}

import { lanes, warpLayout } from "../../layout";

/**
 * Of each lane of a warp (rows) the last interval of each lane that it knows to be over, since all lanes last
 * synchronised.
 */
interface Meetings {
  readonly joined: number;
  readonly known: Uint32Array;
}

/** Where the numbers of the warps stand, by linear address. */
interface Numbers {
  read(base: number, offset: number): number;
  vectorAt(linear: number): Uint32Array;
}

/**
 * Which lanes of a warp are ordered by synchronisations that take in only some of its lanes (PTX ISA section
 * 9.7.13.3, bar.warp.sync).
 */
export class LaneMeetings {
  private readonly warps = new Map<number, Meetings>();

  constructor(private readonly clocks: Numbers) {}

  /**
   * Lanes of a warp synchronise, each with those that its mask names. `masks`: linear address of the masks of
   * all lanes.
   */
  meet(warp: number, active: number, masks: number): void {
    const { known } = this.of(warp);
    const before = known.slice();
    const members = this.clocks.vectorAt(masks);
    const interval = this.clocks.read(warp, warpLayout.interval);
    const rows = new Map<number, Uint32Array>();
    for (let lane = 0; lane < lanes; lane += 1) {
      if ((active & (1 << lane)) === 0) continue;
      const mask = (members[lane] ?? 0) & active;
      const row = rows.get(mask) ?? shared(before, mask, interval);
      rows.set(mask, row);
      known.set(row, lane * lanes);
    }
  }

  /** Whether a lane knows that an interval of another lane is over. */
  knows(
    warp: number,
    interval: number,
    { lane, other }: { readonly lane: number; readonly other: number },
  ): boolean {
    return (this.of(warp).known[lane * lanes + other] ?? 0) >= interval;
  }

  private of(warp: number): Meetings {
    const joined = this.clocks.read(warp, warpLayout.joined);
    const before = this.warps.get(warp);
    if (before?.joined === joined) return before;
    const meetings = { joined, known: new Uint32Array(lanes * lanes) };
    this.warps.set(warp, meetings);
    return meetings;
  }
}

/** What the lanes of a mask know together, themselves included up to now. */
function shared(known: Uint32Array, mask: number, interval: number): Uint32Array {
  const row = new Uint32Array(lanes);
  for (let lane = 0; lane < lanes; lane += 1) {
    if ((mask & (1 << lane)) === 0) continue;
    for (let other = 0; other < lanes; other += 1)
      row[other] = Math.max(row[other] ?? 0, known[lane * lanes + other] ?? 0);
  }
  for (let lane = 0; lane < lanes; lane += 1) if (mask & (1 << lane)) row[lane] = interval;
  return row;
}

import { lanes, warpLayout } from "../../layout";

/** A vector clock over the lanes for each lane (rows) of a warp, since all its lanes last synchronised. */
interface Meetings {
  readonly joined: number;
  readonly known: Uint32Array;
}

/** Reads the warps' headers by linear address. */
interface Numbers {
  read(base: number, offset: number): number;
  vectorAt(linear: number): Uint32Array;
}

/**
 * Happens-before between the lanes of a warp by `bar.warp.sync` of some of them (PTX ISA section 9.7.13.3).
 */
export class LaneMeetings {
  private readonly warps = new Map<number, Meetings>();

  constructor(private readonly clocks: Numbers) {}

  /** Active lanes synchronise, each with those in its mask. `masks`: linear address of all lanes' masks. */
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

  /** Whether an interval of another lane happens before what a lane does now. */
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

/** The join of the vector clocks of the lanes in a mask, with their own entries at the current interval. */
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

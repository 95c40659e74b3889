/** Why a warp did not issue, as Nsight Compute's stall reasons are grouped. */
export const stallReasons = [
  "fixed",
  "memory",
  "shared",
  "other",
  "barrier",
  "unit",
  "queue",
  "notSelected",
] as const;
export type StallReason = (typeof stallReasons)[number];

const kinds = stallReasons.length;

/** Warp clocks by instruction and reason, and how often each instruction issued. */
export class StallTable {
  readonly issues: Float64Array;
  /** Warp clocks of all instructions, by reason in the order of `stallReasons`. */
  readonly totals = new Float64Array(kinds);
  private readonly clocks: Float64Array;
  /** Clocks that an instruction waited for another one, by both indices. */
  readonly waits = new Map<number, number>();

  constructor(readonly size: number) {
    this.issues = new Float64Array(size);
    this.clocks = new Float64Array(size * kinds);
  }

  add(index: number, reason: StallReason, clocks: number): void {
    if (clocks <= 0) return;
    const kind = stallReasons.indexOf(reason);
    const place = index * kinds + kind;
    this.totals[kind] = (this.totals[kind] ?? 0) + clocks;
    this.clocks[place] = (this.clocks[place] ?? 0) + clocks;
  }

  addWait(index: number, producer: number, clocks: number): void {
    const key = index * this.size + producer;
    this.waits.set(key, (this.waits.get(key) ?? 0) + clocks);
  }

  of(index: number, reason: StallReason): number {
    return this.clocks[index * kinds + stallReasons.indexOf(reason)] ?? 0;
  }
}

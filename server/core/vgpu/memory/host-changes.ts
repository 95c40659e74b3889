/**
 * Addresses of allocations that were made or that the host has written to, since whoever follows them cleared
 * this. Knows besides whether an allocation's bytes may have changed since any other moment.
 */
export class HostChanges extends Set<bigint> {
  private readonly stored = new Map<bigint, number>();
  private clock = 0;
  private launched = 0;
  private wasRead = false;

  override add(address: bigint): this {
    this.clock += 1;
    this.stored.set(address, this.clock);
    return super.add(address);
  }

  /** The host reads memory, and may go by what it sees. */
  noteRead(): void {
    this.wasRead = true;
  }

  /** Whether the host has read memory since the last time. */
  takeRead(): boolean {
    const { wasRead } = this;
    this.wasRead = false;
    return wasRead;
  }

  /** Call before a launch runs: any allocation may be another one afterwards. */
  noteLaunch(): void {
    this.clock += 1;
    this.launched = this.clock;
  }

  /** A number that is another one whenever the host, a copy or a fill has written to an allocation. */
  lastWriteTo(address: bigint): number {
    return this.stored.get(address) ?? 0;
  }

  /** A number that is another one whenever an allocation's bytes may have changed. */
  stateOf(address: bigint): number {
    return Math.max(this.stored.get(address) ?? 0, this.launched);
  }
}

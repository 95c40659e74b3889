/** Requests that have ended are forgotten in lots of this size. */
const keptAtMost = 4096;

/** Sectors that one multiprocessor waits for, no more than so many at a time. */
export class SectorsInFlight {
  private readonly requests: { readonly until: number; readonly sectors: number }[] = [];
  private landed = 0;
  private sum = 0;

  constructor(private readonly most: number) {}

  add(sectors: number, until: number): void {
    this.requests.push({ until, sectors });
    this.sum += sectors;
  }

  /** When there is room for further sectors. */
  roomFor(sectors: number): number {
    let when = 0;
    while (this.landed < this.requests.length && this.sum + sectors > this.most) {
      const oldest = this.requests[this.landed];
      if (oldest === undefined) break;
      when = oldest.until;
      this.sum -= oldest.sectors;
      this.landed += 1;
    }
    if (this.landed > keptAtMost) {
      this.requests.splice(0, this.landed);
      this.landed = 0;
    }
    return when;
  }
}

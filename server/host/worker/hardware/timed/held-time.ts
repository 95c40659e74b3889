/** For how long a GPU was held, by claims that may overlap. */
export class HeldTime {
  private done = 0;
  private readonly open = new Set<{ readonly began: number }>();

  /** `now`: microseconds of a clock that only goes forward. */
  constructor(private readonly now: () => number = () => performance.now() * 1000) {}

  /** What was given back, and what is held now, in microseconds. */
  get microseconds(): number {
    const now = this.now();
    return [...this.open].reduce((sum, { began }) => sum + now - began, this.done);
  }

  /** A claim begins; gives what ends it. */
  begin(): () => void {
    const claim = { began: this.now() };
    this.open.add(claim);
    return () => {
      if (this.open.delete(claim)) this.done += this.now() - claim.began;
    };
  }
}

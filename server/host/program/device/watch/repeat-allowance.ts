/**
 * How long a program's launches may run that show nothing new: a benchmark's loop need not be waited for by
 * those who want to know how it launches its kernels.
 */
export class RepeatAllowance {
  /** Launches that were skipped. */
  skipped = 0;
  private spent = 0;

  /** `milliseconds`: for all such launches together; undefined for no end. `now`: of any clock. */
  constructor(
    private readonly milliseconds: number | undefined,
    private readonly now: () => number,
  ) {}

  /** What has to be called when the launch is over; undefined when it is to be skipped. */
  begin(showsNothingNew: () => boolean): (() => void) | undefined {
    if (this.milliseconds === undefined || !showsNothingNew()) return () => undefined;
    if (this.spent >= this.milliseconds) {
      this.skipped += 1;
      return undefined;
    }
    const began = this.now();
    return () => {
      this.spent += this.now() - began;
    };
  }
}

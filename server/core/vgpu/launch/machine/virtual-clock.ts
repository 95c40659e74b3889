/**
 * How far the clock is set on at first, and how many times as far each time. No power of two, so that its low
 * 32 bits change too.
 */
const firstLeap = 1_000_003n;
const growth = 3n;
/** A clock that was set on as far (nanoseconds, nearly five hours) has passed what any kernel waits for. */
const far = 1n << 44n;
/**
 * More than the time of any stretch of code, by parts of which generated code tells its reads apart: no clock
 * may go back.
 */
const margin = 1n << 16n;
/** Reads after which a clock goes on that was stopped: loops that only wait for time to pass have to end. */
const mostHeldReads = 100_000;

/**
 * The clocks that kernels read (PTX ISA section 10: %clock, %clock64, %globaltimer). Time is counted in
 * instructions: it grows, and two runs agree. While all threads only wait it can be stopped, to see whether
 * anything else changes, and be set on, so that what waits for a time gets there.
 */
export class VirtualClock {
  private ahead = 0n;
  private leap = firstLeap;
  private heldAt: bigint | undefined;
  private heldReads = 0;

  /** `executed`: warp instructions run so far. */
  constructor(private readonly executed: () => number) {}

  /** The time in nanoseconds. */
  read(): bigint {
    if (this.heldAt !== undefined) {
      this.heldReads += 1;
      if (this.heldReads < mostHeldReads) return this.heldAt;
      this.release();
    }
    return BigInt(this.executed()) + this.ahead;
  }

  /** Stops the clock. */
  hold(): void {
    this.release();
    this.ahead += margin;
    this.heldAt = this.read();
    this.heldReads = 0;
  }

  /** Lets the clock go on. */
  release(): void {
    this.heldAt = undefined;
  }

  /** Lets the clock go on, from a later time. */
  setOn(): void {
    this.release();
    this.ahead += this.leap;
    this.leap *= growth;
  }

  /** Something happened meanwhile: the next time the clock is set on by little again. */
  startOver(): void {
    this.release();
    this.leap = firstLeap;
  }

  /**
   * Whether the clock was set on by so much, with nothing happening, that no time remains to be waited for.
   */
  get isFarAhead(): boolean {
    return this.leap > far;
  }
}

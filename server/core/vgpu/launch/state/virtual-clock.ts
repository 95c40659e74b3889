/**
 * How far the clock is moved on at first, and the factor for each further time. Not a power of two, so that
 * the low 32 bits change as well.
 */
const firstLeap = 1_000_003n;
const growth = 3n;
/**
 * Once a leap is this long (nanoseconds; nearly five hours) the clock has passed what any kernel waits for.
 */
const far = 1n << 44n;
/**
 * More than a stretch of code takes. Generated code separates its reads by fractions of it, and no clock may
 * run backwards.
 */
const margin = 1n << 16n;
/** Reads after which a stopped clock resumes, so that loops that only wait for time to pass end. */
const mostHeldReads = 100_000;

/**
 * The clocks that kernels read (PTX ISA section 10: %clock, %clock64, %globaltimer). Time counts executed
 * instructions: it grows, and two runs agree. The deadlock detector stops it while all threads wait, and
 * moves it on so that code that waits for a time gets there.
 */
export class VirtualClock {
  private ahead = 0n;
  private leap = firstLeap;
  private heldAt: bigint | undefined;
  private heldReads = 0;

  /** `executed`: warp-level instructions so far. */
  constructor(private readonly executed: () => number) {}

  /** The time in nanoseconds. */
  read(): bigint {
    if (this.heldAt !== undefined) {
      this.heldReads += 1;
      if (this.heldReads < mostHeldReads) return this.heldAt;
      this.resume();
    }
    return BigInt(this.executed()) + this.ahead;
  }

  /** Stops the clock. */
  hold(): void {
    this.resume();
    this.ahead += margin;
    this.heldAt = this.read();
    this.heldReads = 0;
  }

  /** Resumes the clock at a later time; each call moves it further than the last. */
  advance(): void {
    this.resume();
    this.ahead += this.leap;
    this.leap *= growth;
  }

  /** Resumes the clock. The launch made progress, so the next `advance` is a short one again. */
  startOver(): void {
    this.resume();
    this.leap = firstLeap;
  }

  /** Whether the clock, without progress, has passed what any kernel waits for. */
  get isFarAhead(): boolean {
    return this.leap > far;
  }

  private resume(): void {
    this.heldAt = undefined;
  }
}

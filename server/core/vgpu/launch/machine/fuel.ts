/** The instructions that generated code may run before it yields to the host. Counted per warp. */
export class Fuel {
  /** The global that generated code counts down. */
  readonly global = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  /** Instructions executed before the last refill, and the size of that refill. */
  private spent = 0;
  private refill = 0;

  /** Instructions left of the last refill; negative when a code block overran it. */
  get remaining(): number {
    return Number(this.global.value);
  }

  /** Instructions executed so far. */
  get executed(): number {
    return this.spent + this.refill - this.remaining;
  }

  /** Lets the code run `amount` instructions from now on. */
  fill(amount: number): void {
    this.spent = this.executed;
    this.refill = amount;
    this.global.value = amount;
  }
}

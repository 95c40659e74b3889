import { known } from "../../base/known";
import type { Clock } from "../../ports/clock";
import { cancelledError } from "../abort";

/** One of several pieces of work that go on side by side. */
interface Runner {
  /** Called when it gets the baton while it waits for it. */
  wake: (() => void) | undefined;
  isDone: boolean;
}

/** What was waited for, and how much of the time nobody else had anything to do, in microseconds. */
interface Waited<Value> {
  readonly value: Value;
  readonly idle: number;
}

/**
 * Several conversations whose models think at the same time, and of which one alone does anything else: it
 * has the baton. Who asks a model hands it on, and gets it back when all others had it, in their order and
 * not in that of the answers. So what they do and write follows from what is answered, not from when.
 */
export class Baton {
  private runners: readonly Runner[] = [];
  private holder = 0;
  private heldSince = 0;
  private waiting = 0;
  private isStopped = false;

  constructor(private readonly clock: Pick<Clock, "monotonicMicroseconds">) {}

  /** How many wait for an answer that they have not taken yet. */
  get away(): number {
    return this.waiting;
  }

  /**
   * Does all of the work side by side; gives what came of it in its order. The first that fails ends it
   * all: the others get the baton no more.
   */
  async share<Value>(work: readonly (() => Promise<Value>)[]): Promise<readonly Value[]> {
    const runners = work.map((): Runner => ({ wake: undefined, isDone: false }));
    this.runners = runners;
    this.holder = 0;
    const done = await Promise.all(
      work.map((each, index) => this.run(known(runners[index], "a runner for each work"), each)),
    );
    this.runners = [];
    return done;
  }

  /** Waits for an answer while the others go on; alone, when there are none. */
  async whileAway<Value>(wait: () => Promise<Value>): Promise<Waited<Value>> {
    const began = this.clock.monotonicMicroseconds();
    const me = this.runners[this.holder];
    this.waiting += 1;
    try {
      const asked = wait();
      if (me === undefined) return { value: await asked, idle: this.clock.monotonicMicroseconds() - began };
      this.handOn();
      const value = await asked;
      const answered = this.clock.monotonicMicroseconds();
      await this.turnOf(me);
      return { value, idle: Math.max(0, answered - this.heldSince) };
    } finally {
      this.waiting -= 1;
    }
  }

  /** Lets the others have it first, as long as something is not so yet and some of them are away. */
  async until(isSo: () => boolean): Promise<void> {
    const me = this.runners[this.holder];
    while (me !== undefined && this.waiting > 0 && !isSo()) {
      this.handOn();
      await this.turnOf(me);
    }
  }

  private async run<Value>(me: Runner, work: () => Promise<Value>): Promise<Value> {
    await this.turnOf(me);
    try {
      return await work();
    } catch (thrown) {
      this.isStopped = true;
      throw thrown;
    } finally {
      me.isDone = true;
      this.handOn();
    }
  }

  /** The next who is not done has the baton now; with nobody else it stays. */
  private handOn(): void {
    const { runners, holder } = this;
    const next = runners.map((_, step) => (holder + 1 + step) % runners.length);
    this.holder = next.find((index) => runners[index]?.isDone === false) ?? holder;
    this.heldSince = this.clock.monotonicMicroseconds();
    const waits = this.isStopped ? runners : runners.slice(this.holder, this.holder + 1);
    for (const each of waits) each.wake?.();
  }

  private async turnOf(me: Runner): Promise<void> {
    if (!this.isStopped && this.runners[this.holder] !== me)
      await new Promise<void>((resolve) => (me.wake = resolve));
    me.wake = undefined;
    if (this.isStopped) throw cancelledError();
  }
}

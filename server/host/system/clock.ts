import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { OperationalError } from "../../core/base/operational-error";
import type { Clock } from "../../core/ports/clock";

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMicroseconds: () => Math.round(performance.now() * 1000),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, { signal });
    } catch (thrown) {
      throw new OperationalError("cancelled", { forUser: "cancelled while waiting", cause: thrown });
    }
  },
};

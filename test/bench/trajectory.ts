import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { reduceSession } from "../../server/core/trajectory/reduce";
import { type Bench, rounded } from "./bench";
import { appendToolCalls, sessionsBelow } from "../harness/long-session";

/** Events of the session that is opened; a session of an hour has about as many. */
const EVENTS = 10_000;

/**
 * How fast a session is written, one awaited event after the other, and how long it takes to open it and
 * build its state.
 */
export const trajectoryBench: Bench = {
  name: "trajectory",
  run: async () => {
    const root = await mkdtemp(join(tmpdir(), "kernelwright-bench-"));
    try {
      const store = sessionsBelow(root);
      const log = await store.create();
      const start = performance.now();
      await appendToolCalls(log, EVENTS);
      const written = performance.now();
      await log.close();
      const opened = performance.now();
      const { logged } = await store.read(log.sessionId);
      const read = performance.now();
      const events = await logged.all();
      const again = performance.now();
      reduceSession(events);
      const reduced = performance.now();
      return [
        {
          metric: "events written, each awaited",
          value: rounded((EVENTS * 1000) / (written - start)),
          unit: "events/s",
        },
        {
          metric: `opening ${EVENTS} events, chain verified`,
          value: rounded(read - opened),
          unit: "ms",
          versus: "limit 2000 ms",
          ratio: rounded((read - opened) / 2000),
        },
        { metric: `state of ${EVENTS} events`, value: rounded(reduced - again), unit: "ms" },
      ];
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};

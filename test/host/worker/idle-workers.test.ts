import { expect, test } from "vitest";
import type { WorkerConnection } from "../../../server/host/worker/transport/connection";
import { IdleWorkers } from "../../../server/host/worker/transport/worker-handle";
import { localTransport } from "./worker-under-test";

/** Whether it still takes a task. */
async function answers(connection: WorkerConnection): Promise<boolean> {
  const task = { inputs: {}, outputs: {}, tolerances: {}, reference: { kind: "baseline" }, seed: 1 };
  const opened = connection.request("open", task, { timeLimitMilliseconds: 60_000 });
  return opened.then(
    () => true,
    () => false,
  );
}

test("a process that was given back serves the next task, but no lost one and none more than one", async () => {
  const workers = new IdleWorkers(localTransport(), "oracle");
  const [first, second] = await Promise.all([workers.take(), workers.take()]);
  await workers.give(first);
  await workers.give(second);
  const again = await workers.take();
  expect([again === first, await answers(again), await answers(second)]).toEqual([true, true, false]);

  await workers.give(again);
  await again.close();
  const anew = await workers.take();
  expect([anew === again, await answers(anew)]).toEqual([false, true]);

  await workers.give(anew);
  await workers.close();
  expect(await answers(anew)).toBe(false);

  const late = await workers.take();
  await workers.give(late);
  expect(await answers(late)).toBe(false);
});

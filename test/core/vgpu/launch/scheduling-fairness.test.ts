import { beforeAll, describe as suite, expect, it } from "vitest";
import { type Trial, attempt, schedulingText } from "./scheduling-support";

let text = "";
beforeAll(() => {
  text = schedulingText();
});

const words = (...values: number[]): Int32Array => Int32Array.from(values);
const zeros = (count: number): Int32Array => new Int32Array(count);

/** The kernel ends and leaves these words in its last buffer. */
function check(trial: Trial, expected: readonly number[]): void {
  const { outcome, buffers } = attempt(text, trial);
  expect(outcome.kind).toBe("completed");
  expect([...(buffers.at(-1) ?? [])]).toEqual(expected);
}

suite("threads that wait for each other", () => {
  it.each([
    ["the lanes of a warp", 1, 32],
    ["warps of a block", 1, 256],
    ["part of a warp", 1, 7],
    ["blocks", 6, 96],
  ])("take a lock one after the other: %s", (_, grid, block) => {
    check({ entry: "spin_lock", grid, block, buffers: [words(0), words(0)] }, [grid * block]);
  });

  it("take a lock after waiting for it to look free", () => {
    check({ entry: "test_and_set", grid: 2, block: 64, buffers: [words(0), words(0)] }, [64 * 63]);
  });

  it.each([
    [1, 32],
    [1, 128],
    [3, 64],
  ])("are served in the order of their tickets: %i blocks of %i", (grid, block) => {
    check(
      { entry: "ticket_lock", grid, block, buffers: [words(0), words(0), zeros(grid * block)] },
      Array.from({ length: grid * block }, (_, index) => 3 * index + 1),
    );
  });

  it("are woken by the warp behind them", () => {
    check(
      { entry: "warp_chain", grid: 1, block: 1024, buffers: [zeros(32)] },
      Array.from({ length: 32 }, (_, warp) => 32 - warp),
    );
  });

  it("may give up by themselves", () => {
    check(
      { entry: "impatient", grid: 1, block: 64, buffers: [words(0), zeros(64)] },
      Array.from({ length: 64 }, () => 5000),
    );
  });
});

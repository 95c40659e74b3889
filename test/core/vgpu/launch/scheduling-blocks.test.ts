import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe as suite, expect, it } from "vitest";
import { type Trial, attempt, schedulingText } from "./scheduling-support";
import { casesFolder, integer } from "../support";

let text = "";
beforeAll(() => {
  text = schedulingText();
});

const zeros = (count: number): Int32Array => new Int32Array(count);
const count = (length: number, of: (index: number) => number): number[] =>
  Array.from({ length }, (_, index) => of(index));

/** The line of scheduling.cu that holds a text. */
function lineOf(part: string): number {
  return (
    readFileSync(join(casesFolder, "scheduling.cu"), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(part)) + 1
  );
}

/** The kernel ends and leaves these words in its last buffer. */
function check(trial: Trial, expected: readonly number[]): void {
  const { outcome, buffers } = attempt(text, trial);
  expect(outcome.kind === "fault" ? outcome.finding : outcome.kind).toBe("completed");
  expect([...(buffers.at(-1) ?? [])]).toEqual(expected);
}

suite("blocks that wait for blocks", () => {
  it.each([
    ["later ones", 1, 24],
    ["earlier ones", -1, 24],
    ["later ones, many", 1, 400],
  ])("run beside %s", (_, step, grid) => {
    check(
      {
        entry: "block_chain",
        grid,
        block: 64,
        buffers: [zeros(grid), zeros(grid)],
        scalars: [integer(step)],
      },
      count(grid, (block) => (step > 0 ? grid - 1 - block : block)),
    );
  });

  it("hand over items through slots", () => {
    const items = 300;
    check(
      { entry: "pipeline", grid: 8, block: 32, buffers: [zeros(4), zeros(4)], scalars: [integer(items)] },
      count(4, () => (items * (items + 1)) / 2),
    );
  });

  it("start in a range of their own", () => {
    const { outcome, buffers } = attempt(text, {
      entry: "block_chain",
      grid: 8,
      block: 64,
      buffers: [Int32Array.of(0, 0, 0, 0, 0, 9, 0, 0), zeros(8)],
      scalars: [integer(1)],
      request: { blocks: { from: 1, to: 5 } },
    });
    expect(outcome.kind).toBe("completed");
    expect([...(buffers[1] ?? [])]).toEqual([0, 12, 11, 10, 9, 0, 0, 0]);
  });

  it.each([
    [1, 32],
    [7, 96],
    [108, 256],
    [600, 64],
  ])("meet at grid-wide barriers: %i blocks of %i", (grid, block) => {
    const n = 5000;
    const input = Int32Array.from({ length: n }, (_, index) => (index * 7919) % 1000);
    const first = count(n, (index) => 2 * (input[n - 1 - index] ?? 0));
    const second = count(n, (index) => (first[(index + n / 2) % n] ?? 0) + 1);
    check(
      {
        entry: "grid_phases",
        grid,
        block,
        buffers: [input, zeros(n), zeros(n), zeros(n + 1)],
        scalars: [integer(n)],
        request: { cooperative: true, instructionBudget: 1e9 },
      },
      [...count(n, (index) => (second[n - 1 - index] ?? 0) - (first[index] ?? 0)), grid],
    );
  });

  it("do not meet in an ordinary launch", () => {
    const { outcome } = attempt(text, {
      entry: "grid_phases",
      grid: 2,
      block: 32,
      buffers: [zeros(8), zeros(8), zeros(8), zeros(9)],
      scalars: [integer(8)],
    });
    expect(outcome).toMatchObject({ kind: "fault", finding: { kind: "trap" } });
  });

  it("may be too many for a cooperative launch", () => {
    const trial: Trial = {
      entry: "grid_phases",
      grid: 2000,
      block: 256,
      buffers: [zeros(8), zeros(8), zeros(8), zeros(9)],
      scalars: [integer(8)],
      request: { cooperative: true },
    };
    const message =
      "invalid launch: 2000 blocks of a cooperative launch are more than the 864 that the GPU holds at once";
    expect(attempt(text, trial).outcome).toMatchObject({
      kind: "fault",
      finding: { kind: "invalid-launch", message },
    });
  });
});

suite("threads that wait for ever", () => {
  it("are a deadlock with its line when all blocks wait", () => {
    const { outcome } = attempt(text, { entry: "embrace", grid: 2, block: 32, buffers: [zeros(3)] });
    expect(outcome).toMatchObject({
      kind: "fault",
      finding: {
        kind: "deadlock",
        line: lineOf("never free"),
        message:
          'deadlock: thread (0,0,0) of block (1,0,0) waits at "buffer 0"+0x0 for what no thread will do any more; 31 threads of this block have ended; 1 block has ended',
      },
    });
  });

  it("are a deadlock when the block that they wait for has no place", () => {
    const { outcome } = attempt(text, {
      entry: "block_chain",
      grid: 40,
      block: 64,
      buffers: [zeros(40), zeros(40)],
      scalars: [integer(1)],
      request: { residentBlocks: 16 },
    });
    expect(outcome).toMatchObject({
      kind: "fault",
      finding: { kind: "deadlock", line: lineOf("flags[other]") },
    });
    expect(outcome.kind === "fault" ? outcome.finding.message : "").toMatch(
      /; 24 blocks have no place beside the 16 that wait$/,
    );
  });

  it("end in the budget when it runs out before that is certain", () => {
    const { outcome } = attempt(text, {
      entry: "embrace",
      grid: 2,
      block: 32,
      buffers: [zeros(3)],
      request: { instructionBudget: 2000 },
    });
    expect(outcome).toMatchObject({ kind: "budget-exceeded", line: lineOf("never free") });
  });

  it("can be stopped", () => {
    let asked = 0;
    const { outcome } = attempt(text, {
      entry: "embrace",
      grid: 2,
      block: 32,
      buffers: [zeros(3)],
      request: { shouldStop: () => (asked += 1) > 3 },
    });
    expect(outcome.kind).toBe("stopped");
  });
});

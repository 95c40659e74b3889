import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { afterWorkOf, treeWork, withoutPauses, workClock } from "../../../server/host/process/work-clock";

/** Milliseconds that pass, and those that processors work meanwhile; undefined where nobody can tell. */
type Turn = readonly [passed: number, worked: number | undefined];

test.each<readonly [string, readonly Turn[], readonly number[]]>([
  [
    "a machine of one's own",
    [
      [1000, 1000],
      [1000, 990],
    ],
    [1000, 1990],
  ],
  [
    "several processors count as one",
    [
      [1000, 1900],
      [1000, 4000],
    ],
    [1000, 2000],
  ],
  [
    "a busy machine: only what was worked",
    [
      [1000, 100],
      [1000, 50],
      [1000, 300],
    ],
    [100, 150, 450],
  ],
  [
    "who waits comes to an end all the same",
    [
      [1000, 0],
      [1000, 5],
      [1000, 400],
    ],
    [1000, 2000, 2400],
  ],
  [
    "without a measure, all that passes",
    [
      [1000, undefined],
      [500, undefined],
    ],
    [1000, 1500],
  ],
])("%s", (_, turns, expected) => {
  let [now, used]: [number, number | undefined] = [0, turns[0]?.[1] === undefined ? undefined : 0];
  const clock = workClock({ now: () => now, used: () => used });
  const told = turns.map(([passed, worked]) => {
    now += passed;
    used = worked === undefined || used === undefined ? undefined : used + worked;
    return clock();
  });
  expect(told).toEqual(expected);
});

test("time in which nobody's patience wears out is left out", () => {
  let [now, isPaused] = [0, false];
  const clock = withoutPauses(
    () => now,
    () => isPaused,
  );
  const told = [false, true, true, false].map((paused) => {
    [now, isPaused] = [now + 1000, paused];
    return clock();
  });
  expect(told).toEqual([1000, 1000, 1000, 2000]);
});

test.each([
  ["a machine of one's own", 1, 5],
  ["a tenth of a processor", 0.1, 41],
  ["nothing works", 0, 5],
])("a limit of five seconds of work, %s", (_, share, expected) => {
  vi.useFakeTimers();
  let [turns, end] = [0, 0];
  const meter = { now: () => 1000 * turns, used: () => 1000 * share * turns };
  const stop = afterWorkOf(meter, 5, () => (end = turns));
  while (end === 0 && turns < 100) {
    turns += 1;
    vi.advanceTimersByTime(1000);
  }
  stop();
  vi.useRealTimers();
  expect(end).toBe(expected);
});

test.runIf(process.platform === "linux")(
  "what a child of a child has worked is work of this process's tree",
  () => {
    const before = treeWork.used() ?? 0;
    const busy =
      "let x = 0; const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end) x++";
    const child = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`;
    execFileSync(process.execPath, ["-e", child]);
    expect((treeWork.used() ?? 0) - before).toBeGreaterThanOrEqual(300);
  },
);

test.runIf(process.platform === "linux")(
  "so is what one that still runs works between two looks",
  async () => {
    const busy = "const end = process.cpuUsage().user + 2e5; while (process.cpuUsage().user < end);";
    const child = spawn(process.execPath, ["-e", `${busy} console.log(); process.stdin.resume();`]);
    const before = treeWork.used() ?? 0;
    await once(child.stdout, "data");
    const worked = (treeWork.used() ?? 0) - before;
    child.stdin.end();
    await once(child, "exit");
    expect(worked).toBeGreaterThanOrEqual(100);
  },
);

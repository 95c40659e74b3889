import { expect, test } from "vitest";
import { RepeatAllowance } from "../../../server/host/program/device/watch/repeat-allowance";

/** Launches of 2 ms, a letter each: `n` shows something new, `r` repeats; skipped ones become `-`. */
function launched(milliseconds: number | undefined, launches: string): string {
  let now = 0;
  const allowance = new RepeatAllowance(milliseconds, () => now);
  const run = [...launches].map((each) => {
    const ended = allowance.begin(() => each === "r");
    if (ended === undefined) return "-";
    now += 2;
    ended();
    return each;
  });
  return `${run.join("")} ${allowance.skipped}`;
}

test.each<readonly [string, number | undefined, string, string]>([
  ["without an end all launches run", undefined, "nrrrrr", "nrrrrr 0"],
  ["repeated ones are skipped once they have run long enough", 4, "nrrrrr", "nrr--- 3"],
  ["new ones always run, and cost nothing", 4, "nnnnnrrrnr", "nnnnnrr-n- 2"],
])("%s", (_, milliseconds, launches, expected) => {
  expect(launched(milliseconds, launches)).toBe(expected);
});

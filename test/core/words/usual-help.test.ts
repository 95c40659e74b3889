import { expect, test } from "vitest";
import { countersWith } from "../../../server/core/timing/counter-catalogue";
import { usualHelp } from "../../../server/core/words/usual-help";

test.each(countersWith("ideal").map(([counter]) => counter))("%s: something helps", (counter) => {
  expect(usualHelp([{ counter }])).toMatch(/^What usually helps: .{40,}\.$/);
});

test("each is said once, in the order of the faults", () => {
  const [first, second] = ["sharedWavefronts", "divergentBranches"] as const;
  const alone = [first, second].map((counter) =>
    usualHelp([{ counter }]).slice("What usually helps: ".length, -1),
  );
  expect(usualHelp([{ counter: first }, { counter: second }, { counter: first }])).toBe(
    `What usually helps: ${alone.join("; ")}.`,
  );
  expect(usualHelp([])).toBe("");
});

import { expect, test } from "vitest";
import { judgeEntry } from "../../corpus/judge-entry";
import { corpus } from "../../harness/corpus";

/** A share that takes seconds; `npm run corpus` checks all. */
const share = corpus().filter(({ quick }) => quick);

test.each(share)("$id, as a stranger brings it, is $verdict", async (entry) => {
  const { standing, words } = await judgeEntry(entry);
  expect(["as expected", "asked"].includes(standing) ? "as expected" : `${standing}: ${words}`).toBe(
    "as expected",
  );
});

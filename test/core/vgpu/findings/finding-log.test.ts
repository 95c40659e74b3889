import { expect, test } from "vitest";
import {
  type FindingDraft,
  FindingLog,
  sharedWordKey,
  wordKey,
} from "../../../../server/core/vgpu/launch/findings/findings";

const draft = (message: string): FindingDraft => ({ kind: "shared-race", message });

test("words of blocks and of global memory have keys of their own", () => {
  const words = [0, 4, 232_444].flatMap((at) => [
    wordKey(at),
    ...[0, 1, 2 ** 31 - 1].map((block) => sharedWordKey(block, at)),
  ]);
  expect(new Set(words).size).toBe(words.length);
  expect(wordKey(6)).toBe(wordKey(4));
  expect(sharedWordKey(7, 6)).toBe(sharedWordKey(7, 4));
  expect(words.every(Number.isSafeInteger)).toBe(true);
});

test("a cause that is counted elsewhere is told as one that is noted, by its highest rank", () => {
  const log = new FindingLog();
  const cause = log.causeOf("race", () => draft("near"), 0);
  expect(log.list()).toEqual([]);
  for (let time = 0; time < 3; time += 1) if (cause) cause.count += 1;
  expect(log.note("race", () => draft("far"), 1)).toBe(cause);
  expect(log.note("race", () => draft("near again"), 0)).toBe(cause);
  expect(log.list()).toEqual([{ ...draft("far; 5 times"), count: 5 }]);
});

test("a race in a block explains reads of that block alone", () => {
  const log = new FindingLog();
  for (const block of [0, 1]) log.noteRead("read", [sharedWordKey(block, 8)], () => draft("read"));
  log.explain(sharedWordKey(1, 8));
  log.explain(sharedWordKey(1, 8));
  log.explain(wordKey(8));
  expect(log.list()).toEqual([{ ...draft("read"), count: 1 }]);
});

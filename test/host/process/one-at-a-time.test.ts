import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { oneAtATime } from "../../../server/host/process/one-at-a-time";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-one-at-a-time-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newMark = (): string => join(folder, `${(count += 1)}.building`);
const never = new AbortController().signal;

/** No process has it: Linux counts up to 2^22. */
const nobody = String(2 ** 22 + 1);

test("of several that want the same one does the work", async () => {
  const mark = newMark();
  let works = 0;
  const work = async (): Promise<void> => {
    await wait(50);
    works += 1;
  };
  const want = (): Promise<void> => oneAtATime(mark, { isDone: () => works > 0, work, signal: never });
  await Promise.all([want(), want(), want()]);
  expect([works, existsSync(mark)]).toEqual([1, false]);
});

test("one that fails is told so, and the next one tries", async () => {
  const mark = newMark();
  let works = 0;
  const want = (work: () => Promise<void>): Promise<void> =>
    oneAtATime(mark, { isDone: () => works > 0, work, signal: never });
  let next: Promise<void> | undefined;
  const failing = want(() => {
    next = want(() => Promise.resolve(void (works += 1)));
    return Promise.reject(new Error("no compiler"));
  });
  const ended = await Promise.allSettled([failing, failing.catch(() => next)]);
  expect([ended.map(({ status }) => status), works, existsSync(mark)]).toEqual([
    ["rejected", "fulfilled"],
    1,
    false,
  ]);
});

test.each([
  ["a process that is gone", nobody, 0, true],
  ["a process that is at work", String(process.pid), 0, false],
  ["a process that has been at work for too long", String(process.pid), 601, true],
  ["nobody yet", "", 0, false],
  ["a disk that was full", "", 6, true],
])("the mark of %s", async (_, content, ageSeconds, isTakenOver) => {
  const mark = newMark();
  writeFileSync(mark, content);
  const written = new Date(Date.now() - ageSeconds * 1000);
  utimesSync(mark, written, written);
  let works = 0;
  const work = (): Promise<void> => Promise.resolve(void (works += 1));
  const wanted = oneAtATime(mark, { isDone: () => works > 0, work, signal: AbortSignal.timeout(100) });
  await wanted.catch((thrown: unknown) => expect(thrown).toMatchObject({ code: "cancelled" }));
  expect([works, existsSync(mark)]).toEqual(isTakenOver ? [1, false] : [0, true]);
});

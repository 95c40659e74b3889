import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { validateEvents } from "../../../server/core/trajectory/validate";
import { streams } from "../../core/trajectory/event-streams";
import { decidedEvent, endEvent, openStore, startEvent, withStore, readWhole } from "./session-fixtures";
import { draws, stride } from "../../harness/draws";

/** A sealed session of `count` events between its start and its end. */
async function sealedSession(
  root: string,
  count: number,
): Promise<{ readonly sessionId: string; readonly path: string }> {
  const log = await openStore(root).create();
  await log.append(startEvent("t"));
  for (let index = 0; index < count; index++)
    await log.append({
      type: "loop.detected",
      actor: { kind: "engine" },
      data: { pattern: `number ${index}` },
    });
  await log.append(endEvent);
  await log.close();
  return { sessionId: log.sessionId, path: join(root, log.sessionId, "events-000001.jsonl") };
}

/** What the writer was given, also for a type that this version cannot read. */
function asWritten(event: SessionEvent): object {
  const { actor } = event;
  return event.type === "unread"
    ? { type: event.data.type, actor, data: event.data.content }
    : { type: event.type, actor, data: event.data };
}

describe("what is written", () => {
  it("is read back the same, whatever it is and however it is interleaved", () =>
    fc.assert(
      fc.asyncProperty(streams, fc.boolean(), (stream, atOnce) =>
        withStore(async (store) => {
          const log = await store.create();
          const written: SessionEvent[] = [];
          if (atOnce) written.push(...(await Promise.all(stream.events.map((event) => log.append(event)))));
          else for (const event of stream.events) written.push(await log.append(event));
          await log.close();
          const { events, damaged } = await readWhole(store, log.sessionId);
          expect(damaged).toBeUndefined();
          expect(events).toEqual(written);
          expect(events.map(asWritten)).toEqual(
            stream.events.map(({ type, actor, data }) => ({ type, actor, data })),
          );
          const reopened = await store.reopen(log.sessionId);
          expect((await reopened.logged.all()).slice(0, written.length)).toEqual(written);
          await reopened.append(endEvent);
          await reopened.close();
          expect(validateEvents((await readWhole(store, log.sessionId)).events)).toEqual([]);
        }),
      ),
      { numRuns: draws(25) },
    ));

  it("goes on in a new segment after eight mebibytes", () =>
    withStore(async (store) => {
      const log = await store.create();
      const pattern = "x".repeat(1024 * 1024);
      for (let index = 0; index < 10; index++)
        await log.append({ type: "loop.detected", actor: { kind: "engine" }, data: { pattern } });
      await log.close();
      const { events, damaged } = await readWhole(store, log.sessionId);
      expect([events.length, events[8]?.type, damaged]).toEqual([11, "segment.opened", undefined]);
    }));
});

describe("a log that was cut or changed", () => {
  it("opens after a cut at any byte, loses at most the cut line, and can be continued", () =>
    withStore(async (store, root) => {
      const { sessionId, path } = await sealedSession(root, 3);
      await rm(join(root, sessionId, "seal.json"));
      const whole = await readFile(path);
      const all = (await readWhole(store, sessionId)).events;
      for (let cut = whole.length; cut >= 0; cut -= stride(7)) {
        await truncate(path, cut);
        const { events, damaged } = await readWhole(store, sessionId);
        expect(damaged).toBeUndefined();
        expect(events).toEqual(all.slice(0, whole.subarray(0, cut).filter((byte) => byte === 10).length));
        if (cut % 3 !== 0) continue;
        const log = await openStore(root).reopen(sessionId);
        expect((await log.logged.all()).slice(0, events.length)).toEqual(events);
        await log.close();
        await rm(join(root, sessionId, "events-000002.jsonl"));
        await rm(join(root, sessionId, "seal.json"), { force: true });
      }
    }));

  it("is named with the event when a byte was flipped; it can be read but not continued", () =>
    withStore(async (store, root) => {
      const { sessionId, path } = await sealedSession(root, 5);
      const whole = await readFile(path, "utf8");
      await writeFile(path, whole.replace("number 2", "number 3"));
      const { events, damaged } = await readWhole(store, sessionId);
      expect([events.length, damaged]).toEqual([7, "event 4 was changed after it was written"]);
      await expect(store.reopen(sessionId)).rejects.toMatchObject({
        code: "session-damaged",
        message: expect.stringContaining("event 4 was changed") as string,
      });
      expect(await store.list()).toMatchObject([
        { status: "damaged", reason: "event 4 was changed after it was written", kernel: "transpose" },
      ]);
      await writeFile(path, whole);
      expect((await store.read(sessionId)).damaged).toBeUndefined();
    }));

  it("is found by its seal when the last line was changed or taken away", () =>
    withStore(async (store, root) => {
      const { sessionId, path } = await sealedSession(root, 1);
      const whole = await readFile(path, "utf8");
      await writeFile(path, whole.replace("no rule applied", "one rule applied"));
      expect((await store.read(sessionId)).damaged).toBe(
        "segment events-000001.jsonl was changed after the session was sealed at event 3",
      );
      await writeFile(path, whole.slice(0, whole.lastIndexOf('{"v"')));
      expect((await store.read(sessionId)).damaged).toMatch(/after the session was sealed/);
      await rm(path);
      expect((await store.read(sessionId)).damaged).toMatch(/is missing/);
    }));

  it("is found when a blob was changed or is missing", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      const tree = await log.snapshot({ "a.cu": "text" }, null);
      await log.close();
      const { events } = await readWhole(store, log.sessionId);
      const hex = events[0]?.blobs?.[0] ?? "";
      const path = join(root, "blobs", "sha256", hex.slice(0, 2), hex);
      await writeFile(path, "other");
      await expect(openStore(root).loadTree(log.sessionId, tree)).rejects.toMatchObject({
        code: "session-damaged",
        message: expect.stringContaining("was changed") as string,
      });
      await rm(path);
      await expect(openStore(root).loadTree(log.sessionId, tree)).rejects.toMatchObject({
        code: "session-damaged",
        message: expect.stringContaining("is missing") as string,
      });
      await expect(store.loadTree(log.sessionId, "0".repeat(64))).rejects.toMatchObject({
        code: "session-damaged",
      });
    }));

  it("of a newer format is refused with what to do", () =>
    withStore(async (store, root) => {
      const { sessionId, path } = await sealedSession(root, 0);
      await writeFile(
        path,
        (await readFile(path, "utf8")).replace('"format_version":"1.0"', '"format_version":"2.0"'),
      );
      await expect(store.read(sessionId)).rejects.toMatchObject({
        code: "session-damaged",
        message: expect.stringContaining("Update Kernelwright") as string,
      });
      expect(await store.list()).toMatchObject([
        { sessionId, status: "damaged", reason: expect.stringContaining("Update Kernelwright") as string },
      ]);
    }));
});

describe("sessions in a folder", () => {
  it("are listed newest first; what is no session is passed over; a missing one is named", () =>
    withStore(async (store, root) => {
      expect(await openStore(join(root, "nowhere")).list()).toEqual([]);
      const first = await sealedSession(root, 1);
      const second = await sealedSession(root, 2);
      await writeFile(join(root, "notes.txt"), "");
      const expected = [second, first].map(({ sessionId }) => ({
        sessionId,
        kernel: "transpose",
        status: "no_gain",
        reason: "no rule applied",
        folder: join(root, sessionId),
      }));
      expect(await store.list()).toMatchObject(expected);
      expect((await stat(join(root, first.sessionId, "cache", "summary.json"))).size).toBeGreaterThan(100);
      expect(await store.list()).toMatchObject(expected);
      for (const id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "../../etc", ""])
        await expect(store.read(id)).rejects.toMatchObject({ code: "session-not-found" });
    }));

  it("report a folder that cannot be made", () =>
    withStore(async (_, root) => {
      await writeFile(join(root, "file"), "");
      await expect(openStore(join(root, "file")).create()).rejects.toMatchObject({
        code: "disk-failed",
        message: expect.stringContaining("KERNELWRIGHT_SESSIONS") as string,
      });
    }));

  it("can be followed while they are written", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      const seen: SessionEvent[] = [];
      const stop = new AbortController();
      const followed = openStore(root).follow(
        log.sessionId,
        (events) => {
          seen.push(...events);
          if (seen.at(-1)?.type === "edit.hunk_decided") stop.abort();
        },
        stop.signal,
      );
      await log.append(startEvent("t"));
      await log.append(endEvent);
      await log.close();
      await store.append(log.sessionId, decidedEvent([], "rejected"));
      await followed;
      expect(seen).toEqual((await readWhole(store, log.sessionId)).events);
    }));
});

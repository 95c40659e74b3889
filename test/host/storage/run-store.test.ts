import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FileRunStore } from "../../../server/host/storage/run-store";
import { decidedEvent, endEvent, openStore, startEvent, withStore, readWhole } from "./session-fixtures";

const baseline = { "a.cu": "__global__ void a() {}\n", "b.h": "#pragma once\r\n" };

describe("a session on disk", () => {
  it("is read back as it was written, and sealed at its end", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      const tree = await log.snapshot(baseline, null);
      const written = [await log.append(startEvent(tree))];
      const next = await log.snapshot({ ...baseline, "a.cu": "changed" }, tree);
      written.push(await log.append(endEvent));
      await log.close();

      const { events, damaged } = await readWhole(store, log.sessionId);
      expect(damaged).toBeUndefined();
      expect(events.map((event) => event.type)).toEqual([
        "tree.snapshot",
        "session.started",
        "tree.snapshot",
        "session.ended",
      ]);
      expect([events[1], events[3]]).toEqual(written);
      expect(await store.loadTree(log.sessionId, tree)).toEqual(baseline);
      expect(await openStore(root).loadTree(log.sessionId, next)).toEqual({ ...baseline, "a.cu": "changed" });
      expect((await readdir(join(root, log.sessionId))).sort()).toEqual([
        "events-000001.jsonl",
        "seal.json",
        "session.json",
      ]);
    }));

  it("keeps long texts as blobs and gives them back", () =>
    withStore(async (store) => {
      const log = await store.create();
      const long = "é".repeat(5000);
      const stored = await log.storeText(long);
      expect(stored).toMatchObject({ bytes: 10_000, preview: "é".repeat(512) });
      expect(await log.loadText(stored)).toBe(long);
      expect(await store.loadText(stored)).toBe(long);
      expect(await log.storeText("short")).toBe("short");
      await log.close();
    }));

  it("refuses a second writer, and lets it in after the first has closed", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      await log.append(startEvent("t"));
      await expect(openStore(root).reopen(log.sessionId)).rejects.toMatchObject({ code: "session-locked" });
      await log.close();
      const second = await openStore(root).reopen(log.sessionId);
      expect((await second.logged.all()).map((event) => event.type)).toEqual([
        "session.started",
        "segment.opened",
        "session.recovered",
      ]);
      await second.close();
    }));

  it.each([
    ["a decision", (store: FileRunStore, id: string) => store.append(id, decidedEvent([], "rejected"))],
    ["a resume", async (store: FileRunStore, id: string) => (await store.reopen(id)).close()],
  ])("takes %s at any moment of its closing", (_what, come) =>
    withStore(async (store) => {
      for (let turns = 0; turns < 24; turns++) {
        const log = await store.create();
        await log.append(startEvent("t"));
        await log.append(endEvent);
        const closed = log.close();
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        await come(store, log.sessionId);
        await closed;
      }
    }),
  );

  it("takes a decision after its end in a segment of its own and is sealed again", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      await log.append(startEvent("t"));
      await log.append(endEvent);
      await log.close();
      await store.append(log.sessionId, decidedEvent(["h1"], "accepted"));
      const { events } = await readWhole(store, log.sessionId);
      expect(events.map((event) => event.type)).toEqual([
        "session.started",
        "session.ended",
        "segment.opened",
        "edit.hunk_decided",
      ]);
      const seal = JSON.parse(await readFile(join(root, log.sessionId, "seal.json"), "utf8")) as {
        last_seq: number;
        segments: unknown[];
      };
      expect(seal).toMatchObject({
        last_seq: 4,
        segments: [{ file: "events-000001.jsonl" }, { file: "events-000002.jsonl" }],
      });
      expect(await store.list()).toMatchObject([{ sessionId: log.sessionId, status: "no_gain", events: 4 }]);
    }));

  it("never holds a secret that the store knows, nor one that looks like one", () =>
    withStore(async (store, root) => {
      store.learnSecret("hunter2-secret");
      const log = await store.create();
      const reference = await log.storeText(`${"x".repeat(9000)} hunter2-secret sk-${"a".repeat(30)}`);
      await log.append({
        type: "llm.failed",
        actor: { kind: "agent" },
        data: {
          request: "r",
          failure: "network",
          message: "Authorization: Bearer hunter2-secret",
          attempts: 1,
          cost_usd: null,
        },
      });
      await expect(log.snapshot({ "a.cu": "// one\n// hunter2-secret\n" }, null)).rejects.toMatchObject({
        code: "file-unreadable",
      });
      expect(await log.loadText(reference)).toContain("[redacted:known-key] [redacted:api-key]");
      await log.close();
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (entry.isFile())
          expect(await readFile(join(entry.parentPath, entry.name), "utf8")).not.toContain("hunter2");
      }
    }));
});

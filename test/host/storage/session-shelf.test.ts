import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { createSessionService } from "../../../server/host/services/session-service";
import { endEvent, openShelf, openStore, startEvent, unlabelled, withStore } from "./session-fixtures";

it("a session has the name that its user gave, until it is taken away", () =>
  withStore(async (store, root) => {
    const log = await store.create();
    await log.append(startEvent("t"));
    await log.append(endEvent);
    await log.close();
    const shelf = openShelf(root);
    const names: (string | undefined)[] = [];
    for (const name of ["padded tiles", "key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD", ""]) {
      await shelf.rename(log.sessionId, name);
      names.push((await store.list())[0]?.name);
    }
    expect(names).toEqual(["padded tiles", expect.not.stringContaining("sk-abcdefghijk"), undefined]);
    expect((await store.read(log.sessionId)).damaged).toBeUndefined();
  }));

it("a session goes with the file of its kernel, and back, whatever its log says", () =>
  withStore(async (store, root) => {
    const log = await store.create();
    await log.append(startEvent("t"));
    await log.append(endEvent);
    await log.close();
    const service = createSessionService({
      ...{ store, shelf: openShelf(root), annotations: unlabelled, workspaceDigest: "0".repeat(64) },
      export: () => Promise.reject(new Error("nothing is exported here")),
    });
    const placed: unknown[] = [];
    for (const [from, to] of [
      ["samples/transpose.cu", "samples/turn.cu"],
      ["samples/transpose.cu", "samples/other.cu"],
      ["samples", "kernels"],
      ["kernels/turn.cu", "samples/transpose.cu"],
    ] as const)
      placed.push([await service.follow([{ from, to }]), (await store.list())[0]?.file]);
    expect(placed).toEqual([
      [1, "samples/turn.cu"],
      [0, "samples/turn.cu"],
      [1, "kernels/turn.cu"],
      [1, "samples/transpose.cu"],
    ]);
    const elsewhere = createSessionService({
      ...{ store, shelf: openShelf(root), annotations: unlabelled, workspaceDigest: "1".repeat(64) },
      export: () => Promise.reject(new Error("nothing is exported here")),
    });
    expect(await elsewhere.follow([{ from: "samples", to: "kernels" }])).toBe(0);
    expect((await store.read(log.sessionId)).damaged).toBeUndefined();
  }));

it("a session is removed whole, but not while it is written", () =>
  withStore(async (store, root) => {
    const log = await store.create();
    await log.append(startEvent("t"));
    const shelf = openShelf(root);
    await expect(shelf.remove(log.sessionId)).rejects.toMatchObject({ code: "session-locked" });
    await log.append(endEvent);
    await log.close();
    expect((await store.read(log.sessionId)).logged.count).toBe(2);
    await shelf.remove(log.sessionId);
    expect(await readdir(root)).toEqual([]);
    await expect(store.read(log.sessionId)).rejects.toMatchObject({ code: "session-not-found" });
    expect(await openStore(root).list()).toEqual([]);
    for (const name of ["..", "../sessions", ""])
      await expect(shelf.remove(name)).rejects.toMatchObject({ code: "session-not-found" });
  }));

import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownMark, stateOf, type ProcessMark } from "../../../server/host/storage/process-mark";
import { defaultSessionsRoot } from "../../../server/host/storage/session/session-folder";
import { WriterLock } from "../../../server/host/storage/writer-lock";
import { systemClock } from "../../../server/host/system/clock";
import { systemIdentity } from "../../../server/host/system/identity";
import { withStore } from "./session-fixtures";

const ports = { clock: systemClock, identity: systemIdentity };
const own = ownMark();
/** No system gives out a number this large. */
const noProcess = 0x7fff_fff0;
const longAgo = "2020-01-01T00:00:00.000Z";

/** What an earlier holder may have left, and whether another may take over. */
const holders: readonly (readonly [
  string,
  Partial<ProcessMark> & { readonly heartbeat?: string },
  "held" | "free",
])[] = [
  ["this process", {}, "held"],
  ["this process, silent for years (it was suspended)", { heartbeat: longAgo }, "held"],
  ["a process that is gone", { pid: noProcess }, "free"],
  ["an earlier process with the same number", { start: "1" }, "free"],
  ["a process of an earlier boot", { boot: "earlier" }, "free"],
  ["another machine, heard just now", { scope: "elsewhere" }, "held"],
  ["another machine, silent for years", { scope: "elsewhere", heartbeat: longAgo }, "free"],
];

describe("the lock of a writer", () => {
  it.each(holders)("held by %s", (_, holder, expected) =>
    withStore(async (_store, root) => {
      const path = join(root, "writer.lock");
      await writeFile(path, JSON.stringify({ ...own, heartbeat: systemClock.now(), ...holder }));
      expect(await WriterLock.isHeld(path, systemClock)).toBe(expected === "held");
      if (expected === "held")
        await expect(WriterLock.acquire(path, ports)).rejects.toMatchObject({ code: "session-locked" });
      else {
        const lock = await WriterLock.acquire(path, ports);
        expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ ...own });
        await lock.release();
      }
      expect((await readdir(root)).filter((name) => name !== "writer.lock")).toEqual([]);
    }),
  );

  it("that cannot be read is taken over", () =>
    withStore(async (_store, root) => {
      const path = join(root, "writer.lock");
      await writeFile(path, "");
      await (await WriterLock.acquire(path, ports)).release();
      expect(await readdir(root)).toEqual([]);
    }));

  it("goes to exactly one of many that see the same stale one", () =>
    withStore(async (_store, root) => {
      const path = join(root, "writer.lock");
      for (let round = 0; round < 10; round++) {
        await writeFile(path, JSON.stringify({ ...own, pid: noProcess, heartbeat: `${longAgo}${round}` }));
        const tries = await Promise.allSettled(
          Array.from({ length: 12 }, () => WriterLock.acquire(path, ports)),
        );
        const won = tries.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
        expect(won.length).toBe(1);
        for (const attempt of tries)
          if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "session-locked" });
        await won[0]?.release();
        expect(await readdir(root)).toEqual([]);
      }
    }));

  it("is not removed by one who has lost it", () =>
    withStore(async (_store, root) => {
      const path = join(root, "writer.lock");
      const lock = await WriterLock.acquire(path, ports);
      const other = `${path}.other`;
      await writeFile(other, "{}");
      await rename(other, path);
      await lock.release();
      expect(await readFile(path, "utf8")).toBe("{}");
    }));
});

describe("a process", () => {
  it("is told from every other", () => {
    expect(stateOf(own)).toBe("alive");
    expect(stateOf({ ...own, pid: noProcess })).toBe("dead");
    expect(stateOf({ ...own, scope: "elsewhere" })).toBe("unknown");
  });
});

describe("the folder of sessions", () => {
  it.each([
    [{ HOME: "/h" }, undefined, "/h/.local/share/kernelwright/sessions"],
    [{ HOME: "/h", XDG_DATA_HOME: "/d" }, undefined, "/d/kernelwright/sessions"],
    [{ HOME: "/h", XDG_DATA_HOME: "relative" }, undefined, "/h/.local/share/kernelwright/sessions"],
    [{ HOME: "/h", KERNELWRIGHT_SESSIONS: "/k" }, undefined, "/k"],
    [{ HOME: "/h", KERNELWRIGHT_SESSIONS: "/k" }, "/s", "/s"],
  ])("%j %s", (environment, setting, expected) => {
    expect(defaultSessionsRoot(environment, setting)).toBe(expected);
  });
});

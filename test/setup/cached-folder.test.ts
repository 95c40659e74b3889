import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cachedFolder } from "../../server/setup/support/cached-folder.mjs";

describe("a folder of the cache", () => {
  let base: string;
  let folder: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "kernelwright-cache-"));
    folder = join(base, "piece-1");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  const fill = async () => writeFileSync(join(folder, "content"), "");

  it("is built once", async () => {
    let builds = 0;
    const build = async () => {
      builds += 1;
      await fill();
    };
    expect(await cachedFolder(folder, build)).toBe(folder);
    await cachedFolder(folder, build);
    expect(builds).toBe(1);
    expect(readdirSync(base)).toEqual(["piece-1"]);
  });

  it("is built once by two set-ups at the same time", async () => {
    let builds = 0;
    const build = async () => {
      builds += 1;
      await fill();
    };
    await Promise.all([cachedFolder(folder, build), cachedFolder(folder, build)]);
    expect(builds).toBe(1);
  });

  it("is built anew after a build that failed", async () => {
    const broken = cachedFolder(folder, async () => {
      writeFileSync(join(folder, "half"), "");
      throw new Error("no network");
    });
    await expect(broken).rejects.toThrow("no network");
    await cachedFolder(folder, fill);
    expect(existsSync(join(folder, "half"))).toBe(false);
    expect(existsSync(join(folder, "content"))).toBe(true);
  });
});

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exclusively } from "../../server/setup/support/lock.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";

describe("a lock of set-up", () => {
  let base: string;
  let path: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "kernelwright-lock-"));
    path = join(base, "not", "there", "work.lock");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it("lets one piece of work in at a time, and leaves nothing behind", async () => {
    let inside = 0;
    const most: number[] = [];
    const work = async (): Promise<void> => {
      inside += 1;
      most.push(inside);
      await new Promise((wake) => setTimeout(wake, 20));
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => exclusively(path, work)));
    expect(most).toEqual([1, 1, 1]);
    expect(readdirSync(join(base, "not", "there"))).toEqual([]);
  });

  it("is given back when the work fails", async () => {
    const broken = exclusively(path, () => Promise.reject(new Error("no network")));
    await expect(broken).rejects.toThrow("no network");
    expect(existsSync(path)).toBe(false);
  });

  it("waits for another process and says so; once that is killed it is taken over", async () => {
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { exclusively } from ${JSON.stringify(inRepository("server/setup/support/lock.mjs"))};
         await exclusively(${JSON.stringify(path)}, () => new Promise(() => setInterval(() => undefined, 1000) && console.log("in")));`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const said: string[] = [];
    const entered = exclusively(
      path,
      () => Promise.resolve("in"),
      (line: string) => {
        said.push(line);
        holder.kill("SIGKILL");
      },
    );
    expect(await entered).toBe("in");
    expect(said).toEqual([`waiting for another set-up that is at work (process ${holder.pid})`]);
  });

  const abandoned = [
    // No process has this number: Linux ends at 4194304.
    { what: "of a process that is gone", content: { pid: 4_999_999, started: "1", host: hostname() } },
    {
      what: "of an earlier process with a number that is in use again",
      content: { pid: process.pid, started: "1", host: hostname() },
    },
    {
      what: "of another machine that has been silent for minutes",
      content: { pid: process.pid, host: "elsewhere" },
      age: 300,
    },
    { what: "that a full disk left empty", content: undefined, age: 300 },
  ];
  for (const { what, content, age = 0 } of abandoned) {
    it(`is taken over when it is one ${what}`, async () => {
      path = join(base, "work.lock");
      writeFileSync(path, content ? JSON.stringify(content) : "");
      const then = new Date(Date.now() - age * 1000);
      utimesSync(path, then, then);
      const said: string[] = [];
      expect(
        await exclusively(
          path,
          () => Promise.resolve("in"),
          (line: string) => said.push(line),
        ),
      ).toBe("in");
      expect({ said, left: readdirSync(base) }).toEqual({ said: [], left: [] });
    });
  }
});

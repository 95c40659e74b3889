import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateLog } from "../../../server/core/trajectory/validate";
import { systemIdentity } from "../../../server/host/system/identity";
import { endEvent, openStore, withStore, readWhole } from "./session-fixtures";

let folder = "";
let script = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kernelwright-writer-"));
  script = join(folder, "writer.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "writer-process.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Writer {
  readonly process: ChildProcess;
  readonly lines: AsyncIterator<string>;
}

function startWriter(root: string, sessionId: string, limit?: string): Writer {
  const child =
    limit === undefined
      ? spawn(process.execPath, [script, root, sessionId], { stdio: ["ignore", "pipe", "inherit"] })
      : spawn("sh", ["-c", `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, script, root, sessionId], {
          stdio: ["ignore", "pipe", "inherit"],
        });
  return {
    process: child,
    lines: createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator](),
  };
}

async function nextLine(writer: Writer): Promise<string> {
  const { value, done } = await writer.lines.next();
  return done ? "" : value;
}

async function readAccepted(writer: Writer, atLeast: number): Promise<number> {
  for (;;) {
    const line = await nextLine(writer);
    expect(line).toMatch(/^event \d+$/);
    const accepted = Number(line.slice("event ".length));
    if (accepted >= atLeast) return accepted;
  }
}

async function kill(writer: Writer): Promise<void> {
  const gone = new Promise((resolve) => writer.process.once("exit", resolve));
  writer.process.kill("SIGKILL");
  await gone;
}

async function segmentsOf(root: string, sessionId: string): Promise<readonly Uint8Array[]> {
  const names = (await readdir(join(root, sessionId)))
    .filter((name) => /^events-\d+\.jsonl$/.test(name))
    .sort();
  return Promise.all(names.map((name) => readFile(join(root, sessionId, name))));
}

describe("a writer that is killed in the middle of writing", () => {
  it("loses nothing that was accepted, however often it happens, and goes on from there", () =>
    withStore(async (store, root) => {
      let sessionId = "create";
      let accepted = 0;
      for (let round = 0; round < 6; round++) {
        const writer = startWriter(root, sessionId);
        const first = await nextLine(writer);
        expect(first).toMatch(/^session /);
        sessionId = first.slice("session ".length);
        expect(await store.list()).toMatchObject([{ sessionId, status: "running" }]);
        await expect(store.reopen(sessionId)).rejects.toMatchObject({ code: "session-locked" });
        accepted = await readAccepted(writer, accepted + 7 + round * 5);
        await kill(writer);

        const { events, damaged } = await readWhole(store, sessionId);
        expect(damaged).toBeUndefined();
        expect(events.length).toBeGreaterThanOrEqual(accepted);
        expect(await store.list()).toMatchObject([{ sessionId, status: "crashed" }]);
        for (const event of events)
          if (event.type === "tool.returned")
            expect((await store.loadText(event.data.output)).length).toBeGreaterThan(10);
      }
      const log = await store.reopen(sessionId);
      const events = await log.logged.all();
      expect(events.filter((event) => event.type === "session.recovered").length).toBe(6);
      await log.append(endEvent);
      await log.close();
      expect(validateLog(await segmentsOf(root, sessionId), (bytes) => systemIdentity.sha256(bytes))).toEqual(
        [],
      );
      expect(await store.list()).toMatchObject([{ status: "no_gain" }]);
    }));

  it("leaves a half line, which is moved aside, and closes the call that has no result", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      await log.append({
        type: "tool.called",
        actor: { kind: "agent" },
        data: { call: "lost", name: "check", arguments: {}, effect: "gpu", origin: "model" },
      });
      await log.append({
        type: "llm.request",
        actor: { kind: "agent" },
        data: {
          request: "open",
          provider: "p",
          model: "m",
          messages: [],
          tools: [],
          purpose: "act",
          max_output_tokens: 1,
        },
      });
      await log.close();
      const path = join(root, log.sessionId, "events-000001.jsonl");
      const whole = await readFile(path);
      await writeFile(path, Buffer.concat([whole, Buffer.from('{"v":1,"seq":3,"ty')]));

      const reopened = await openStore(root).reopen(log.sessionId);
      const events = await reopened.logged.all();
      await reopened.close();
      expect(events.slice(2).map((event) => [event.type, event.data])).toMatchObject([
        ["segment.opened", { segment: 2 }],
        ["session.recovered", { torn_bytes: 18, lost_calls: ["lost", "open"] }],
        ["tool.returned", { call: "lost", status: "lost" }],
        ["llm.failed", { request: "open", failure: "lost" }],
      ]);
      expect(await readFile(path)).toEqual(whole);
      expect(await readFile(`${path}.torn`, "utf8")).toBe('{"v":1,"seq":3,"ty');
    }));
});

describe("a disk that takes no more", () => {
  it("stops the writer with a clear error, and leaves only whole lines", () =>
    withStore(async (store, root) => {
      // 16 blocks of 512 bytes: a file may grow to 8 KiB, and the system then takes a part of the line that
      // crosses it.
      const writer = startWriter(root, "create", "16");
      const sessionId = (await nextLine(writer)).slice("session ".length);
      let line = "";
      for (line = await nextLine(writer); line.startsWith("event");) line = await nextLine(writer);
      expect(line).toMatch(
        /^failed disk-failed Could not write .*: the file has reached the size limit of this account\. Make room/,
      );
      await new Promise((resolve) =>
        writer.process.exitCode === null ? writer.process.once("exit", resolve) : resolve(undefined),
      );
      const segments = await segmentsOf(root, sessionId);
      expect(segments[0]?.at(-1)).toBe(10);
      expect((await store.read(sessionId)).damaged).toBeUndefined();
      const stray = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".tmp"));
      expect(stray).toEqual([]);
    }));
});

import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CodeCache } from "../../../server/host/start/code-cache";
import { runBundle } from "../../../server/host/start/run-bundle";
import { projectRoot } from "../../architecture/project";

const top = mkdtempSync(join(tmpdir(), "kernelwright-code-cache-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const code = Uint8Array.from({ length: 4096 }, (_, index) => index % 251);
const isRoot = process.getuid?.() === 0;

/** A place that has changed since code was kept there, or before. */
interface Place {
  readonly folder: string;
  readonly file: string;
}

const changes: readonly {
  readonly what: string;
  readonly change: (place: Place) => void;
  /** What is read then; nothing when left out. */
  readonly read?: Uint8Array;
  readonly skip?: boolean;
}[] = [
  { what: "nothing", change: () => undefined, read: code },
  { what: "the file is gone", change: ({ file }) => rmSync(file) },
  { what: "the file was cut", change: ({ file }) => truncateSync(file, 100) },
  { what: "the file is empty", change: ({ file }) => truncateSync(file) },
  {
    what: "a byte of the file was changed",
    change: ({ file }) => {
      const bytes = readFileSync(file);
      bytes.writeUInt8(bytes.readUInt8(2000) ^ 1, 2000);
      writeFileSync(file, bytes);
    },
  },
  { what: "the group may write the file", change: ({ file }) => chmodSync(file, 0o660) },
  { what: "all may write the file", change: ({ file }) => chmodSync(file, 0o602) },
  { what: "all may read the file", change: ({ file }) => chmodSync(file, 0o644), read: code },
  { what: "the group may write the folder", change: ({ folder }) => chmodSync(folder, 0o770) },
  { what: "all may write the folder", change: ({ folder }) => chmodSync(folder, 0o707) },
  {
    what: "the file is somebody else's",
    change: ({ file }) => chownSync(file, 12_345, 12_345),
    skip: !isRoot,
  },
  {
    what: "the folder is somebody else's",
    change: ({ folder }) => chownSync(folder, 12_345, 12_345),
    skip: !isRoot,
  },
  {
    what: "the file is a link",
    change: ({ file }) => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  },
  {
    what: "the folder is a link",
    change: ({ folder }) => {
      renameSync(folder, `${folder}.real`);
      symlinkSync(`${folder}.real`, folder);
    },
  },
  {
    what: "a folder stands in the file's place",
    change: ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
  },
];

test.each(changes.filter(({ skip }) => skip !== true))(
  "code is read back: $what",
  ({ what, change, read }) => {
    const folder = join(top, what, "code");
    const cache = new CodeCache(folder);
    cache.keep("program", code);
    change({ folder, file: join(folder, "program") });
    const found = cache.read("program");
    expect(found && Uint8Array.from(found)).toEqual(read);
  },
);

test.each([
  { what: "a file where the folder should be", spoil: (folder: string) => writeFileSync(folder, "") },
  { what: "a folder that all may write", spoil: (folder: string) => openFolder(folder) },
  { what: "a link", spoil: (folder: string) => symlinkSync(tmpdir(), folder) },
])("nothing is kept in $what", ({ what, spoil }) => {
  const parent = join(top, `spoilt by ${what}`);
  mkdirSync(parent);
  const folder = join(parent, "code");
  spoil(folder);
  const cache = new CodeCache(folder);
  cache.keep("program", code);
  expect(cache.read("program")).toBeUndefined();
  expect(readdirSync(parent)).toEqual(["code"]);
});

function openFolder(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o777);
}

test("only this user can enter the folder, and the oldest files go", () => {
  const folder = join(top, "full");
  const cache = new CodeCache(folder);
  for (let index = 0; index < 26; index += 1) {
    cache.keep(`program-${index}`, code);
    const written = new Date(1_700_000_000_000 + index * 1000);
    utimesSync(join(folder, `program-${index}`), written, written);
  }
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).sort()).toEqual(
    Array.from({ length: 24 }, (_, index) => `program-${index + 2}`).sort(),
  );
});

test("a bundle that is no plain ASCII runs as it was written", () => {
  const path = join(top, "greeting.js");
  writeFileSync(
    path,
    'globalThis.greeting = [require("node:path").basename(__filename), "grüße", exports === module.exports];',
  );
  runBundle(path, { cache: new CodeCache(join(top, "greetings")), keepLater: () => undefined });
  expect((globalThis as { greeting?: unknown }).greeting).toEqual(["greeting.js", "grüße", true]);
});

interface Start {
  readonly said: string;
  readonly code: number | null;
}

function start(cacheHome: string, args: readonly string[], flags: readonly string[] = []): Promise<Start> {
  const child = spawn(process.execPath, [...flags, join(projectRoot, "dist", "kernelwright.js"), ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: top, XDG_CACHE_HOME: cacheHome, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit) => resolve({ said, code: exit }));
  });
}

/** The kept files with what tells one writing from another. */
function kept(cacheHome: string): readonly string[] {
  const folder = join(cacheHome, "kernelwright", "code");
  return readdirSync(folder)
    .map((name) => `${name} ${statSync(join(folder, name)).ino}`)
    .sort();
}

test("a start leaves its code to the next one, which says the same, as does one with the code spoilt", async () => {
  const home = join(top, "starts");
  const [first, beside] = await Promise.all([start(home, ["--version"]), start(home, ["--version"])]);
  expect(first.code).toBe(0);
  expect(beside).toEqual(first);
  const [file = "", ...others] = kept(home);
  expect(others).toEqual([]);
  expect(file).toMatch(/^command-line-/);
  // Code that is used is not written again.
  expect(await start(home, ["--version"])).toEqual(first);
  expect(kept(home)).toEqual([file]);
  const path = join(home, "kernelwright", "code", file.split(" ")[0] ?? "");
  truncateSync(path, 1000);
  expect(await start(home, ["--version"])).toEqual(first);
  expect(kept(home)).not.toEqual([file]);
  // Code of a start that did more takes the place of that of a brief one.
  const busy = join(top, "busy.cjs");
  writeFileSync(busy, "while (process.cpuUsage().user < 600_000) for (let turn = 0; turn < 1e7; turn += 1);");
  expect(await start(home, ["--version"], ["--require", busy])).toEqual(first);
  const [name = ""] = path.split("/").slice(-1);
  expect(kept(home).map((each) => each.split(" ")[0])).toContain(name.replace(/-brief$/, ""));
  const whole = kept(home);
  expect(await start(home, ["--version"])).toEqual(first);
  expect(kept(home)).toEqual(whole);
  // Other flags of V8 ask for other code.
  expect(await start(home, ["--version"], ["--no-opt"])).toEqual(first);
  expect(kept(home)).toHaveLength(whole.length + 1);
});

test("where nothing can be kept a start does without", async () => {
  const home = join(top, "no folder");
  writeFileSync(home, "");
  const { said, code: exit } = await start(home, ["--version"]);
  expect([exit, said.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});

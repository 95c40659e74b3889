import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  type BuildIdentity,
  dependenciesOf,
  ProgramCache,
} from "../../../server/host/program/build/program-cache";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-cache-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A moment at which everything that a test has written so far is old. */
const later = (): number => Date.now() + 60_000;

test("names of a make rule are read with their escapes", () => {
  expect(dependenciesOf("program : a.cu \\\n    b\\ c.h \\\n    /usr/include/stdio.h\n")).toEqual([
    "a.cu",
    "b c.h",
    "/usr/include/stdio.h",
  ]);
});

test("a program is kept until one of its sources or options changes", async () => {
  const [output, again] = [join(folder, "output"), join(folder, "again")];
  for (const each of [output, again]) mkdirSync(each);
  writeFileSync(join(folder, "a.cu"), "main");
  writeFileSync(join(folder, "a.h"), "header");
  writeFileSync(join(output, "program"), "machine code");
  writeFileSync(join(output, "dependencies"), "program : a.cu a.h /usr/include/stdio.h\n");
  const cache = new ProgramCache(join(folder, "cache"));
  const identity = {
    nvcc: "nvcc",
    library: "runtime.a",
    libraries: "1",
    file: "a.cu",
    folder,
    architecture: "sm_80",
    compileOptions: ["-DN=1"],
  };
  expect(await cache.take(identity, again)).toBe(false);
  await cache.keep(identity, output, later());
  expect(await cache.take(identity, again)).toBe(true);
  expect(readFileSync(join(again, "program"), "utf8")).toBe("machine code");
  expect(await cache.take({ ...identity, compileOptions: ["-DN=2"] }, again)).toBe(false);
  writeFileSync(join(folder, "a.h"), "another header");
  expect(await cache.take(identity, again)).toBe(false);
  await cache.keep(identity, output, later());
  expect(await cache.take(identity, again)).toBe(true);
  rmSync(join(folder, "a.h"));
  expect(await cache.take(identity, again)).toBe(false);
});

/** A program in a folder of its own as a compiler leaves it, and what it was made of. */
function build(
  name: string,
  options: readonly string[] = [],
): {
  readonly cacheFolder: string;
  readonly identity: BuildIdentity;
  readonly output: string;
  readonly again: string;
} {
  const place = join(folder, name);
  const [cacheFolder, output, again] = [join(place, "cache"), join(place, "output"), join(place, "again")];
  for (const each of [output, again]) mkdirSync(each, { recursive: true });
  for (const [file, content] of [
    ["a.cu", "main"],
    ["output/program", "machine code"],
    ["output/dependencies", "program : a.cu\n"],
  ] as const)
    writeFileSync(join(place, file), content);
  return {
    cacheFolder,
    output,
    again,
    identity: {
      nvcc: "nvcc",
      library: "runtime.a",
      libraries: "1",
      file: "a.cu",
      folder: place,
      architecture: "sm_80",
      compileOptions: options,
    },
  };
}

test("a program whose source was saved while it was compiled is not kept, and nothing is left of it", async () => {
  const { cacheFolder, identity, output, again } = build("late");
  const cache = new ProgramCache(cacheFolder);
  const began = Date.now();
  writeFileSync(join(identity.folder, "a.cu"), "another main");
  await cache.keep(identity, output, began);
  expect([await cache.take(identity, again), readdirSync(join(cacheFolder, "programs"))]).toEqual([
    false,
    [],
  ]);
});

test("runs that keep the same program at once leave one entry and nothing else", async () => {
  const { cacheFolder, identity, output } = build("both");
  await Promise.all(
    Array.from({ length: 8 }, () => new ProgramCache(cacheFolder).keep(identity, output, later())),
  );
  expect(readdirSync(join(cacheFolder, "programs"))).toHaveLength(1);
});

test("a library that the program is linked with is one of its sources", async () => {
  const { cacheFolder, identity, output, again } = build("linked", ["-Llibraries", "-lpart", "-lm"]);
  const library = join(identity.folder, "libraries", "libpart.a");
  mkdirSync(join(library, ".."));
  writeFileSync(library, "one");
  const cache = new ProgramCache(cacheFolder);
  await cache.keep(identity, output, later());
  expect(await cache.take(identity, again)).toBe(true);
  writeFileSync(library, "two");
  expect(await cache.take(identity, again)).toBe(false);
});

test("a disk that takes no entry costs nothing else", async () => {
  writeFileSync(join(folder, "file"), "");
  const cache = new ProgramCache(join(folder, "file"));
  await cache.keep(
    {
      nvcc: "nvcc",
      library: "",
      libraries: "",
      file: "a.cu",
      folder,
      architecture: "sm_80",
      compileOptions: [],
    },
    join(folder, "output"),
    later(),
  );
  expect(existsSync(join(folder, "file", "programs"))).toBe(false);
});

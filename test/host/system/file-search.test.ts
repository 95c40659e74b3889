import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PathRules } from "../../../server/core/base/path-rules";
import type { FoundText } from "../../../server/core/ports/files";
import { FileSearch } from "../../../server/host/system/search/file-search";
import { SearchThreads } from "../../../server/host/system/search/search-threads";
import { WorkspaceSearch } from "../../../server/host/system/search/workspace-search";
import { WorkspaceFiles } from "../../../server/host/system/workspace-files";
import { inRepository } from "../../../server/setup/support/layout.mjs";
import { memorySearch } from "../../harness/memory-files";

const hidden = [".env", "mine/**"];
/** Long ago: a file that has just changed is read again whatever its time says. */
const settled = new Date("2020-01-01");

const sources: Readonly<Record<string, string>> = {
  "a.cu": "__global__ void a();",
  "b.cu": "int my__global__; int __global__s; $__global__ = 1;",
  "c.cu": "int no__global__;\n__global__",
  "empty.cu": "",
  "deep/er/d.cuh": "\n\t__global__\r\nvoid d();",
  "deep/e.txt": "__global__",
  "long.cu": `${"// filler\n".repeat(60_000)}__global__ void long_one();`,
  "umlaut.cu": "// für\n__global__ void u();",
};

let place: string;
let root: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "kernelwright-search-"));
  root = join(place, "workspace");
  mkdirSync(root);
  for (const [path, text] of Object.entries(sources)) write(path, text);
});
afterEach(() => rmSync(place, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, settled, settled);
}

const suffixes = [".cu", ".cuh"];
const texts = (search: FileSearch, word: string): readonly FoundText[] =>
  [...search.search(word, suffixes)].sort((a, b) => (a.path < b.path ? -1 : 1));
const found = (search: FileSearch): readonly string[] => texts(search, "__global__").map(({ path }) => path);

test("what is found is what a plain search finds, each time, in the thread as well", async () => {
  const expected = await memorySearch(sources).search("__global__", suffixes);
  expect(expected.map(({ path }) => path)).toEqual(["a.cu", "c.cu", "deep/er/d.cuh", "long.cu", "umlaut.cu"]);
  const search = new FileSearch(root, hidden);
  expect(texts(search, "__global__")).toEqual(expected);
  expect(texts(search, "__global__")).toEqual(expected);
  const threads = new SearchThreads(inRepository("dist", "search-thread.js"));
  threads.prepare();
  const thread = new WorkspaceSearch({ root, hidden }, threads);
  expect(
    await Promise.all([thread.search("__global__", suffixes), thread.search("filler", [".cu"])]),
  ).toEqual([expected, expected.filter(({ path }) => path === "long.cu")]);
  await thread.close();
});

test.each([
  ["little-endian", Buffer.from("\ufeff// für é\n__global__ void w();", "utf16le")],
  ["big-endian", Buffer.from("\ufeff// für é\n__global__ void w();", "utf16le").swap16()],
  ["long", Buffer.from(`\ufeff// für é\n__global__ void w();${"// füller €\n".repeat(50_000)}`, "utf16le")],
])("words are found in UTF-16 (%s), and the files behind it are searched as before", async (_, bytes) => {
  write("b-wide.cu", bytes);
  const search = new FileSearch(root, hidden);
  expect(found(search)).toEqual(["a.cu", "b-wide.cu", "c.cu", "deep/er/d.cuh", "long.cu", "umlaut.cu"]);
  const wide = texts(search, "__global__").find(({ path }) => path === "b-wide.cu");
  expect(wide?.text.slice(0, 29)).toBe("// für é\n__global__ void w();");
  expect(await new WorkspaceFiles(root, new PathRules(hidden)).read("b-wide.cu")).toBe(wide?.text);
});

test("the files are those that the reader of the workspace lists", async () => {
  for (const path of ["mine/m.cu", ".env", "node_modules/n.cu", "sub/build/o.cu", "sub/p.cu"])
    write(path, "__global__ void k();");
  symlinkSync("a.cu", join(root, "link.cu"));
  symlinkSync("deep", join(root, "linked"));
  const files = new WorkspaceFiles(root, new PathRules(hidden));
  for (const word of ["__global__", "my__global__"]) {
    const listed = await files.list("", suffixes);
    const read = Object.fromEntries(
      await Promise.all(listed.map(async (path) => [path, (await files.read(path)) ?? ""] as const)),
    );
    expect(texts(new FileSearch(root, hidden), word)).toEqual(
      await memorySearch(read).search(word, suffixes),
    );
  }
});

test.each<{ readonly what: string; readonly change: () => void; readonly then: readonly string[] }>([
  { what: "a word comes in", change: () => write("b.cu", "__global__ void b();"), then: ["a.cu", "b.cu"] },
  {
    what: "a word comes in, and time and size stay",
    change: () => write("b.cu", "__global__ void b();".padEnd(sources["b.cu"]?.length ?? 0)),
    then: ["a.cu", "b.cu"],
  },
  { what: "a word goes", change: () => write("a.cu", "void a();"), then: [] },
  { what: "a file comes", change: () => write("deep/er/f.cu", "__global__"), then: ["a.cu", "deep/er/f.cu"] },
  { what: "a file goes", change: () => rmSync(join(root, "a.cu")), then: [] },
  {
    what: "a folder gets another name",
    change: () => {
      write("deep/er/f.cu", "__global__");
      renameSync(join(root, "deep"), join(root, "d"));
    },
    then: ["a.cu", "d/er/f.cu"],
  },
  {
    what: "a link takes a file's place",
    change: () => {
      writeFileSync(join(place, "outside.cu"), "__global__");
      rmSync(join(root, "b.cu"));
      symlinkSync(join(place, "outside.cu"), join(root, "b.cu"));
    },
    then: ["a.cu"],
  },
  {
    what: "a link out of the workspace takes a folder's place",
    change: () => {
      mkdirSync(join(place, "elsewhere"));
      writeFileSync(join(place, "elsewhere", "x.cu"), "__global__");
      rmSync(join(root, "deep"), { recursive: true });
      symlinkSync(join(place, "elsewhere"), join(root, "deep"));
    },
    then: ["a.cu"],
  },
  {
    what: "a file is no UTF-8 any more",
    change: () => appendFileSync(join(root, "a.cu"), Uint8Array.of(0xff)),
    then: [],
  },
])("between two searches $what", ({ change, then }) => {
  for (const path of ["c.cu", "deep/er/d.cuh", "long.cu", "umlaut.cu"]) rmSync(join(root, path));
  const search = new FileSearch(root, hidden);
  expect(found(search)).toEqual(["a.cu"]);
  change();
  expect(found(search)).toEqual(then);
});

test("words that stand where one file ends and another begins are in neither", () => {
  const files = { "x0.cu": "int a__glo", "x1.cu": "bal__ b", "x2.cu": "__global__", "x3.cu": "s; c" };
  for (const [path, text] of Object.entries(files)) write(path, text);
  expect(found(new FileSearch(root, hidden))).toEqual([
    "a.cu",
    "c.cu",
    "deep/er/d.cuh",
    "long.cu",
    "umlaut.cu",
    "x2.cu",
  ]);
});

test("what was learnt of more words than are kept stays right", () => {
  const search = new FileSearch(root, hidden);
  const words = ["__global__", "void", "a", "my__global__", "d", "u", "long_one", "int", "filler", "k", "q"];
  const all = (): readonly (readonly string[])[] =>
    words.map((word) => texts(search, word).map(({ path }) => path));
  const first = all();
  expect(first.map(({ length }) => length)).toEqual([5, 4, 1, 1, 1, 1, 1, 2, 1, 0, 0]);
  expect(all()).toEqual(first);
  for (const [at, word] of words.entries())
    expect(texts(new FileSearch(root, hidden), word).map(({ path }) => path)).toEqual(first[at]);
});

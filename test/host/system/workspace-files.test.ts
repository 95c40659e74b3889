import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import { PathRules, secretPatterns, specPattern } from "../../../server/core/base/path-rules";
import { noBuildSettings } from "../../../server/core/workload/build-settings";
import { readSourceTree } from "../../../server/host/services/sources/source-tree";
import { WorkspaceFiles } from "../../../server/host/system/workspace-files";
import { draws } from "../../harness/draws";

const place = mkdtempSync(join(tmpdir(), "kernelwright-files-"));
const root = join(place, "workspace");
const secret = "KEY=7f3a";
afterAll(() => rmSync(place, { recursive: true }));

const hidden = ["k.kernel.json", ".env", ".git/config", "keys/id_rsa", "mine/notes.md"];
for (const path of [...hidden, "k.cu", "sub/inner/h.cuh", "../outside.md"]) {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), hidden.includes(path) || path.startsWith("..") ? secret : "plain");
}
writeFileSync(join(root, "leak.cu"), '#include ".env"\n#include "env.md"\n#include "sub/inner/h.cuh"\n');
const links = {
  "spec.txt": "k.kernel.json",
  "env.md": ".env",
  "to-git": ".git",
  up: "..",
  "sub/back": "..",
  "s.cu": "k.cu",
};
for (const [link, target] of Object.entries(links)) symlinkSync(target, join(root, link));

const files = new WorkspaceFiles(root, new PathRules([...secretPatterns, specPattern, "mine/**"]));

async function shown(path: string): Promise<string> {
  try {
    return (await files.read(path)) ?? "missing";
  } catch (thrown) {
    if (thrown instanceof OperationalError) return thrown.code;
    throw thrown;
  }
}

test.each([
  ["k.cu", "plain"],
  ["s.cu", "plain"],
  ["sub/back/k.cu", "plain"],
  ["nothing.cu", "missing"],
  ["k.kernel.json", "path-excluded"],
  ["k.kernel.json/", "path-excluded"],
  [".//k.kernel.json/.", "path-excluded"],
  ["K.Kernel.json", "path-excluded"],
  ["spec.txt", "path-excluded"],
  ["env.md", "path-excluded"],
  ["to-git/config", "path-excluded"],
  ["sub/back/.env", "path-excluded"],
  ["sub/back/keys/id_rsa", "path-excluded"],
  ["mine/notes.md", "path-excluded"],
  ["up/outside.md", "path-outside-workspace"],
  ["../outside.md", "path-outside-workspace"],
])("%s: %s", async (path, expected) => expect(await shown(path)).toBe(expected));

test("nothing that is hidden is listed", async () => {
  expect(await files.list("", [".json", ".env", "config", "id_rsa", ".md", ".cu", ".cuh"])).toEqual([
    "k.cu",
    "leak.cu",
    "sub/inner/h.cuh",
  ]);
});

test.each([
  ["sub", ["sub/inner/h.cuh"]],
  ["sub/inner", ["sub/inner/h.cuh"]],
  ["sub/back", ["sub/back/k.cu", "sub/back/leak.cu", "sub/back/sub/inner/h.cuh"]],
  ["nothing", []],
])("below %s", async (folder, expected) =>
  expect(await files.list(folder, [".cu", ".cuh"])).toEqual(expected),
);

test("what comes and goes between two lists is seen", async () => {
  const path = join(root, "sub", "later");
  const long = new Date(Date.now() - 60_000);
  for (const folder of [root, join(root, "sub")]) utimesSync(folder, long, long);
  const before = await files.list("", [".cu"]);
  mkdirSync(path);
  writeFileSync(join(path, "new.cu"), "plain");
  expect(await files.list("", [".cu"])).toEqual([...before, "sub/later/new.cu"].sort());
  rmSync(path, { recursive: true });
  expect(await files.list("", [".cu"])).toEqual(before);
});

test("no way to write a path shows a secret", async () => {
  const part = fc.constantFrom(
    ...hidden.flatMap((path) => path.split("/")),
    ...Object.keys(links),
    ".",
    "..",
    "",
    "sub",
    "back",
    "inner",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), async (parts, upper) => {
      const path = parts.join("/");
      expect(await shown(upper ? path.toUpperCase() : path)).not.toBe(secret);
    }),
    { numRuns: draws(500) },
  );
});

test("an include of a hidden file is no part of a kernel's tree; a hidden file that the spec names is refused", async () => {
  const spec = (file: string): Parameters<typeof readSourceTree>[1]["spec"] => ({
    file,
    kernel: "k",
    dialect: "cuda",
    run: { kind: "launch", launch: { arguments: [] } },
    inputs: {},
    outputs: {},
    shapes: [],
    reference: { kind: "baseline" },
    objective: "modelled-bound",
  });
  expect(
    Object.keys(await readSourceTree(files, { spec: spec("leak.cu"), specFolder: "" }, noBuildSettings)),
  ).toEqual(["leak.cu", "sub/inner/h.cuh"]);
  await expect(
    readSourceTree(files, { spec: spec(".env"), specFolder: "" }, noBuildSettings),
  ).rejects.toMatchObject({ code: "path-excluded" });
});

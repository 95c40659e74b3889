import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ProgramRequest } from "../../server/core/ports/program-runner";
import { withBuildSettings } from "../../server/host/compose-build";

const top = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-build-")));
afterAll(() => rmSync(top, { recursive: true }));

const files = {
  "kernelwright.json":
    '{ "version": 1, "standard": "c++20", "defines": { "N": 4, "M": 5, "TITLE": "\\"a b\\"" } }',
  "src/main.cu": '#include "grid.h"\nint main() {}\n',
  "include/grid.h": "",
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

async function optionsOf(file: string, folder: string, given: readonly string[]): Promise<readonly string[]> {
  const request = { file, folder, compileOptions: given } as unknown as ProgramRequest;
  return (await withBuildSettings(request, join(top, "cache"))).request.compileOptions;
}

test("a program gets what its workspace says, behind what the command line names", async () => {
  const options = await optionsOf("src/main.cu", top, ["-DN=8", "-O3", "-std=c++17"]);
  const prelude = options.at(-1) ?? "";
  expect(options).toEqual([
    "-DN=8",
    "-O3",
    "-std=c++17",
    "-DM=5",
    `-I${join(top, "include")}`,
    "-include",
    prelude,
  ]);
  expect(readFileSync(prelude, "utf8")).toBe('#define TITLE "a b"\n');
});

test("a program outside of the current folder is read with its own folder alone", async () => {
  expect(await optionsOf("../src/main.cu", join(top, "include"), [])).toEqual([]);
  expect(await optionsOf("src/none.cu", top, ["-DN=8"])).toEqual(["-DN=8"]);
});

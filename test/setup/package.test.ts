import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";

/** What the walkthrough opens. */
const SAMPLE = ["samples/transpose.cu", "samples/transpose.cu.kernel.json", "samples/references.py"];

/** Folders and files at the top of the package, below `extension/`. */
const ALLOWED =
  /^(package(\.nls)?\.json|readme\.md|changelog\.md|LICENSE\.txt|(dist|l10n|media|syntaxes)\/.+)$/;

function run(command: string, args: readonly string[]): string {
  const ended = spawnSync(command, args, { cwd: inRepository(), encoding: "utf8" });
  expect(ended.status, ended.stderr).toBe(0);
  return ended.stdout;
}

it("the packaged extension is under 5 MB and holds no sources, maps or packages", () => {
  const said = run(process.execPath, [inRepository("server", "setup", "package.mjs")]);
  const file = said.split("  ")[0] ?? "";
  const names = JSON.parse(
    run("python3", [
      "-c",
      "import json, sys, zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).namelist()))",
      file,
    ]),
  ) as string[];
  const inside = names
    .filter((name) => name.startsWith("extension/"))
    .map((name) => name.slice("extension/".length));
  const others = inside.filter((name) => !SAMPLE.includes(name));
  expect(others.filter((name) => !ALLOWED.test(name) || /\.(ts|map)$|node_modules/.test(name))).toEqual([]);
  for (const needed of [
    "dist/extension.js",
    "dist/server.js",
    "dist/programs.js",
    "dist/kernelwright.js",
    "dist/grammars/tree-sitter-cuda.wasm",
    "dist/worker/__main__.py",
    "media/icon.png",
    "package.nls.json",
    ...SAMPLE,
  ]) {
    expect(inside).toContain(needed);
  }
});

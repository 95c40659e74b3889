import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { derivedFiles } from "../../server/host/derived/derived-files";
import { TEXTS_FILE } from "../../server/setup/support/texts.mjs";
import { expectCaseText } from "../harness/cases";
import { readProjectFile, projectRoot } from "../architecture/project";
import { copyTree, perform, readRecipes, writeApart } from "./recipe";

const run = promisify(execFile);
const recipes = readRecipes();

describe("on a copy of the tree with every recipe", () => {
  let tree = "";

  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), "kernelwright-recipes-"));
    copyTree(tree);
    // What is derived is written by the command, not by hand: it may not be shared with the tree.
    for (const { path } of derivedFiles) writeApart(join(tree, path), readProjectFile(path));
    for (const recipe of recipes) perform(recipe, tree);
    await command("server/setup/manifest.mjs");
    await command("server/setup/build.mjs");
    await command(join(projectRoot, "test/recipes/bundle-shows.mjs"), tree);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  const command = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
    run(process.execPath, args, { cwd: tree, maxBuffer: 1 << 26 });

  it("types hold", async () => {
    const tsc = join(projectRoot, "node_modules", "typescript-native", "bin", "tsc");
    const said = await command(tsc, "-b", "server/protocol", "server/core", "server/host", "client").catch(
      (failed: { readonly stdout: string }) => failed,
    );
    expect(said.stdout).toBe("");
  });

  it.each(recipes)("$name works", async ({ name }) => {
    const { stdout } = await command(join("out", "shows", `${name}.mjs`));
    expectCaseText(`recipes/${name}/shows.txt`, stdout);
  });

  it("the command line offers what was added", async () => {
    const help = async (name: string): Promise<string> =>
      (await command(join("dist", "kernelwright.js"), name, "--help")).stdout;
    expect(await help("export")).toContain('"csv"');
    expect(await help("optimize")).toContain('"patience"');
    expect(await help("profile")).toContain('"sm_110"');
  });

  it("what derives was written anew", () => {
    const manifest = readFileSync(join(tree, "package.json"), "utf8");
    expect(manifest).toContain('"patience"');
    expect(manifest).toContain('"kernelwright.quiet"');
    expect(readFileSync(join(tree, "docs", "counters.md"), "utf8")).toContain("partial requests");
    expect(readFileSync(join(tree, TEXTS_FILE), "utf8")).toContain("Hello.");
  });
});

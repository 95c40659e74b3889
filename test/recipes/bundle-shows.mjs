/**
 * `node bundle-shows.mjs TREE`: in a copy of the tree, bundles what shows that each recipe works into
 * TREE/out/shows.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [tree = ""] = process.argv.slice(2);
const shows = join(tree, "test", "shows");
await build({
  absWorkingDir: tree,
  entryPoints: Object.fromEntries(
    readdirSync(shows).map((name) => [name.replace(/\.ts$/, ""), join(shows, name)]),
  ),
  outdir: join(tree, "out", "shows"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  mainFields: ["module", "main"],
  external: ["vscode", "esbuild"],
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
  },
});

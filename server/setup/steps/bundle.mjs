import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { inRepository } from "../support/layout.mjs";
import { exclusively } from "../support/lock.mjs";
import { PlainFailure } from "../support/problem.mjs";

/** What the last build read and wrote, so that a build with nothing to do is known without bundling. */
const STAMP = join("out", "build.json");

/**
 * A bundle is CommonJS, as VS Code loads it, from sources that are modules; this gives them back the address
 * of their file.
 */
const MODULE_ADDRESS = {
  name: "kernelwrightModuleAddress",
  code: 'const kernelwrightModuleAddress = require("node:url").pathToFileURL(__filename).href;',
};

/** @satisfies {import("esbuild").BuildOptions} */
const FOR_NODE = {
  platform: "node",
  target: "node20",
  format: "cjs",
  define: { "import.meta.url": MODULE_ADDRESS.name },
  // Code that was compiled by an earlier start (server/host/start) can call `require` alone. The module of
  // web-tree-sitter would hide it by a variable of the same name.
  supported: { "dynamic-import": false },
  // A quarter less to install; names stay, so that a stack still tells where something happened.
  minifyWhitespace: true,
  alias: { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" },
};

/** The Chromium of the oldest VS Code that we run in. @satisfies {import("esbuild").BuildOptions} */
const FOR_PAGES = { platform: "browser", target: "chrome134", format: "iife", minify: true };

/**
 * @typedef {{ source: string, output: string, external?: string[], executable?: boolean, page?: boolean }} Bundle
 * @typedef {{ folder: string, output: string, files?: string[], endings?: string[], flat?: boolean }} Copy
 * @typedef {{ from: string, to: string }} CopiedFile
 * @typedef {{ plan: string, inputs: Record<string, string>, outputs: string[] }} Stamp
 */

/**
 * Makes dist/: the bundles and the data files beside them. Does nothing when no input has changed. Of two
 * builds of one clone at the same time the second waits, and has nothing left to do.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 */
export async function ensureBundles(reporter) {
  const { bundles, copies } = JSON.parse(
    readFileSync(inRepository("server", "setup", "bundles.json"), "utf8"),
  );
  const present = /** @type {Bundle[]} */ (bundles).filter(({ source }) => existsSync(inRepository(source)));
  const files = /** @type {Copy[]} */ (copies).flatMap(filesOf);
  const plan = planOf(present, files);
  if (isCurrent(plan)) return;
  await exclusively(
    inRepository("out", "build.lock"),
    async () => {
      if (!isCurrent(plan)) await reporter.step("build", () => makeBundles(plan, present, files));
    },
    reporter.say,
  );
}

/**
 * @param {string} plan
 * @param {Bundle[]} bundles
 * @param {CopiedFile[]} files
 */
async function makeBundles(plan, bundles, files) {
  const started = Date.now();
  for (const { from, to } of files) writeWhole(to, readFileSync(inRepository(from)));
  const inputs = await bundleAll(bundles);
  const outputs = [...bundles.map(({ output }) => output), ...files.map(({ to }) => to)];
  removeOthers(outputs);
  const read = [...new Set([...inputs, ...files.map(({ from }) => from)])];
  // Of an input that was written during the build nobody knows which text was read: the next build reads it
  // again.
  const isSettled = (/** @type {string} */ path) => statSync(inRepository(path)).mtimeMs < started;
  const signatures = read.map((path) => [path, isSettled(path) ? signature(path) : "changed meanwhile"]);
  writeWhole(STAMP, JSON.stringify({ plan, inputs: Object.fromEntries(signatures), outputs }));
}

/**
 * Writes a file in one step, so that a program that starts meanwhile reads the old one or the new one.
 * @param {string} path relative to the repository
 * @param {string | Uint8Array} content
 * @param {number} [mode]
 */
function writeWhole(path, content, mode = 0o644) {
  const target = inRepository(path);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    chmodSync(temporary, mode);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Makes every bundle that can be made, so that one with a fault does not take the others away.
 * @param {Bundle[]} bundles
 * @returns {Promise<string[]>} the files they were made of
 */
async function bundleAll(bundles) {
  const made = await Promise.allSettled(bundles.map((entry) => bundle(entry)));
  const failures = made.filter((result) => result.status === "rejected");
  if (failures.length > 0) throw new PlainFailure(failures.map(({ reason }) => reason.message).join("\n"));
  return made.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}

/**
 * Takes away what earlier builds left in dist/ and this one did not make.
 * @param {string[]} outputs
 */
function removeOthers(outputs) {
  const keep = new Set(outputs.flatMap((path) => [path, `${path}.map`]));
  for (const path of readdirSync(inRepository("dist"), { recursive: true, encoding: "utf8" }).map((name) =>
    join("dist", name),
  )) {
    if (statSync(inRepository(path)).isFile() && !keep.has(path)) rmSync(inRepository(path));
  }
}

/**
 * One bundle: for Node, or (page) for a webview.
 * @param {Bundle} options
 * @returns {Promise<string[]>} the files it was made of, relative to the repository
 */
export async function bundle({ source, output, external = [], executable = false, page = false }) {
  const { build } = await import("esbuild");
  /** @type {import("esbuild").BuildOptions & { metafile: true, write: false }} */
  const options = {
    absWorkingDir: inRepository(),
    entryPoints: [source],
    outfile: output,
    bundle: true,
    ...(page ? FOR_PAGES : FOR_NODE),
    external,
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
    // Some packages offer an older build to bundlers that asks for its files at run time; their modules
    // bundle whole.
    mainFields: ["module", "main"],
    banner: page ? {} : { js: `${executable ? "#!/usr/bin/env node\n" : ""}${MODULE_ADDRESS.code}` },
  };
  const result = await build(options).catch((cause) => {
    // What is wrong where has been printed by esbuild itself.
    throw new PlainFailure(`${source} does not build`, { cause });
  });
  for (const { path, contents, text } of result.outputFiles) {
    const isMap = path.endsWith(".map");
    writeWhole(
      relative(inRepository(), path),
      isMap || page ? contents : inAscii(text),
      executable && !isMap ? 0o755 : 0o644,
    );
  }
  return Object.keys(result.metafile.inputs);
}

/**
 * A program for Node with escapes for all characters but ASCII. esbuild leaves those in tagged templates,
 * and a single one makes V8 keep the whole text with two bytes for each character: 20 MB of a command's
 * memory, and a tenth of its start. Columns in the map that stand behind one in its line are told too small.
 * @param {string} program
 */
export function inAscii(program) {
  const escaped = (/** @type {string} */ text) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // It takes escapes literally, but not what is put in.
  const literal = program.replace(/String\.raw`(?:[^`\\]|\\[^])*`/g, (template) =>
    template.replace(/[^\0-\x7f]+/g, (text) => `\${"${escaped(text)}"}`),
  );
  return escaped(literal);
}

/**
 * @param {Copy} copy
 * @returns {CopiedFile[]} paths relative to the repository
 */
function filesOf({ folder, output, files, endings = [], flat = false }) {
  if (!existsSync(inRepository(folder))) return [];
  const found =
    files ??
    readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
      .filter((path) => endings.some((ending) => path.endsWith(ending)))
      .sort();
  return found.map((path) => ({ from: join(folder, path), to: join(output, flat ? basename(path) : path) }));
}

/**
 * Everything but the contents of the inputs that decides what a build gives.
 * @param {Bundle[]} bundles
 * @param {CopiedFile[]} files
 */
function planOf(bundles, files) {
  const hash = createHash("sha256").update(JSON.stringify([bundles, files]));
  for (const path of ["package-lock.json", "server/setup/steps/bundle.mjs"])
    hash.update(readFileSync(inRepository(path)));
  return hash.digest("hex");
}

/** @param {string} plan */
function isCurrent(plan) {
  if (!existsSync(inRepository(STAMP))) return false;
  const stamp = /** @type {Stamp} */ (JSON.parse(readFileSync(inRepository(STAMP), "utf8")));
  return (
    stamp.plan === plan &&
    stamp.outputs.every((path) => existsSync(inRepository(path))) &&
    Object.entries(stamp.inputs).every(([path, seen]) => signature(path) === seen)
  );
}

/**
 * A cheap sign of a file's contents.
 * @param {string} path relative to the repository
 */
function signature(path) {
  const stat = statSync(inRepository(path), { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : "gone";
}

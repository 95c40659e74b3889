import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cachedFolder, isComplete } from "../support/cached-folder.mjs";
import { findProgram } from "../support/find-program.mjs";
import { inCache } from "../support/layout.mjs";
import { isDiskFull, reasonOf, SetupProblem } from "../support/problem.mjs";
import { NPM_OPTIONS, run } from "../support/processes.mjs";

/** The newest release of code-server for Node 20; it brings VS Code 1.100.3. */
const CODE_SERVER = "4.100.3";

/**
 * Native modules that the server of VS Code loads, and the file whose presence shows that one is built. A
 * post-install step of node-pty may fail after its module has been built, so the file decides and not the
 * exit code.
 */
const NATIVE_MODULES = Object.freeze({
  "node-pty": "build/Release/pty.node",
  "@vscode/spdlog": "build/Release/spdlog.node",
  "native-watchdog": "build/Release/watchdog.node",
});

/**
 * The native modules write a log, start a shell and watch a process: what the optimizer takes with their C++
 * is a third of the time, and no user sees what it gives. node-gyp takes the number of compilers from JOBS.
 */
const QUICK_BUILD = Object.freeze({ CXXFLAGS: "-O0", JOBS: "max" });

/**
 * VS Code that runs as a server and shows in a browser, in our cache folder.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @returns {Promise<string>} the folder of its `lib/vscode`
 * @throws {SetupProblem}
 */
export async function ensureBrowserEditor(reporter) {
  const folder = inCache(`editor-${CODE_SERVER}-node${process.versions.modules}`);
  const vscode = join(folder, "node_modules", "code-server", "lib", "vscode");
  if (isComplete(folder)) return vscode;
  try {
    await cachedFolder(
      folder,
      () =>
        reporter.step("VS Code for the browser (about a minute, once)", (heard) =>
          install(folder, vscode, heard),
        ),
      reporter.say,
    );
    return vscode;
  } catch (cause) {
    throw new SetupProblem({
      piece: "VS Code for the browser",
      reason: reasonOf(cause),
      stillWorks:
        "the command line: npm run kernelwright -- doctor, npm run optimize -- samples/transpose.cu",
      command: isDiskFull(cause)
        ? "npm start   (tries again; it needs some 600 MB in your cache folder, which XDG_CACHE_HOME can move to another disk)"
        : "npm start   (tries again; or install desktop VS Code so that `code` is on PATH)",
      cause,
    });
  }
}

/**
 * @param {string} folder an empty one
 * @param {string} vscode the folder inside it that holds VS Code's server
 * @param {(line: string) => void} heard
 */
async function install(folder, vscode, heard) {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const npm = (/** @type {string} */ cwd, /** @type {string[]} */ args) =>
    run("npm", [...args, ...NPM_OPTIONS], { cwd, heard, env: { ...nodeHeaders(), ...QUICK_BUILD } });
  // Asked with an empty cache, since npm with a full one and no network waits for many minutes.
  await npm(folder, ["view", `code-server@${CODE_SERVER}`, "version", "--cache", join(folder, "asked")]);
  await npm(folder, ["install", `code-server@${CODE_SERVER}`, "--ignore-scripts"]);
  for (const part of [vscode, join(vscode, "extensions")]) {
    // The shrinkwrap of some releases names a git address, which a package registry does not serve.
    rmSync(join(part, "npm-shrinkwrap.json"), { force: true });
    await npm(part, ["install", "--omit=dev", "--ignore-scripts", "--legacy-peer-deps"]);
  }
  for (const [name, file] of Object.entries(NATIVE_MODULES)) {
    const built = join(vscode, "node_modules", name, file);
    await npm(vscode, ["rebuild", name]).catch((error) => {
      if (!existsSync(built)) throw error;
    });
  }
  linkRipgrep(vscode);
  symlinkSync("node_modules", join(vscode, "node_modules.asar"));
}

/** Where Debian keeps Node's headers, if it does; without them node-gyp downloads them. */
function nodeHeaders() {
  const prefixes = [dirname(dirname(process.execPath)), "/usr"];
  const prefix = prefixes.find((candidate) => existsSync(join(candidate, "include", "node", "node.h")));
  return prefix ? { npm_config_nodedir: prefix } : {};
}

/**
 * VS Code looks for ripgrep at this place; its own installer would download it.
 * @param {string} vscode
 */
function linkRipgrep(vscode) {
  const ripgrep = findProgram("rg");
  if (!ripgrep) return;
  const folder = join(vscode, "node_modules", "@vscode", "ripgrep", "bin");
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, "rg"), { force: true });
  symlinkSync(ripgrep, join(folder, "rg"));
}

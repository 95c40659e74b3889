import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PlainFailure } from "./problem.mjs";
import { exitCode, launch } from "./processes.mjs";

/** What the server prints when it listens. */
const READY = /Web UI available at \S*?:(\d+)/;

/** How long the server may take to listen, in milliseconds. */
const START_LIMIT_MS = 60_000;

/**
 * @typedef {object} EditorServerOptions
 * @property {string} vscode the folder that ensureBrowserEditor gave
 * @property {string} data a folder for settings, state and logs; made when it is not there
 * @property {number} [port] a free one when not given
 * @property {Record<string, unknown>} [settings] user settings to begin with; not given: those that are
 *   there stay
 * @property {Record<string, unknown>} [machineSettings] the same of scope "machine" and
 *   "machine-overridable": VS Code takes them from a file of their own where its window and its server are
 *   apart
 * @property {boolean} [sharesGroup] see launch
 * @property {NodeJS.ProcessEnv} [env] for the server and so for the extension host
 * @property {(line: string) => void} [heard] takes the server's log
 */

/**
 * @typedef {object} EditorServer
 * @property {number} port
 * @property {(page?: { folder?: string, payload?: Record<string, string | undefined> }) => string} address
 *   of a window; the payload is what VS Code takes as start options, with paths of this machine as remote
 *   addresses
 * @property {Promise<number>} ended exit code of the server
 * @property {() => Promise<void>} stop
 */

/**
 * Starts VS Code's server on a loopback port. A random token guards it, since any local program (and any page
 * in any browser) could otherwise open a terminal through it.
 * @param {EditorServerOptions} options
 * @returns {Promise<EditorServer>} once it listens
 */
export async function startEditorServer({
  vscode,
  data,
  port = 0,
  settings,
  machineSettings,
  sharesGroup,
  env,
  heard,
}) {
  if (port !== 0) await assertFree(port);
  const token = randomBytes(16).toString("hex");
  // The settings and the state of the editor are the user's alone, and so is the token.
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const tokenFile = join(data, `token-${process.pid}-${token.slice(0, 8)}`);
  writeFileSync(tokenFile, token, { mode: 0o600 });
  writeSettings(join(data, "User"), settings);
  writeSettings(join(data, "Machine"), machineSettings);
  const child = launch(
    process.execPath,
    [join(vscode, "out", "server-main.js"), ...serverOptions({ data, port, tokenFile })],
    { cwd: data, env, sharesGroup },
  );
  const ended = new Promise((/** @type {(code: number) => void} */ resolve) =>
    child.once("exit", (code, signal) => resolve(exitCode(code, signal))),
  );
  const listening = await untilListening(child, heard)
    .catch((error) => {
      child.kill("SIGTERM");
      throw error;
    })
    .finally(() => rmSync(tokenFile, { force: true }));
  return {
    port: listening,
    address: (page) => pageAddress(listening, token, page),
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * @param {string} folder
 * @param {Record<string, unknown> | undefined} settings
 */
function writeSettings(folder, settings) {
  mkdirSync(folder, { recursive: true });
  if (settings) writeFileSync(join(folder, "settings.json"), JSON.stringify(settings, null, 2));
}

/**
 * @param {number} port
 * @returns {Promise<void>} rejected when another program listens there
 */
function assertFree(port) {
  return new Promise((resolve, reject) => {
    const trial = createServer();
    trial.once("error", (/** @type {Error} */ cause) =>
      reject(
        new PlainFailure(
          `Port ${port} cannot be used (${cause.message}): name another one, or none to get a free one.`,
          { cause },
        ),
      ),
    );
    trial.listen(port, "127.0.0.1", () => trial.close(() => resolve()));
  });
}

/** @param {{ data: string, port: number, tokenFile: string }} options */
function serverOptions({ data, port, tokenFile }) {
  return [
    ...["--host", "127.0.0.1", "--port", String(port), "--connection-token-file", tokenFile],
    ...["--accept-server-license-terms", "--telemetry-level", "off"],
    ...["--server-data-dir", data, "--user-data-dir", data, "--extensions-dir", join(data, "extensions")],
  ];
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {((line: string) => void) | undefined} heard
 * @returns {Promise<number>} the port
 */
function untilListening(child, heard) {
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const log = [];
    const fail = (/** @type {string} */ what) =>
      reject(new PlainFailure([`VS Code's server ${what}.`, ...log.slice(-20)].join("\n")));
    const limit = setTimeout(() => fail(`did not listen within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        heard?.(line);
        log.push(line);
        const port = READY.exec(line)?.[1];
        if (!port) return;
        clearTimeout(limit);
        resolve(Number(port));
      });
    }
    child.once("error", (error) => fail(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      fail(`ended with ${code ?? signal} before it listened`);
    });
  });
}

/**
 * @param {number} port
 * @param {string} token
 * @param {{ folder?: string, payload?: Record<string, string | undefined> }} [page]
 */
function pageAddress(port, token, { folder, payload = {} } = {}) {
  const remote = (/** @type {string} */ value) =>
    value.startsWith("/") ? `vscode-remote://127.0.0.1:${port}${value}` : value;
  const address = new URL(`http://127.0.0.1:${port}/`);
  // A file that lists several folders opens all of them.
  const kind = folder?.endsWith(".code-workspace") === true ? "workspace" : "folder";
  if (folder) address.searchParams.set(kind, folder);
  const pairs = Object.entries(payload).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, remote(value)]],
  );
  address.searchParams.set("payload", JSON.stringify(pairs));
  address.searchParams.set("tkn", token);
  return address.href;
}

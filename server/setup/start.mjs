/**
 * `npm start [-- --headless] [--port N] [FOLDER]`: VS Code with the extension, on samples/ or on the folder
 * given.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensureBrowserEditor } from "./steps/editor.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { startEditorServer } from "./support/editor-server.mjs";
import { findProgram } from "./support/find-program.mjs";
import { inCache, inRepository, repository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";
import { UsageFailure } from "./support/problem.mjs";
import { runVisibly } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";
import { together } from "./support/together.mjs";

const USAGE = `npm start [-- [--headless] [--port N] [FOLDER]]
  Opens VS Code with the extension on FOLDER (samples/ when not given): the desktop one if \`code\` is on PATH,
  else one in the browser.
  --headless  serve VS Code for the browser and open nothing
  --port N    loopback port of the browser editor (a free one when not given)
`;

main(async () => {
  const { values, positionals } = options(USAGE, {
    options: {
      headless: { type: "boolean", default: false },
      port: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const port = Number(values.port ?? 0);
  const folder = resolve(positionals[0] ?? inRepository("samples"));
  if (values.help) return print(USAGE);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageFailure(`--port: expected a number from 1 to 65535, got "${values.port}"\n\n${USAGE}`);
  if (!existsSync(folder)) throw new UsageFailure(`${folder}: no such folder\n\n${USAGE}`);

  const reporter = createReporter();
  const desktop = values.headless ? undefined : findProgram("code");
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda", ...(desktop ? [] : ["editor"])]);
  const [python, vscode] = await together(
    /** @type {const} */ ([ensurePython(reporter), desktop ? undefined : ensureBrowserEditor(reporter)]),
  );
  await ensureBundles(reporter);
  const env = { KERNELWRIGHT_PYTHON: python.interpreter };
  if (desktop) return openDesktop(reporter, desktop, { folder, env });
  return serve(reporter, /** @type {string} */ (vscode), { folder, env, port, open: !values.headless });
});

/**
 * The desktop editor with its own settings folder, so that the user's windows and extensions stay as they
 * are.
 * @param {import("./support/reporter.mjs").Reporter} reporter
 * @param {string} code
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} options
 */
function openDesktop(reporter, code, { folder, env }) {
  reporter.say(`VS Code opens on ${folder}; closing its window or Ctrl-C here ends it`);
  // With --verbose the launcher stays and the editor is its child, so that both end together.
  const args = [
    "--verbose",
    "--new-window",
    `--user-data-dir=${inCache("desktop-editor")}`,
    `--extensionDevelopmentPath=${repository}`,
    folder,
  ];
  return runVisibly(code, args, { env });
}

/**
 * @param {import("./support/reporter.mjs").Reporter} reporter
 * @param {string} vscode
 * @param {{ folder: string, env: NodeJS.ProcessEnv, port: number, open: boolean }} options
 */
async function serve(reporter, vscode, { folder, env, port, open }) {
  const data = inCache("browser-editor");
  const server = await startEditorServer({ vscode, data, port, env });
  const address = server.address({
    folder,
    payload: { extensionDevelopmentPath: repository, skipWelcome: "true" },
  });
  const opener = open ? findProgram("xdg-open", "open") : undefined;
  if (opener && (process.env.DISPLAY || process.env.WAYLAND_DISPLAY || process.platform === "darwin")) {
    openPage(reporter, opener, address);
  }
  reporter.say(`VS Code with Kernelwright on ${folder}; Ctrl-C ends it:`);
  print(`${address}\n`);
  return server.ended;
}

/**
 * Opens the user's own browser, which lives on when the editor ends.
 * @param {import("./support/reporter.mjs").Reporter} reporter
 * @param {string} opener
 * @param {string} address
 */
function openPage(reporter, opener, address) {
  const child = spawn(opener, [address], { stdio: "ignore", detached: true });
  child.once("error", (error) => reporter.say(`no browser was opened (${error.message}): open the address`));
  child.unref();
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}

import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { inRepository } from "./layout.mjs";

/**
 * @typedef {object} Section a part of `npm test`
 * @property {string} name as `--only` takes it
 * @property {string} title
 * @property {number} rows how many it takes; the others are for the sections beside it
 * @property {string[]} needs purposes in system-pieces.json
 * @property {boolean} [fast] belongs to `--fast`
 * @property {(python: string) => [string, ...string[]]} command
 * @property {() => NodeJS.ProcessEnv} [environment] added to that of all sections
 */

const EDITOR_SUITES = ["--config", "test/harness/editor-suites.config.mjs"];

/** Each window waits for programs part of its time. */
const TWO_WINDOWS = ["--file-parallelism", "--max-workers=2"];

/**
 * In the order of their starts: the longest first, which has a row for itself; what needs no tool and ends soon;
 * then those that wait for programs and windows part of their time. The browser suite has two windows and so two
 * rows: it comes last, beside what the longest still has to do.
 * @type {readonly Section[]}
 */
export const SECTIONS = [
  {
    name: "unit",
    rows: 1,
    title: "tests with nvcc, Triton and ssh",
    needs: ["python", "cuda", "ssh"],
    command: () => ["npx", "vitest", "run"],
    environment: () => ({ KERNELWRIGHT_LANE: "tools" }),
  },
  {
    name: "fast",
    rows: 1,
    title: "architecture and all tests without nvcc, torch or an editor",
    needs: [],
    fast: true,
    command: () => ["npx", "vitest", "run"],
    environment: () => ({
      KERNELWRIGHT_LANE: "fast",
      KERNELWRIGHT_PYTHON: undefined,
      PATH: pathWithoutTools(),
      XDG_CACHE_HOME: inRepository("out", "no-cache"),
    }),
  },
  {
    name: "types",
    rows: 1,
    title: "types of all projects",
    needs: [],
    fast: true,
    command: () => ["npm", "run", "--silent", "types"],
  },
  {
    name: "lint",
    rows: 1,
    title: "lint",
    needs: [],
    fast: true,
    command: () => ["npm", "run", "--silent", "lint"],
  },
  {
    name: "format",
    rows: 1,
    title: "layout of TypeScript, Python and C++",
    needs: ["python"],
    fast: true,
    command: () => [process.execPath, inRepository("server", "setup", "format.mjs"), "--check"],
  },
  {
    name: "worker",
    rows: 1,
    title: "worker (Python)",
    needs: ["python", "cuda"],
    command: (python) => [python, "-m", "unittest", "discover", "-s", "test/worker", "-t", "test/worker"],
  },
  {
    name: "clean-room",
    rows: 1,
    title: "npm start and npm run optimize in a clone of HEAD with an empty home",
    needs: ["python", "cuda", "editor", "browser"],
    command: () => ["npx", "vitest", "run", ...EDITOR_SUITES, "test/clean-room"],
  },
  {
    name: "editor",
    rows: 1,
    title: "inside VS Code, trusted and restricted",
    needs: ["python", "cuda", "editor", "browser"],
    command: () => ["npx", "vitest", "run", ...EDITOR_SUITES, "test/editor"],
  },
  {
    name: "browser",
    rows: 2,
    title: "in the browser, with screenshots",
    needs: ["python", "cuda", "editor", "browser"],
    command: () => ["npx", "vitest", "run", ...EDITOR_SUITES, ...TWO_WINDOWS, "test/e2e"],
  },
];

/** Programs that the fast lane must do without. */
const TOOLS =
  /^(nvcc|ptxas|nvlink|fatbinary|nvdisasm|cuobjdump|python.*|pip.*|chromium.*|google-chrome.*|code|sshd|g\+\+.*)$/;

/**
 * A PATH with all programs of ours but the tools, so that a test which needs one of them fails in the fast
 * lane.
 */
function pathWithoutTools() {
  const folder = inRepository("out", "path-without-tools");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const programs = new Map(
    folders
      .reverse()
      .flatMap((from) => programsOf(from).map((name) => /** @type {const} */ ([name, join(from, name)]))),
  );
  for (const [name, path] of programs) if (!TOOLS.test(name)) symlinkSync(path, join(folder, name));
  return folder;
}

/** @param {string} folder of PATH, which may not be there */
function programsOf(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? ""))
      return [];
    throw error;
  }
}

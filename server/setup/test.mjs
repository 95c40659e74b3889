/**
 * `npm test [-- --only SECTION,…]`: sets up what the tests need and runs all of them, each section whatever
 * the others gave.
 */
import { existsSync, rmSync } from "node:fs";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensureBrowserEditor } from "./steps/editor.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { inRepository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";
import { describeProblem, UsageFailure } from "./support/problem.mjs";
import { endsBySignal, runVisibly } from "./support/processes.mjs";
import { createReporter, seconds } from "./support/reporter.mjs";

/**
 * @typedef {object} Section
 * @property {string} name as `--only` takes it
 * @property {string} title
 * @property {string[]} needs purposes in system-pieces.json
 * @property {(python: string) => [string, ...string[]]} command
 */

const EDITOR_SUITES = ["--config", "test/harness/editor-suites.config.mjs"];

/** @type {Section[]} */
const SECTIONS = [
  {
    name: "types",
    title: "types of all projects",
    needs: [],
    command: () => ["npm", "run", "--silent", "types"],
  },
  { name: "lint", title: "lint", needs: [], command: () => ["npm", "run", "--silent", "lint"] },
  {
    name: "unit",
    title: "unit, cases, architecture, protocol",
    needs: ["python", "cuda", "ssh"],
    command: () => ["npx", "vitest", "run"],
  },
  {
    name: "worker",
    title: "worker (Python)",
    needs: ["python", "cuda"],
    command: (python) => [python, "-m", "unittest", "discover", "-s", "test/worker", "-t", "test/worker"],
  },
  {
    name: "editor",
    title: "inside VS Code, trusted and restricted",
    needs: ["python", "cuda", "editor", "browser"],
    command: () => ["npx", "vitest", "run", ...EDITOR_SUITES, "test/editor"],
  },
  {
    name: "browser",
    title: "in the browser, with screenshots",
    needs: ["python", "cuda", "editor", "browser"],
    command: () => ["npx", "vitest", "run", ...EDITOR_SUITES, "test/e2e"],
  },
];

const USAGE = `npm test [-- --only SECTION,…]
  Sections: ${SECTIONS.map(({ name }) => name).join(", ")}
`;

main(async () => {
  const { values } = options(USAGE, { options: { only: { type: "string" } } });
  const names = values.only?.split(",") ?? SECTIONS.map(({ name }) => name);
  const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown.length > 0)
    throw new UsageFailure(
      `--only: no section "${unknown.join('", "')}"; there are ${SECTIONS.map(({ name }) => name).join(", ")}`,
    );
  const sections = SECTIONS.filter(({ name }) => names.includes(name));
  const python = await setUp(sections);
  const results = [];
  for (const section of sections) {
    const result = await runSection(section, python);
    // What is being ended by a signal is neither passed nor failed, and nothing comes after it.
    if (endsBySignal()) return 1;
    results.push(result);
  }
  return summarize(results);
});

/**
 * @param {Section[]} sections
 * @returns {Promise<string>} the Python for the tests
 */
async function setUp(sections) {
  const reporter = createReporter();
  const needs = [...new Set(sections.flatMap((section) => section.needs))];
  await ensurePackages(reporter);
  await ensureSystem(reporter, needs);
  const [python] = await Promise.all([
    needs.includes("python") ? ensurePython(reporter) : undefined,
    // Sections that need it fail by themselves, with the reason; the others can do without.
    needs.includes("editor") ? ensureBrowserEditor(reporter).catch(reporter.warn) : undefined,
  ]);
  await ensureBundles(reporter).catch(reporter.warn);
  return python?.interpreter ?? "python3";
}

/**
 * @param {Section} section
 * @param {string} python
 */
async function runSection({ name, title, command }, python) {
  process.stdout.write(`\n━━ ${name}: ${title}\n`);
  if (name === "browser") rmSync(inRepository("out", "screenshots"), { recursive: true, force: true });
  const started = Date.now();
  const [program, ...args] = command(python);
  const env = {
    KERNELWRIGHT_PYTHON: python,
    PYTHONPATH: inRepository("server", "worker"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const code = await runVisibly(program, args, { cwd: inRepository(), env }).catch((error) => {
    process.stdout.write(`${describeProblem(error)}\n`);
    return 1;
  });
  return { name, title, code, duration: seconds(started) };
}

/**
 * @param {{ name: string, title: string, code: number, duration: string }[]} results
 * @returns {number} exit code
 */
function summarize(results) {
  const failed = results.filter(({ code }) => code !== 0);
  process.stdout.write("\n━━ summary\n");
  for (const { name, title, code, duration } of results) {
    process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name.padEnd(8)} ${duration.padStart(9)}  ${title}\n`);
  }
  if (existsSync(inRepository("out", "screenshots")))
    process.stdout.write(`screenshots: ${inRepository("out", "screenshots")}\n`);
  process.stdout.write(`sections: ${results.length - failed.length} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}

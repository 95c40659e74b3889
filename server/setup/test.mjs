/**
 * `npm test [-- --fast | --only SECTION,…]`: sets up what the tests need and runs all of them, each section
 * whatever the others gave.
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
import { SECTIONS } from "./support/sections.mjs";

/** @typedef {import("./support/sections.mjs").Section} Section */

const NAMES = SECTIONS.map(({ name }) => name).join(", ");

const USAGE = `npm test [-- --fast | --only SECTION,…]
  Sections: ${NAMES}
  --fast  only ${SECTIONS.filter(({ fast }) => fast)
    .map(({ name }) => name)
    .join(", ")}
`;

main(async () => {
  const { values } = options(USAGE, {
    options: { only: { type: "string" }, fast: { type: "boolean", default: false } },
  });
  const sections = sectionsOf(values);
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
 * @param {{ only?: string | undefined, fast: boolean }} values
 * @returns {Section[]}
 */
function sectionsOf({ only, fast }) {
  if (fast && only !== undefined) throw new UsageFailure(`--fast and --only exclude each other\n\n${USAGE}`);
  if (only === undefined) return SECTIONS.filter((section) => !fast || section.fast);
  const names = only.split(",");
  const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown.length > 0)
    throw new UsageFailure(`--only: no section "${unknown.join('", "')}"; there are ${NAMES}`);
  return SECTIONS.filter(({ name }) => names.includes(name));
}

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
    needs.includes("cuda") ? ensurePython(reporter) : undefined,
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
async function runSection({ name, title, command, environment }, python) {
  process.stdout.write(`\n━━ ${name}: ${title}\n`);
  if (name === "browser") rmSync(inRepository("out", "screenshots"), { recursive: true, force: true });
  const started = Date.now();
  const [program, ...args] = command(python);
  const env = {
    KERNELWRIGHT_PYTHON: python,
    PYTHONPATH: inRepository("server", "worker"),
    PYTHONDONTWRITEBYTECODE: "1",
    ...environment?.(),
  };
  const code = await runVisibly(program, args, { cwd: inRepository(), env }).catch((error) => {
    if (!endsBySignal()) process.stdout.write(`${describeProblem(error)}\n`);
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
    process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${duration.padStart(9)}  ${title}\n`);
  }
  if (existsSync(inRepository("out", "screenshots")))
    process.stdout.write(`screenshots: ${inRepository("out", "screenshots")}\n`);
  process.stdout.write(`sections: ${results.length - failed.length} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}

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
import { endsBySignal, run, runVisibly, ToolFailure } from "./support/processes.mjs";
import { createReporter, seconds } from "./support/reporter.mjs";
import { SECTIONS } from "./support/sections.mjs";
import { sideBySide } from "./support/side-by-side.mjs";
import { summaryOf } from "./support/summary.mjs";

/** @typedef {import("./support/sections.mjs").Section} Section */

/**
 * Rows that the sections are dealt out to: one more than the smallest machine that the tests are for has cores,
 * as each section waits for programs and windows part of its time.
 */
const ROWS = 3;

const NAMES = SECTIONS.map(({ name }) => name).join(", ");

const USAGE = `npm test [-- --fast | --only SECTION,…]
  Sections: ${NAMES}
  --fast  only ${SECTIONS.filter(({ fast }) => fast)
    .map(({ name }) => name)
    .join(", ")}, with a fifth of their random draws
`;

main(async () => {
  const { values } = options(USAGE, {
    options: { only: { type: "string" }, fast: { type: "boolean", default: false } },
  });
  const sections = sectionsOf(values);
  const ready = await setUp(sections);
  const screenshots = inRepository("out", "screenshots");
  if (sections.some(({ name }) => name === "browser")) rmSync(screenshots, { recursive: true, force: true });
  const results = await sideBySide(
    sections,
    ROWS,
    (section) =>
      runSection(section, {
        ready,
        alone: sections.length === 1 || section.rows >= ROWS,
        draws: values.fast ? "few" : undefined,
      }),
    () => !endsBySignal(),
  );
  // What is being ended by a signal is neither passed nor failed.
  if (endsBySignal()) return 1;
  if (existsSync(screenshots)) process.stdout.write(`\nscreenshots: ${screenshots}\n`);
  process.stdout.write(summaryOf(results));
  return results.every(({ code }) => code === 0) ? 0 : 1;
});

/**
 * One section, once what it needs is there, with its output as it comes where it runs alone; beside others its
 * output stands together when it ends.
 * @param {Section} section
 * @param {object} how
 * @param {(section: Section) => Promise<string>} how.ready
 * @param {boolean} how.alone
 * @param {string | undefined} how.draws "few" where random tests draw a share (test/harness/draws.ts)
 */
async function runSection(section, { ready, alone, draws }) {
  const python = await ready(section);
  // A section counts as not started where a signal came while it waited.
  if (endsBySignal()) return { ...section, code: 1, duration: "", output: "" };
  const [[program, ...args], options] = [section.command(python), optionsOf(section, { python, draws })];
  process.stdout.write(heading(section, alone ? "" : " …"));
  return timed(section, async () => {
    if (alone) return { code: await runVisibly(program, args, options), output: "" };
    const ended = await run(program, args, options).then(
      (output) => ({ code: 0, output }),
      (error) => ({
        code: 1,
        output: (error instanceof ToolFailure && error.output) || describeProblem(error),
      }),
    );
    if (!endsBySignal()) process.stdout.write(`${heading(section, " ended")}${ended.output.trimEnd()}\n`);
    return ended;
  });
}

/**
 * @param {Section} section
 * @param {string} state
 */
function heading({ name, title }, state) {
  return `\n━━ ${name}: ${title}${state}\n`;
}

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

/** What Python environments are made of; the other pieces of the operating system are installed meanwhile. */
const FOR_PYTHON = ["python", "cuda"];

/**
 * Sets up what all sections need, and begins with what only some do: pieces of the operating system, Python
 * packages and VS Code take minutes the first time, in which the others can run.
 * @param {Section[]} sections
 * @returns {Promise<(section: Section) => Promise<string>>} waits for what a section needs, and gives the Python
 *   for it
 */
async function setUp(sections) {
  const reporter = createReporter();
  const needs = [...new Set(sections.flatMap((section) => section.needs))];
  await ensurePackages(reporter);
  const forPython = ensureSystem(
    reporter,
    needs.filter((need) => FOR_PYTHON.includes(need)),
  );
  const python = needs.includes("cuda") ? forPython.then(() => ensurePython(reporter)) : undefined;
  const system = forPython.then(() =>
    ensureSystem(
      reporter,
      needs.filter((need) => !FOR_PYTHON.includes(need)),
    ),
  );
  // Sections that need it fail by themselves, with the reason; the others can do without.
  const editor = needs.includes("editor")
    ? system.then(() => ensureBrowserEditor(reporter)).catch(reporter.warn)
    : undefined;
  await ensureBundles(reporter).catch(reporter.warn);
  return async (section) => {
    if (section.needs.length > 0) await system;
    if (section.needs.includes("editor")) await editor;
    return (section.needs.includes("cuda") && (await python)?.interpreter) || "python3";
  };
}

/**
 * Where a section's command runs, and with which environment.
 * @param {Section} section
 * @param {{ python: string, draws: string | undefined }} given
 */
function optionsOf({ environment }, { python, draws }) {
  const env = {
    KERNELWRIGHT_PYTHON: python,
    PYTHONPATH: inRepository("server", "worker"),
    PYTHONDONTWRITEBYTECODE: "1",
    KERNELWRIGHT_DRAWS: draws,
    ...environment?.(),
  };
  return { cwd: inRepository(), env };
}

/**
 * @param {Section} section
 * @param {() => Promise<{ code: number, output: string }>} work
 */
async function timed({ name, title }, work) {
  const started = Date.now();
  const ended = await work().catch((error) => {
    if (!endsBySignal()) process.stdout.write(`${describeProblem(error)}\n`);
    return { code: 1, output: "" };
  });
  return { name, title, ...ended, duration: seconds(started) };
}

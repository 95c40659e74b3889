import { stripVTControlCharacters } from "node:util";

/** How many last lines of a failed section are said again: a test runner tells its failures at its end. */
const TAIL_LINES = 60;

/** How many lines of the first failure are said again: later ones often only follow from it. */
const FIRST_LINES = 12;

/**
 * @typedef {object} SectionResult
 * @property {string} name
 * @property {string} title
 * @property {number} code exit code
 * @property {string} duration for people
 * @property {string} output what it wrote, "" where that was seen as it came
 */

/**
 * What the end of a run of sections says: of each failed one its last lines once more, as what stood above may
 * be thousands of lines away or cut off in a log of continuous integration; then a line for each section.
 * @param {readonly SectionResult[]} results
 */
export function summaryOf(results) {
  const failed = results.filter(({ code }) => code !== 0);
  return [
    ...failed.flatMap(tailOf),
    "",
    "━━ summary",
    ...results.map(lineOf),
    `sections: ${results.length - failed.length} passed, ${failed.length} failed`,
    "",
  ].join("\n");
}

/** @param {SectionResult} result */
function tailOf({ name, output }) {
  const lines = output.trimEnd().split("\n");
  if (output.trim() === "") return [];
  const shown = lines.slice(-TAIL_LINES);
  if (shown.length === lines.length) return ["", `━━ ${name} failed, once more`, ...shown];
  return [
    ...firstFailureOf(name, lines.slice(0, -TAIL_LINES)),
    "",
    `━━ ${name} failed, its last ${TAIL_LINES} lines once more`,
    ...shown,
  ];
}

/**
 * @param {string} name of the section
 * @param {string[]} lines those that are not said again anyway
 */
function firstFailureOf(name, lines) {
  const first = lines.findIndex((line) => /^\s*(FAIL\s|(FAIL|ERROR): )/.test(stripVTControlCharacters(line)));
  if (first === -1) return [];
  return ["", `━━ ${name} failed first with`, ...lines.slice(first, first + FIRST_LINES)];
}

/** @param {SectionResult} result */
function lineOf({ name, title, code, duration }) {
  return `${code === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${duration.padStart(9)}  ${title}`;
}

/** How many last lines of a failed section are said again: a test runner tells its failures at its end. */
const TAIL_LINES = 60;

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
  const which = shown.length < lines.length ? `its last ${TAIL_LINES} lines once more` : "once more";
  return ["", `━━ ${name} failed, ${which}`, ...shown];
}

/** @param {SectionResult} result */
function lineOf({ name, title, code, duration }) {
  return `${code === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${duration.padStart(9)}  ${title}`;
}

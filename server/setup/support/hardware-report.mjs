/**
 * @typedef {{ name: string, driver: string, smMegahertz?: number, memoryMegahertz?: number, heldBack: string[] }} Gpu
 * @typedef {{ kind: string, baselineNanoseconds: number, ratio: number, lower: number, upper: number }} Against
 * @typedef {{ sizes: Record<string, number>, cache: string, nanoseconds: number, isSteady: boolean,
 *   comparison?: Against }} Shape
 * @typedef {{ before: Gpu, after: Gpu, shapes: Shape[], protections: string[], remarks: string[] }} Measured
 * @typedef {{ what: string, kind: string, measured?: Measured, problem?: string }} Result one command: a
 *   verdict's kind and its measurement, or why there is none
 */

/**
 * The page about a run on a GPU; undefined where nothing was measured.
 * @param {readonly Result[]} results
 * @param {{ date: string, compiler: string, product: string, target: string }} about
 * @returns {string | undefined}
 */
export function hardwareReport(results, { date, compiler, product, target }) {
  const measured = results.find((each) => each.measured)?.measured;
  if (!measured) return undefined;
  const rows = results.flatMap(rowsOf);
  return [
    "# Measured on a GPU",
    "",
    `Written by \`npm run gpu:check\` on ${date}. How times are taken: \`docs/gpu-targets.md\`.`,
    "",
    `- Target \`${target}\`, ${compiler}, Kernelwright ${product}`,
    `- ${clocks("Before", measured.before)}`,
    `- ${clocks("After", measured.after)}`,
    "",
    "| what | shape | cache | time | against its baseline |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Walls around the processes: ${measured.protections.join(", ") || "none"}.`,
    ...new Set(results.flatMap((each) => each.measured?.remarks ?? [])),
    "",
  ].join("\n");
}

/** @param {string} when @param {Gpu} gpu */
function clocks(when, { name, driver, smMegahertz, memoryMegahertz, heldBack }) {
  const held = heldBack.length > 0 ? `, held back by ${heldBack.join(", ")}` : "";
  return `${when}: ${name}, driver ${driver}, SM clock ${smMegahertz ?? "?"} MHz, memory clock ${memoryMegahertz ?? "?"} MHz${held}`;
}

/** @param {Result} result */
function rowsOf({ what, kind, measured, problem }) {
  if (!measured) return [[what, "", "", "", problem ?? kind]];
  return measured.shapes.map(({ sizes, cache, nanoseconds, isSteady, comparison }) => {
    const shape = Object.entries(sizes).map(([name, size]) => `${name}=${size}`);
    const time = `${micro(nanoseconds)}${isSteady ? "" : " (the clock did not settle)"}`;
    return [what, shape.join(" "), cache, time, comparison ? against(comparison) : ""];
  });
}

/** @param {Against} comparison */
function against({ kind, baselineNanoseconds, ratio, lower, upper }) {
  return `${kind}: ${micro(baselineNanoseconds)} before, ${ratio.toFixed(3)} times (${lower.toFixed(3)} to ${upper.toFixed(3)})`;
}

/** @param {number} nanoseconds */
function micro(nanoseconds) {
  return `${Number((nanoseconds / 1000).toPrecision(3))} µs`;
}

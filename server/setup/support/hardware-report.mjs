/**
 * @typedef {{ name: string, driver: string, smMegahertz?: number, memoryMegahertz?: number, heldBack: string[] }} Gpu
 * @typedef {{ kind: string, baselineNanoseconds: number, ratio: number, lower: number, upper: number }} Against
 * @typedef {{ sizes: Record<string, number>, cache: string, nanoseconds: number, isSteady: boolean,
 *   comparison?: Against }} Shape
 * @typedef {{ sizes: Record<string, number>, cache: string, by: string, modelledNanoseconds: number,
 *   launchNanoseconds?: number,
 *   ratio: number }} ModelError
 * @typedef {{ before: Gpu, after: Gpu, shapes: Shape[], protections: string[], remarks: string[],
 *   modelError?: ModelError }} Measured
 * @typedef {import("./counter-agreement.mjs").Agreement} Agreement
 * @typedef {{ what: string, kind: string, measured?: Measured, problem?: string, tools?: string[],
 *   agreement?: Agreement[] }} Result one command: a verdict's kind and its measurement, or why there is none;
 *   what NVIDIA's tools said, and how their counters agree with the virtual GPU's
 */

const HEAD = [
  "# Measured on GPUs",
  "",
  "Each part is written by `npm run gpu:check` on a machine with that GPU; a further run there replaces its own part alone.",
  "How times are taken: [gpu-targets.md](gpu-targets.md).",
  "",
].join("\n");

/** What a part begins with, behind which stands the name of its GPU. */
const PART = "## ";

/**
 * The page with a part about one GPU, behind those about others.
 * @param {string} page as it is; parts of other GPUs are kept, all else is written anew
 * @param {string} part of `hardwareReport`
 */
export function hardwarePage(page, part) {
  const [title] = part.split("\n");
  const parts = page.split(/^(?=## )/m).filter((each) => each.startsWith(PART));
  const others = parts.filter((each) => each.split("\n")[0] !== title);
  return [HEAD, ...others.map((each) => `${each.trimEnd()}\n`), part].join("\n");
}

/**
 * The part of the page about a run on a GPU; undefined where nothing was measured.
 * @param {readonly Result[]} results
 * @param {{ date: string, compiler: string, product: string, target: string }} about
 * @returns {string | undefined}
 */
export function hardwareReport(results, { date, compiler, product, target }) {
  const measured = results.find((each) => each.measured)?.measured;
  if (!measured) return undefined;
  const rows = results.flatMap(rowsOf);
  return [
    `${PART}${measured.before.name}`,
    "",
    `- Measured on ${date}`,
    `- Target \`${target}\`, ${compiler}, Kernelwright ${product}`,
    `- ${clocks("Before", measured.before)}`,
    `- ${clocks("After", measured.after)}`,
    "",
    "| what | shape | cache | time | against its baseline |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(tableRow),
    "",
    ...modelPart(results),
    ...results.flatMap(toolPart),
    `Walls around the processes: ${measured.protections.join(", ") || "none"}.`,
    ...new Set(results.flatMap((each) => each.measured?.remarks ?? [])),
    "",
  ].join("\n");
}

/** @param {readonly (string | number)[]} cells */
function tableRow(cells) {
  return `| ${cells.join(" | ")} |`;
}

/** How far the model was off, where it says so. @param {readonly Result[]} results */
function modelPart(results) {
  const rows = results.flatMap(({ what, measured }) => {
    if (!measured?.modelError) return [];
    const { by, cache, modelledNanoseconds, launchNanoseconds = 0, ratio } = measured.modelError;
    const cells = [
      by,
      micro(modelledNanoseconds),
      micro(launchNanoseconds),
      `${ratio.toFixed(2)} times both`,
    ];
    return [tableRow([what, cache, ...cells])];
  });
  if (rows.length === 0) return [];
  const head = [
    "| what | cache | modelled by | modelled | launching | the GPU took |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  return ["### The model", "", ...head, ...rows, ""];
}

/** What NVIDIA's tools said of one kernel. @param {Result} result */
function toolPart({ what, tools = [], agreement = [] }) {
  if (tools.length === 0) return [];
  const rows = agreement.map(({ counter, counted, measured, lines, equal }) =>
    tableRow([counter, counted, measured, `${equal} of ${lines}`]),
  );
  const head = [
    "The virtual GPU counts on PTX, ncu on machine code: where the assembler joins loads or turns a branch into predicates",
    "they differ.",
    "",
    "| counter | virtual GPU | ncu | equal on lines |",
    "| --- | --- | --- | --- |",
  ];
  return [
    ...[`### ${what}`, "", ...tools.map((text) => `- ${text}`), ""],
    ...(rows.length === 0 ? [] : [...head, ...rows, ""]),
  ];
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

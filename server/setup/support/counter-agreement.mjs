/** Counters that both the virtual GPU and ncu tell of a source line, with their names for the page. */
const COMPARED = Object.freeze({
  globalLoadRequests: "global load requests",
  globalLoadSectors: "global load sectors",
  globalLoadSectorsIdeal: "ideal global load sectors",
  globalStoreRequests: "global store requests",
  globalStoreSectors: "global store sectors",
  globalStoreSectorsIdeal: "ideal global store sectors",
  sharedLoadRequests: "shared load requests",
  sharedStoreRequests: "shared store requests",
  sharedWavefronts: "shared wavefronts",
  divergentBranches: "divergent branches",
});

/**
 * @typedef {{ counter: string, counted: number, measured: number, lines: number, equal: number }} Agreement one
 *   counter over all lines on which either tells it: both sums, and on how many of the lines they are equal
 * @typedef {{ file: string, line: number, counters: Record<string, number | undefined> }} Line
 */

/**
 * What the virtual GPU counted beside what ncu measured, line by line of one source file. Counters that neither
 * tells are left out.
 * @param {readonly Line[]} counted
 * @param {readonly Line[]} measured
 * @param {string} file name without its folder
 * @returns {Agreement[]}
 */
export function counterAgreement(counted, measured, file) {
  const own = byLine(counted, file);
  const theirs = byLine(measured, file);
  const lines = [...new Set([...own.keys(), ...theirs.keys()])];
  return Object.entries(COMPARED).flatMap(([name, counter]) => {
    const pairs = lines
      .map((line) => [own.get(line)?.[name] ?? 0, theirs.get(line)?.[name] ?? 0])
      .filter(([a, b]) => a !== 0 || b !== 0);
    if (pairs.length === 0) return [];
    const [ownSum, theirSum] = [0, 1].map((side) => pairs.reduce((sum, pair) => sum + (pair[side] ?? 0), 0));
    const equal = pairs.filter(([a, b]) => a === b).length;
    return [{ counter, counted: ownSum ?? 0, measured: theirSum ?? 0, lines: pairs.length, equal }];
  });
}

/** @param {readonly Line[]} lines @param {string} file */
function byLine(lines, file) {
  const own = lines.filter((each) => each.file.split("/").at(-1) === file);
  return new Map(own.map(({ line, counters }) => [line, counters]));
}

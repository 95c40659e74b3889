import type { SourceTree } from "../../judge/candidate";
import { counterCatalogue, loneCounters } from "../../timing/counter-catalogue";
import type { CorrectVerdict } from "../../judge/verdict";
import type { LineCounters } from "../../timing/counters";
import { describeNanoseconds, describeShare } from "../../words/quantities";
import { lineCosts } from "./line-costs";

const rowsAtMost = 24;
const sourceLength = 100;

/**
 * Costs and counters by source line as a Markdown table, the lines that cost most first. A line's cost is
 * what it would take if nothing else ran, in the unit of the bound, and the term that binds it; the costs of
 * all lines do not add up to the bound. Columns without any count are left out.
 */
export function counterTable(
  verdict: CorrectVerdict,
  tree: SourceTree,
  range = { first: 1, last: Number.MAX_SAFE_INTEGER },
): string {
  const costs = lineCosts(verdict);
  const lines = verdict.counters.lines.filter((line) => line.line >= range.first && line.line <= range.last);
  if (lines.length === 0) return "No line in this range was executed.";
  const ranked = [...lines].sort((a, b) => costs.share(b) - costs.share(a));
  const shown = columns.filter(([, value]) => ranked.some((line) => value(line) !== ""));
  const header = ["line", "cost alone", ...shown.map(([name]) => name), "source"];
  const rows = ranked
    .slice(0, rowsAtMost)
    .map((line) => [
      `${line.file}:${line.line}`,
      `${describeNanoseconds(costs.of(line).nanoseconds)} ${costs.of(line).binding} (${describeShare(costs.share(line))})`,
      ...shown.map(([, value]) => value(line)),
      sourceAt(tree, line),
    ]);
  const left =
    ranked.length > rowsAtMost ? [`(${ranked.length - rowsAtMost} lines that cost less are left out)`] : [];
  return [row(header), row(header.map(() => "---")), ...rows.map(row), ...left].join("\n");
}

type ColumnOfTable = readonly [head: string, cell: (line: LineCounters) => string];

const columns: readonly ColumnOfTable[] = [
  ["warp instructions", (line) => count(line.instructions)],
  ["load sectors (ideal)", (line) => against(line.globalLoadSectors, line.globalLoadSectorsIdeal)],
  ["store sectors (ideal)", (line) => against(line.globalStoreSectors, line.globalStoreSectorsIdeal)],
  ["shared wavefronts (ideal)", (line) => against(line.sharedWavefronts, line.sharedWavefrontsIdeal)],
  ["conflict ways", (line) => (line.sharedConflictWays > 1 ? String(line.sharedConflictWays) : "")],
  ["divergent branches", (line) => count(line.divergentBranches - line.predicatedBranches)],
  ...loneCounters.map((name): ColumnOfTable => [counterCatalogue[name].title, (line) => count(line[name])]),
  ["atomics", (line) => count(line.atomics)],
  [
    "passes of atomics (least)",
    (line) => against(line.globalAtomicPasses + line.sharedAtomicPasses, line.atomics),
  ],
  ["tensor instructions", (line) => count(line.tensorInstructions)],
  ["local requests", (line) => count(line.localRequests)],
  [
    "floating-point operations",
    (line) => count(line.fp16Flops + line.fp32Flops + line.fp64Flops + line.tensorFlops),
  ],
];

function count(value: number): string {
  return value === 0 ? "" : String(value);
}

function against(value: number, ideal: number): string {
  return value === 0 && ideal === 0 ? "" : `${value} (${ideal})`;
}

function sourceAt(tree: SourceTree, line: LineCounters): string {
  const text = tree[line.file]?.split("\n")[line.line - 1]?.trim().slice(0, sourceLength) ?? "";
  return text === "" ? "" : `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

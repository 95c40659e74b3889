import { termOf } from "../../core/timing/bound";
import { type ReadRun, readRuns, toolRunLines } from "../../core/imports/tool-output";
import { describeMachineLine, machineLineOf } from "../../core/words/lines/machine-line";
import { type GpuModel, defaultGpu, knownArchitectures } from "../../core/timing/gpu-model";
import { lineTexts } from "../../core/words/line-text";
import {
  type KernelProfile,
  type ProfileSummary,
  type ProfiledLine,
  summarizeProfile,
} from "../../core/words/profile";
import { resourceWords } from "../../core/words/names/names";
import { quietTerm, summaryRows } from "../../core/words/profile-text";
import { describeCount, describeNanoseconds, describeShare } from "../../core/words/quantities";
import { type Column, fittedTable } from "./fitted-table";
import { formatLabelled } from "./terminal";
import { madeHowPage } from "../assets";

/** Lines of a kernel that a report shows; the others cost less. */
const linesAtMost = 24;

/**
 * The GPUs that `--arch` names: one, or those of all architectures for `all`. Undefined when the word is
 * none.
 */
export function readArchitectures(word: string): readonly GpuModel[] | undefined {
  const known = knownArchitectures();
  if (word === "all") return known.map(defaultGpu);
  return known.includes(word) ? [defaultGpu(word)] : undefined;
}

/** The words that `readArchitectures` takes. */
export function architectureWords(): readonly string[] {
  return [...knownArchitectures(), "all"];
}

/** How a report is laid out. */
interface ReportLayout {
  /** Greatest length of a line, in characters. */
  readonly width: number;
  /** Every counter of each line, one below the other, instead of a table with the most telling ones. */
  readonly details?: boolean;
}

/**
 * What a kernel developer wants to see of some kernels, as lines of text that still have to be made plain.
 * The first GPU's figures in full; for several GPUs one row each instead.
 */
export function profileReport(
  profiles: readonly KernelProfile[],
  gpus: readonly GpuModel[],
  layout: ReportLayout,
): readonly string[] {
  return profiles.flatMap((profile, index) => [
    ...(index === 0 ? [] : [""]),
    ...kernelReport(profile, gpus, layout),
  ]);
}

/** What NVIDIA's tools measured and found on a GPU, where they were asked. */
export function measuredReport({ toolRuns = [] }: KernelProfile): readonly string[] {
  return toolRunLines(toolRuns);
}

/** The same as a field of a JSON object. */
export function measuredBy({ toolRuns }: KernelProfile): { readonly measuredBy?: readonly ReadRun[] } {
  return toolRuns === undefined ? {} : { measuredBy: readRuns(toolRuns) };
}

function kernelReport(
  profile: KernelProfile,
  gpus: readonly GpuModel[],
  layout: ReportLayout,
): readonly string[] {
  const summaries = gpus.map((gpu) => summarizeProfile(profile, gpu));
  const [first] = summaries;
  if (first === undefined) return [];
  const inner = layout.width - margin.length;
  if (summaries.length > 1)
    return [
      launchText(first),
      ...[
        ...fittedTable(architectureColumns, summaries, inner),
        "",
        ...fittedTable(termColumns(summaries), summaries, inner),
        ...compiledFor(profile),
      ].map(indent),
    ];
  const lines =
    layout.details === true
      ? detailedLines(profile, first, layout.width)
      : fittedTable(lineColumns, first.lines.slice(0, linesAtMost), layout.width);
  return [
    `${launchText(first)} (${first.architecture}, ${first.gpu})`,
    ...formatLabelled(summaryRows(first, profile), inner).map(indent),
    "",
    ...lines,
    ...leftOut(first),
  ];
}

const margin = "  ";

function indent(line: string): string {
  return line === "" ? "" : `${margin}${line}`;
}

function launchText({ kernel, launches, shape }: ProfileSummary): string {
  const each = `${shape.blocks === 1 ? "1 block" : `${describeCount(shape.blocks)} blocks`} of ${shape.threadsPerBlock} ${shape.threadsPerBlock === 1 ? "thread" : "threads"}`;
  return `${kernel}: ${launches === 1 ? each : `${launches} launches, the longest of ${each}`}`;
}

function compiledFor({ facts }: KernelProfile): readonly string[] {
  return [
    ...new Set(
      facts.map(
        (fact) =>
          `registers and shared memory as compiled for ${fact.architecture}: ${fact.registers} registers`,
      ),
    ),
  ];
}

function detailedLines(
  { facts }: KernelProfile,
  { lines }: ProfileSummary,
  width: number,
): readonly string[] {
  return lines.slice(0, linesAtMost).flatMap((line) => {
    const { file, line: number } = line.counters;
    const machine = machineLineOf(facts, file, number);
    const rows = [
      ...line.faults.map((fault) => ["waste", fault] as const),
      ...lineTexts(line.counters, line),
      ...(machine === undefined ? [] : [["SASS", describeMachineLine(machine)] as const]),
    ];
    return [`${file}:${number}`, ...formatLabelled(rows, width - margin.length).map(indent)];
  });
}

function against(value: number, ideal: number): string {
  return value === 0 && ideal === 0 ? "" : `${describeCount(value)} (${describeCount(ideal)})`;
}

const lineColumns: readonly Column<ProfiledLine>[] = [
  { head: "line", cell: ({ counters }) => `${counters.file}:${counters.line}` },
  { head: "cost", cell: ({ share }) => (share < 0.0005 ? "" : describeShare(share)) },
  { head: "executed", cell: ({ counters }) => describeCount(counters.instructions) },
  {
    head: "lanes",
    cell: ({ counters }) =>
      counters.instructions === 0
        ? ""
        : String(Number((counters.threadInstructions / counters.instructions).toFixed(1))),
  },
  {
    head: "sectors (ideal)",
    cell: ({ counters }) =>
      against(
        counters.globalLoadSectors + counters.globalStoreSectors,
        counters.globalLoadSectorsIdeal + counters.globalStoreSectorsIdeal,
      ),
  },
  {
    head: "L1/L2/DRAM",
    cell: ({ bytes }) =>
      bytes.fromMemory === undefined || bytes.globalLoadSectors === 0
        ? ""
        : [bytes.fromFirstLevel ?? 0, bytes.fromSecondLevel ?? 0, bytes.fromMemory]
            .map((part) => describeShare(part / bytes.globalLoadSectors))
            .join("/"),
  },
  {
    head: "wavefronts (ideal)",
    cell: ({ counters }) => against(counters.sharedWavefronts, counters.sharedWavefrontsIdeal),
  },
  {
    head: "flops",
    cell: ({ counters }) =>
      nonzero(counters.fp16Flops + counters.fp32Flops + counters.fp64Flops + counters.tensorFlops),
  },
  { head: "SASS", cell: ({ machine }) => (machine === undefined ? "" : String(machine.instructions)) },
  { head: "stalls", cell: ({ machine }) => (machine === undefined ? "" : String(machine.staticStallCycles)) },
  { head: "", cell: ({ faults }) => faults.join("; "), below: true },
];

function nonzero(count: number): string {
  return count === 0 ? "" : describeCount(count);
}

function leftOut({ lines }: ProfileSummary): readonly string[] {
  return lines.length > linesAtMost
    ? [`(${lines.length - linesAtMost} lines that cost less are left out; --json has all)`]
    : [];
}

/** One row for each GPU. */
const architectureColumns: readonly Column<ProfileSummary>[] = [
  { head: "arch", cell: ({ architecture }) => architecture },
  { head: "GPU", cell: ({ gpu }) => gpu },
  { head: "modelled bound", cell: ({ bound }) => describeNanoseconds(bound.nanoseconds) },
  { head: "set by", cell: ({ bound }) => resourceWords(bound.binding) },
  { head: "occupancy", cell: ({ occupancy }) => describeShare(occupancy.fraction) },
  { head: "limited by", cell: ({ occupancy }) => occupancy.limiter },
  { head: "", cell: ({ occupancy }) => occupancy.advice, below: true },
];

/** The terms of the bounds, in nanoseconds of the model. */
function termColumns(summaries: readonly ProfileSummary[]): readonly Column<ProfileSummary>[] {
  const terms = [
    ...new Set(
      summaries.flatMap(({ bound }) =>
        Object.entries(bound.terms)
          .filter(([, value]) => value > quietTerm * bound.nanoseconds)
          .map(([name]) => name),
      ),
    ),
  ];
  return [
    { head: "arch", cell: ({ architecture }) => architecture },
    ...terms.map((name): Column<ProfileSummary> => ({
      head: name,
      cell: ({ bound }) => describeNanoseconds(termOf(bound, name)),
    })),
  ];
}

/** Stands under every number that a check prints. */
export function madeHow(): string {
  return `how this number was made: ${madeHowPage()}`;
}
